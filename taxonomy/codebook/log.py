"""The log of events and what it folds into. Undo takes one earlier event out, as long as no later one builds on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.codebook.acts import ACTS
from taxonomy.codebook.board import CODE, Board, Node, code_node
from taxonomy.codebook.refusal import Refused

UNDO = "undo"


@dataclass(frozen=True)
class Event:
    number: int
    op: str
    payload: Mapping[str, Any]


def effective(events: Iterable[Event]) -> list[Event]:
    """The events that still count: an undo takes its target out, and is taken out by an undo of its own."""
    kept, undone = [], set()
    for event in sorted(events, key=lambda each: -each.number):
        if event.number in undone:
            continue
        if event.op == UNDO:
            undone.add(event.payload["event"])
        else:
            kept.append(event)
    return kept[::-1]


def fold(codes: Mapping[int, tuple[str, str]], events: Iterable[Event]) -> Board:
    """The board that the coined codes (by id: phrase, definition) and the events, in order, lead to."""
    events = list(events)
    board = Board({code_node(pk): Node(code_node(pk), CODE, *words) for pk, words in sorted(codes.items())})
    for event in effective(events):
        apply(board, event)
    return board


def apply(board: Board, event: Event) -> None:
    """Do one event on this board, or raise Refused and leave it as it was."""
    act = ACTS.get(event.op)
    if act is None:
        raise Refused(f"“{event.op}” is nothing that can be done here", "op")
    if not isinstance(event.payload, Mapping):
        raise Refused("expected an object", "payload")
    act(board, event.number, dict(event.payload))


def check_undo(codes: Mapping[int, tuple[str, str]], events: list[Event], target: int) -> Event:
    """The event that an undo would take out; Refused where it cannot be, naming what builds on it."""
    found = next((event for event in events if event.number == target), None)
    if found is None or found.op in {"start", "freeze"}:
        raise Refused("there is no such act to undo", "event")
    counting = {event.number for event in effective(events)}
    if found.op != UNDO and target not in counting:
        raise Refused("this act was undone already", "event")
    if found.op == UNDO and found.payload["event"] in counting:
        raise Refused("this undo was undone already", "event")
    undo = Event(1 + max(event.number for event in events), UNDO, {"event": target})
    board = fold(codes, [])
    for event in effective([*events, undo]):
        try:
            apply(board, event)
        except Refused as error:
            raise Refused(f"act {event.number} ({event.op}) builds on it; undo that first", "event") from error
    return found


def touched(event: Event) -> frozenset[str]:
    """The cards an event is about, for telling whether two people changed the same thing."""
    payload = event.payload
    named = {payload.get(name) for name in ("node", "into", "to", "key")}
    named |= set(payload.get("nodes") or ()) | set(payload.get("codes") or ())
    if event.op == "group":
        named.add(f"g{event.number}")
    return frozenset(each for each in named if isinstance(each, str))
