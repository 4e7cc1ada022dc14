"""One act on the codebook: one event, with who, why and a way back."""

from typing import Any

from django.db import transaction

from people.actions import audit
from people.models import User
from taxonomy.codebook import Event, Refused, fold, touched
from taxonomy.codebook.acts import OF_PEOPLE
from taxonomy.codebook.log import UNDO, apply, check_undo
from taxonomy.models import CodeEvent, Taxonomy
from taxonomy.queries import codes_of, log_of

MAX_REASON = 2000


class Conflict(Exception):
    """Somebody else changed the same cards since; `since` are the events the actor has not seen."""

    def __init__(self, since: list[CodeEvent]):
        names = " and ".join(sorted({event.by.username for event in since}))
        super().__init__(
            f"{names} changed this meanwhile; look at it again and repeat your act if it still makes sense"
        )
        self.since = since


@transaction.atomic
def act(*, taxonomy: Taxonomy, op: str, payload: Any, reason: str, base: int, by: User) -> CodeEvent:
    """Do `op` on the board. `base` is the last event its actor saw.

    What others did since stays done: acts on other cards go through, on the same ones they raise Conflict.
    Raises Refused where the act makes no sense.
    """
    if op not in OF_PEOPLE:
        raise Refused(f"“{op}” is nothing that can be done here", "op")
    rows = locked_events(taxonomy)
    events, since = log_of(rows), [row for row in rows if row.number > base]
    event = Event(next_number(rows), op, payload)
    if not isinstance(payload, dict):
        raise Refused("expected an object", "payload")
    check_overlap(event, since, events)
    try:
        apply(fold(codes_of(taxonomy), events), event)
    except Refused as error:
        if since:
            raise Conflict(since) from error
        raise
    return append(taxonomy, event, reason, by)


@transaction.atomic
def undo(*, taxonomy: Taxonomy, event: int, reason: str, base: int, by: User) -> CodeEvent:
    """Take one earlier act back; an undo can be undone. Raises Refused where a later act builds on it."""
    rows = locked_events(taxonomy)
    events, since = log_of(rows), [row for row in rows if row.number > base]
    wanted = Event(next_number(rows), UNDO, {"event": event})
    check_overlap(wanted, since, events)
    check_undo(codes_of(taxonomy), events, event)
    return append(taxonomy, wanted, reason, by)


def locked_events(taxonomy: Taxonomy) -> list[CodeEvent]:
    """Acts on one taxonomy come one after the other."""
    Taxonomy.objects.select_for_update().get(pk=taxonomy.pk)
    return list(CodeEvent.objects.filter(taxonomy=taxonomy).select_related("by").order_by("number"))


def next_number(rows: list[CodeEvent]) -> int:
    return rows[-1].number + 1 if rows else 1


def check_overlap(event: Event, since: list[CodeEvent], events: list[Event]) -> None:
    cards = cards_of(event, events)
    clash = [row for row, seen in zip(since, log_of(since), strict=True) if cards & cards_of(seen, events)]
    if clash:
        raise Conflict(clash)


def cards_of(event: Event, events: list[Event]) -> frozenset[str]:
    """The cards an event changes; those of an undo are its target's."""
    seen = set()
    while event.op == UNDO and event.number not in seen:
        seen.add(event.number)
        event = next((each for each in events if each.number == event.payload["event"]), event)
    return touched(event)


def append(taxonomy: Taxonomy, event: Event, reason: str, by: User) -> CodeEvent:
    if not isinstance(reason, str) or len(reason) > MAX_REASON:
        raise Refused(f"a reason is text of at most {MAX_REASON:,} characters", "reason")
    row = CodeEvent.objects.create(
        taxonomy=taxonomy, number=event.number, op=event.op, payload=event.payload, reason=reason.strip(), by=by
    )
    audit(f"codebook: {event.op}", row, by=by, project=taxonomy.slug, number=event.number)
    return row
