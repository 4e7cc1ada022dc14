"""A ruling is never changed: who made it opens another case of the same item, and what she rules then replaces it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from adjudication.actions.claim import locked_case
from adjudication.actions.errors import CannotRuleAgain, RulingRefused
from adjudication.models import Case, FirstLook, Ruling
from annotate.models import Project
from annotate.policy import require
from people.actions import audit
from people.models import User


@transaction.atomic
def rule_again(*, case: Case, by: User, why: str) -> Case:
    """A new open case, held by who ruled this one. Her ruling stays gold until she has ruled it.

    Raises Case.DoesNotExist (not visible), Forbidden, CannotRuleAgain or RulingRefused; then nothing changed.
    """
    Project.objects.select_for_update(no_key=True).get(pk=case.item.project_id)  # routing may open a case meanwhile
    case = locked_case(case, by)
    project = case.item.project
    require(by, "rule again", project)
    if against := obstacle(case, by):
        raise CannotRuleAgain(against)
    why = why.strip()
    if not why:
        raise RulingRefused({"why_again": "say why you rule again: your reason stays beside both rulings"})
    again = Case.objects.create(
        item=case.item,
        reasons=case.reasons,
        priority=case.priority,
        judge_first=case.judge_first,
        is_check=case.is_check,
        revises=case.ruling,
        why_again=why,
        held_by=by,
        held_until=timezone.now() + timedelta(minutes=project.hold_minutes),
    )
    keep_first_look(case, again, by)
    audit("case opened to be ruled again", again, by=by, project=project.slug, ruling=case.ruling.pk, why=why)
    return again


def obstacle(case: Case, by: User) -> str | None:
    """What stands against ruling this case again, if anything does."""
    if case.state != Case.State.RULED:
        return "this case is not ruled"
    if case.ruling.by_id != by.pk:
        return "another adjudicator ruled this case"
    if Case.objects.open().filter(item=case.item_id).exists():
        return "this run is open again already"
    if Ruling.objects.filter(case__item=case.item_id, pk__gt=case.ruling.pk).exists():
        return "this run was ruled again since"
    return None


def keep_first_look(case: Case, again: Case, by: User) -> None:
    """What she answered before she saw the annotations cannot be answered twice: it is kept with its moment."""
    for look in FirstLook.objects.filter(case=case, by=by):
        look.pk, look.case = None, again
        look.save(force_insert=True)
