"""Who has which item, and until when. A claim is atomic: the item's row is locked while its people are counted."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from annotate.errors import Closed, NotHeld
from annotate.models import Annotation, Assignment, Item, Project
from annotate.policy import require
from people.actions import audit
from people.models import User

IDLE_SECONDS = 90  # a pause longer than this does not count as active time


def claim_next(*, project: Project, user: User) -> Assignment | None:
    """The item this annotator holds, else a new claim on the next one that wants people; None when nothing is left."""
    require(user, "annotate", project)
    if project.closed_at is not None:
        raise Closed("this project is closed; nothing is handed out any more")
    held = Assignment.objects.filter(
        item__project=project, user=user, state=Assignment.State.HELD, held_until__gt=timezone.now()
    ).order_by("claimed_at")
    return held.first() or claim_first_free(project, user)


def claim_first_free(project: Project, user: User) -> Assignment | None:
    passed: list[int] = []
    while True:
        with transaction.atomic():
            item = (
                wanting(project, user).exclude(pk__in=passed).select_for_update(skip_locked=True, of=("self",)).first()
            )
            if item is None:
                return None
            # Counted under the lock: an earlier snapshot may have missed a claim that was just committed.
            if has_room(item, user):
                return hold(item, user)
        passed.append(item.pk)


def wanting(project: Project, user: User):
    """Items that this person may get, begun drafts first, never one she skipped while others remain."""
    mine = Assignment.objects.filter(item=OuterRef("pk"), user=user)
    return (
        Item.objects.of(project)
        .may_get(user)
        .annotate(
            begun=Exists(Annotation.objects.filter(item=OuterRef("pk"), user=user)),
            skipped=Exists(mine.filter(state=Assignment.State.SKIPPED)),
        )
        .order_by("skipped", "-begun", "order", "pk")
    )


def has_room(item: Item, user: User) -> bool:
    others = Assignment.objects.live().filter(item=item).exclude(user=user)
    return others.values("user").distinct().count() < item.wanted


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
    """This very item: the hold that is there, renewed where it ran out and nobody took the place."""
    Item.objects.select_for_update().get(pk=item.pk)
    held = Assignment.objects.filter(item=item, user=user, state=Assignment.State.HELD).first()
    if held is not None and held.held_until > timezone.now():
        return held
    if not Item.objects.may_get(user).filter(pk=item.pk).exists() or not has_room(item, user):
        raise NotHeld("your hold ran out and others have taken this run; your text stays in this browser")
    if held is None:
        return hold(item, user)
    held.held_until = timezone.now() + timedelta(minutes=item.project.hold_minutes)
    held.save(update_fields=["held_until"])
    return held


@transaction.atomic
def heartbeat(*, item: Item, user: User, active_seconds: int) -> Assignment:
    """Renew the hold. Active time is the client's word, never more than the server's clock allows."""
    assignment = claim(item=item, user=user)
    now = timezone.now()
    passed = min((now - assignment.seen_at).total_seconds(), IDLE_SECONDS)
    assignment.active_seconds += int(max(0, min(active_seconds, passed)))
    assignment.seen_at = now
    assignment.held_until = now + timedelta(minutes=item.project.hold_minutes)
    assignment.save(update_fields=["active_seconds", "seen_at", "held_until"])
    return assignment


@transaction.atomic
def skip(*, item: Item, user: User, reason: str) -> Assignment:
    """Give the item back; the draft stays and is there again if she returns."""
    assignment = Assignment.objects.select_for_update().filter(item=item, user=user, state="held").first()
    if assignment is None:
        raise NotHeld("you do not hold this run")
    assignment.state, assignment.reason, assignment.ended_at = Assignment.State.SKIPPED, reason[:500], timezone.now()
    assignment.save(update_fields=["state", "reason", "ended_at"])
    audit("item skipped", item, by=user, project=item.project.slug, reason=reason[:500])
    return assignment
