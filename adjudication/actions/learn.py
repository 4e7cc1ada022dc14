from django.db import transaction

from adjudication.feedback import cases_to_learn_from
from adjudication.models import Case
from annotate.models import Exposure
from annotate.policy import require
from people.actions import audit
from people.models import User


@transaction.atomic
def open_feedback(*, case: Case, by: User) -> Case:
    """An annotator asks how her label of a run was ruled. What she submits from now on counts as post-feedback.

    Raises Forbidden or Case.DoesNotExist (nothing of hers was ruled here, or she may still change her label).
    """
    require(by, "annotate", case.item.project)
    case = cases_to_learn_from(by, case.item.project).get(pk=case.pk)
    _, is_new = Exposure.objects.get_or_create(item=case.item, user=by, to=Exposure.FEEDBACK)
    if is_new:
        audit("feedback opened", case, by=by, project=case.item.project.slug)
    return case
