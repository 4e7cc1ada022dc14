"""Who works at a case: claims are atomic, run out, and are renewed by a heartbeat."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from adjudication.actions.errors import HeldByAnother, NotOpen
from adjudication.models import Case
from adjudication.queue import ALL, QueueFilter
from adjudication.ruling_draft import Data, structure, words_of
from annotate.models import Project
from annotate.policy import require
from people.models import User

UNDOABLE = 50


def free_for(user: User) -> Q:
    return Q(held_by=None) | Q(held_until__lt=timezone.now()) | Q(held_by=user)


def locked_case(case: Case, by: User) -> Case:
    """The case under a row lock, where `by` may see it; Case.DoesNotExist where not, superusers included."""
    cases = Case.objects.visible_to(by).select_related("item__project", "item__trajectory")
    return cases.select_for_update(of=("self",), no_key=True).get(pk=case.pk)


@transaction.atomic
def claim_case(*, case: Case, by: User) -> Case:
    """Hold the case, or go on holding it. Raises NotOpen or HeldByAnother."""
    case = locked_case(case, by)
    require(by, "rule", case.item.project)
    if case.state != Case.State.OPEN:
        raise NotOpen(case)
    if case.held_by_id not in (None, by.pk) and case.held_until > timezone.now():
        raise HeldByAnother(case)
    return hold(case, by)


@transaction.atomic
def claim_next_case(*, project: Project, by: User, asked: QueueFilter = ALL, after: int = 0) -> Case | None:
    """The open case that has waited longest and nobody else holds, of those asked for.

    `after` is a case just passed over: those behind it come first, then the rest, never the same one again.
    """
    require(by, "rule", project)
    for cases in behind(waiting_for(project, by, asked), after):
        case = cases.order_by("opened_at", "pk").select_for_update(of=("self",), skip_locked=True, no_key=True).first()
        if case is not None:
            return hold(case, by)
    return None


def next_free(*, project: Project, by: User, asked: QueueFilter = ALL, after: int = 0) -> Case | None:
    """The case that would be claimed next; this claims nothing."""
    for cases in behind(waiting_for(project, by, asked), after):
        if found := cases.order_by("opened_at", "pk").first():
            return found
    return None


def waiting_for(project: Project, by: User, asked: QueueFilter = ALL):
    cases = Case.objects.visible_to(by).open().filter(free_for(by), item__project=project)
    return asked.narrow(cases, by).select_related("item__project")


def behind(cases, after: int):
    passed = Case.objects.filter(pk=after).first()
    if passed is None:
        return [cases]
    later = Q(opened_at__gt=passed.opened_at) | Q(opened_at=passed.opened_at, pk__gt=passed.pk)
    return [cases.filter(later), cases.exclude(pk=passed.pk)]


def hold(case: Case, by: User) -> Case:
    case.held_by = by
    case.held_until = timezone.now() + timedelta(minutes=case.item.project.hold_minutes)
    case.save(update_fields=["held_by", "held_until"])
    return case


@transaction.atomic
def release(*, case: Case, by: User) -> Case:
    """Give the case back; what was written of the ruling stays for whoever wrote it."""
    case = locked_case(case, by)
    if case.held_by_id == by.pk:
        case.held_by = case.held_until = None
        case.save(update_fields=["held_by", "held_until"])
    return case


@transaction.atomic
def keep_draft(*, case: Case, by: User, draft: Data) -> Case:
    """Keep the ruling as far as it is written; this claims the case too. Each adjudicator has a draft of their own."""
    case = claim_case(case=case, by=by)
    before, past = case.draft.get(str(by.pk)), past_of(case, by)
    if before is not None and structure(before) != structure(draft):
        past = [*past, before][-UNDOABLE:]
    return put_draft(case, by, draft, past)


@transaction.atomic
def undo_draft(*, case: Case, by: User, now: Data, start: Data) -> Case:
    """Take back the last choice of the ruling being written, but none of its words; at last the draft is as at the start."""
    case = claim_case(case=case, by=by)
    past = past_of(case, by)
    before = case.draft.get(str(by.pk), start)
    if structure(before) == structure(now):
        before, past = (past[-1], past[:-1]) if past else (start, [])
    return put_draft(case, by, before | words_of(now), past)


def past_of(case: Case, by: User) -> list[Data]:
    return case.draft.get(f"{by.pk}:past", [])


def put_draft(case: Case, by: User, draft: Data, past: list[Data]) -> Case:
    others = {name: value for name, value in case.draft.items() if name.partition(":")[0] != str(by.pk)}
    case.draft = {**others, str(by.pk): draft} | ({f"{by.pk}:past": past} if past else {})
    case.save(update_fields=["draft"])
    return case
