"""Taking a role from a member. What she wrote stays; what she could see stays noted."""

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.actions.projects import note_what_was_visible
from annotate.models import Assignment, Membership, Project, Submission
from annotate.policy import ANNOTATOR, LEAD, require
from people.actions import audit
from people.models import User


class LastLead(Exception):
    def __init__(self, user: User):
        super().__init__(f"{user.username} is the only lead of this project; make somebody else a lead first")


@transaction.atomic
def take_role(*, membership: Membership, by: User) -> None:
    """Who could see colleagues' annotations in this role does not get those items should she annotate later.

    Raises LastLead. Claims on cases run out by themselves.
    """
    project, user, role = membership.project, membership.user, membership.role
    require(by, "manage members", project)
    # Two leads who take each other's role wait here; so does a claim of hers, which asks for her membership.
    list(Membership.objects.select_for_update().filter(project=project, role__in={LEAD, role}).order_by("pk"))
    if is_last_lead(membership):
        raise LastLead(user)
    note_what_was_visible(project, user)
    audit("role taken", membership, by=by, project=project.slug, user=user.username, role=role)
    membership.delete()
    if role == ANNOTATOR:
        let_go(project, user)


def is_last_lead(membership: Membership) -> bool:
    leads = Membership.objects.filter(project=membership.project_id, role=LEAD)
    return membership.role == LEAD and not leads.exclude(pk=membership.pk).exists()


def let_go(project: Project, user: User) -> None:
    """Her holds end, so that others can take the items. What she handed in once keeps its place, as agreement rests on it."""
    handed_in = Submission.objects.filter(annotation__item=OuterRef("item"), annotation__user=user)
    held = Assignment.objects.filter(item__project=project, user=user, state=Assignment.State.HELD)
    held.exclude(Exists(handed_in)).update(state=Assignment.State.EXPIRED, ended_at=timezone.now())
