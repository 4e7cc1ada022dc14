"""Who has which item, and until when. A claim is atomic: the item's row is locked while its people are counted."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from annotate.errors import Closed, Frozen, NotHeld, NotYours
from annotate.models import Annotation, Assignment, Item, Membership, Project, Submission
from annotate.policy import require
from people.actions import audit
from people.models import User

IDLE_SECONDS = 90  # a pause longer than this does not count as active time


@dataclass(frozen=True)
class Spent:
    """Active seconds on a step, by position, in a phase."""

    phase: int
    step: int
    seconds: float


@transaction.atomic
def claim_next(*, project: Project, user: User) -> Assignment | None:
    """The item this annotator holds, else a new claim on the next one that wants people; None when nothing is left."""
    require(user, "annotate", project)
    check_is_open(project)
    one_at_a_time(project, user)
    held = Assignment.objects.filter(
        item__project=project, user=user, state=Assignment.State.HELD, held_until__gt=timezone.now()
    ).order_by("claimed_at")
    return held.first() or claim_first_free(project, user)


def check_is_open(project: Project) -> None:
    if project.closed_at is not None:
        raise Closed("this project is closed; nothing is handed out or changed until its lead opens it again")


def one_at_a_time(project: Project, user: User) -> None:
    """Two clicks of one person wait for each other, and so end at one item."""
    mine = Membership.objects.filter(project=project, user=user, role=Membership.Role.ANNOTATOR)
    if mine.select_for_update().first() is None:  # taken from her this moment
        raise NotYours("you are no longer an annotator of this project")


class NoRoom(Exception):
    """Others took the last place at this item a moment ago."""


def claim_first_free(project: Project, user: User) -> Assignment | None:
    """Items that others claim this moment are passed by, and waited for only before saying that nothing is left."""
    return claim_among(project, user, skip_locked=True) or claim_among(project, user, skip_locked=False)


def claim_among(project: Project, user: User, *, skip_locked: bool) -> Assignment | None:
    full: list[int] = []
    while True:
        free = wanting(project, user).exclude(pk__in=full)
        try:
            with transaction.atomic():
                item = free.select_for_update(skip_locked=skip_locked, of=("self",)).first()
                if item is None:
                    return None
                # Counted again under the lock: the query's snapshot may have missed a claim committed since.
                if not has_room(item, user):
                    raise NoRoom
                return hold(item, user)
        except NoRoom:  # undoing the savepoint has let go of the item
            full.append(item.pk)


def wanting(project: Project, user: User):
    """Items that this person may get, begun drafts first, never one she skipped while others remain."""
    mine = Assignment.objects.filter(item=OuterRef("pk"), user=user)
    taken = people_at(OuterRef("pk"), user).values("item").annotate(n=Count("user", distinct=True)).values("n")
    return (
        Item.objects.of(project)
        .may_get(user)
        .annotate(
            begun=Exists(Annotation.objects.filter(item=OuterRef("pk"), user=user)),
            skipped=Exists(mine.filter(state=Assignment.State.SKIPPED)),
            taken=Coalesce(Subquery(taken), 0),
        )
        .filter(taken__lt=F("wanted"))
        .order_by("skipped", "-begun", "order", "pk")
    )


def people_at(item, user: User):
    return Assignment.objects.live().filter(item=item).exclude(user=user).order_by()


def has_room(item: Item, user: User) -> bool:
    return people_at(item, user).values("user").distinct().count() < item.wanted


def hold(item: Item, user: User) -> Assignment:
    """The caller has locked the item and seen that there is room."""
    until = timezone.now() + timedelta(minutes=item.project.hold_minutes)
    Assignment.objects.filter(item=item, user=user, state=Assignment.State.HELD).update(
        state=Assignment.State.EXPIRED, ended_at=timezone.now()
    )
    assignment = Assignment.objects.create(
        item=item, user=user, held_until=until, planned=item.wanted <= item.project.overlap
    )
    Annotation.objects.get_or_create(item=item, user=user, is_current=True)
    return assignment


@transaction.atomic
def claim(*, item: Item, user: User) -> Assignment:
    """This very item: the hold that is there, else a new one if it still wants people."""
    check_is_open(item.project)
    lock(item)
    if held_by(item, user) is not None:
        return renew(item=item, user=user)
    if not is_free_for(item, user):
        raise NotHeld("this run has all the people it wants, or is not for you")
    return hold(item, user)


@transaction.atomic(savepoint=False)
def renew(*, item: Item, user: User) -> Assignment:
    """The hold that is there, prolonged where it ran out and nobody took the place."""
    check_is_open(item.project)
    lock(item)
    held = held_by(item, user)
    if held is None:
        raise NotHeld("you do not hold this run any more; your text stays in this browser")
    if held.held_until > timezone.now():
        return held
    if not is_free_for(item, user):
        raise NotHeld("your hold ran out and others have taken this run; your text stays in this browser")
    held.held_until = timezone.now() + timedelta(minutes=item.project.hold_minutes)
    held.save(update_fields=["held_until"])
    return held


def lock(item: Item) -> None:
    Item.objects.select_for_update().get(pk=item.pk)


def held_by(item: Item, user: User) -> Assignment | None:
    return Assignment.objects.filter(item=item, user=user, state=Assignment.State.HELD).first()


def is_free_for(item: Item, user: User) -> bool:
    return Item.objects.may_get(user).filter(pk=item.pk).exists() and has_room(item, user)


@transaction.atomic
def heartbeat(*, item: Item, user: User, active_seconds: int, spent: Iterable[Spent] = ()) -> Assignment:
    """Prolong the hold. Active time is the client's word, never more than the server's clock allows.

    `spent` says on which steps and in which phase; its parts are made to sum up to what is counted.
    """
    assignment = renew(item=item, user=user)
    now = timezone.now()
    passed = min((now - assignment.seen_at).total_seconds(), IDLE_SECONDS)
    counted = int(max(0, min(active_seconds, passed)))
    assignment.active_seconds += counted
    assignment.spent = with_spent(assignment.spent, list(spent), counted)
    assignment.seen_at = now
    assignment.held_until = now + timedelta(minutes=item.project.hold_minutes)
    assignment.save(update_fields=["active_seconds", "spent", "seen_at", "held_until"])
    return assignment


def with_spent(before: dict, parts: list[Spent], counted: int) -> dict:
    """Seconds by phase and step with these added, shrunk alike where they claim more than was counted."""
    claimed = sum(part.seconds for part in parts)
    share = min(1.0, counted / claimed) if claimed > 0 else 0.0
    after = {phase: dict(steps) for phase, steps in before.items()}
    for part in parts:
        steps = after.setdefault(str(part.phase), {})
        steps[str(part.step)] = round(steps.get(str(part.step), 0) + part.seconds * share, 1)
    return after


@transaction.atomic
def skip(*, item: Item, user: User, reason: str) -> Assignment:
    """Give the item back; the draft stays and is there again if she returns. What was handed in once is not skipped."""
    check_is_open(item.project)
    lock(item)
    turn = held_by(item, user)
    if turn is None:
        raise NotHeld("you do not hold this run")
    if Submission.objects.filter(annotation__item=item, annotation__user=user).exists():
        raise Frozen("you handed this run in once; submit it again, changed or not")
    reason = reason.replace("\0", "\ufffd")[:500]
    turn.state, turn.reason, turn.ended_at = Assignment.State.SKIPPED, reason, timezone.now()
    turn.save(update_fields=["state", "reason", "ended_at"])
    audit("item skipped", item, by=user, project=item.project.slug, reason=reason)
    return turn
