from django.db import transaction

from adjudication.actions.claim import claim_case
from adjudication.actions.errors import RulingRefused
from adjudication.actions.rule import facts_for
from adjudication.models import Case, FirstLook
from annotate.models.annotations import Outcome
from people.actions import audit
from people.models import User


@transaction.atomic
def look_first(
    *, case: Case, by: User, outcome: str, step: int | None = None, participant: str = "", category: str = ""
) -> FirstLook:
    """Answer about the run before the annotations are shown; this claims the case. The first answer stays.

    Raises Case.DoesNotExist, Forbidden, NotOpen, HeldByAnother or RulingRefused.
    """
    case = claim_case(case=case, by=by)
    given = FirstLook.objects.filter(case=case, by=by).first()
    if given is not None:
        return given
    if errors := wrong_in(case, outcome, step, category):
        raise RulingRefused(errors)
    is_critical = outcome == Outcome.CRITICAL
    look = FirstLook.objects.create(
        case=case,
        by=by,
        outcome=outcome,
        critical_step=step if is_critical else None,
        participant=participant.strip()[:200] if is_critical else "",
        category=category if is_critical else "",
    )
    audit("case judged first", case, by=by, project=case.item.project.slug)
    return look


def wrong_in(case: Case, outcome: str, step: int | None, category: str) -> dict[str, str]:
    facts, errors = facts_for(case), {}
    if outcome not in Outcome.values:
        errors["outcome"] = "choose an answer"
    if outcome == Outcome.CRITICAL and (step is None or not 0 <= step < facts.n_steps):
        errors["step"] = "give the number of a step of this run"
    if category and category != "none_fits" and category not in facts.categories:
        errors["category"] = "choose a category of this project"
    return errors


def has_to_look_first(case: Case, by: User) -> bool:
    return Case.objects.closed_to(by).filter(pk=case.pk).exists()
