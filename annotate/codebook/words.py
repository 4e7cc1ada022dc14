"""Acts of the codebook as sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.codebook import Board, effective
from taxonomy.codebook.log import UNDO
from taxonomy.models import CodeEvent, Proposal
from taxonomy.queries import log_of

MOST_OF_A_NAME = 80


@dataclass(frozen=True)
class Line:
    """An event as the history shows it."""

    event: CodeEvent
    sentence: str
    is_undone: bool
    can_undo: bool


def history(rows: list[CodeEvent], board: Board, shown: frozenset[str]) -> list[Line]:
    """Newest first; acts on cards the reader may not see are left out."""
    counting = {event.number for event in effective(log_of(rows))}
    by_number = {row.number: row for row in rows}
    lines = []
    for row in reversed(rows):
        target = by_number[row.payload["event"]] if row.op == UNDO else row
        if not cards_in(target) <= shown:
            continue
        is_undone = row.op != UNDO and row.number not in counting
        can_undo = row.op not in {"start", "freeze"} and not is_undone
        can_undo = can_undo and (row.op != UNDO or target.number not in counting)
        lines.append(Line(row, sentence(row, board, by_number), is_undone, can_undo))
    return lines


def cards_in(row: CodeEvent | Proposal) -> frozenset[str]:
    """The cards an event was about when it was done; what it made came later."""
    payload = row.payload
    named = {payload.get("node"), payload.get("into"), payload.get("to")}
    named |= set(payload.get("nodes") or ()) | set(payload.get("codes") or ())
    return frozenset(each for each in named if isinstance(each, str))


def sentence(row: CodeEvent | Proposal, board: Board, by_number: Mapping[int, CodeEvent]) -> str:
    payload = row.payload
    if row.op == UNDO:
        target = by_number[payload["event"]]
        return f"Undid act {target.number}: {sentence(target, board, by_number)}"
    return SENTENCES[row.op](payload, board)


def wish(proposal: Proposal, board: Board) -> str:
    """The same sentence for an act that is only asked for."""
    first, rest = sentence(proposal, board, {}).split(" ", 1)
    return f"{WISHES[first]} {rest}"


def names(board: Board, ids: Iterable[Any]) -> str:
    found = [f"“{clipped(board.nodes[each].name)}”" if each in board.nodes else "a card" for each in ids]
    if len(found) > 4:
        return f"{', '.join(found[:3])} and {len(found) - 3} more"
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def clipped(name: str) -> str:
    return name if len(name) <= MOST_OF_A_NAME else f"{name[:MOST_OF_A_NAME].rstrip()}…"


def merged(payload: dict, board: Board) -> str:
    others = [each for each in payload["nodes"] if each != payload["into"]]
    return f"Merged {names(board, others)} into {names(board, [payload['into']])}."


def split(payload: dict, board: Board) -> str:
    parts = " and ".join(f"“{part['name']}”" for part in payload["parts"])
    rule = payload.get("rule")
    return f"Split {names(board, [payload['node']])} into {parts}" + (f": {rule.rstrip('.')}." if rule else ".")


def promoted(payload: dict, board: Board) -> str:
    to = names(board, [payload["into"]]) if payload.get("into") else f"a category, “{payload['name']}”"
    return f"Promoted {names(board, payload['nodes'])} into {to}."


def moved(payload: dict, board: Board) -> str:
    to = f"to {names(board, [payload['to']])}" if payload.get("to") else "out of its group and category"
    return f"Moved {names(board, payload['nodes'])} {to}."


SENTENCES = {
    "start": lambda payload, board: f"Began with {len(payload['categories'])} categories of a preset.",
    "freeze": lambda payload, board: f"Froze version {payload['version']}.",
    "group": lambda payload, board: f"Grouped {names(board, payload['nodes'])} as “{payload['name']}”.",
    "merge": merged,
    "split": split,
    "rename": lambda payload, board: f"Renamed a card to “{payload['name']}”.",
    "describe": lambda payload, board: (
        f"Changed {', '.join(sorted(each.replace('_', ' ') for each in payload['fields']))} of "
        f"{names(board, [payload['node']])}."
    ),
    "promote": promoted,
    "move": moved,
    "demote": lambda payload, board: f"Took {names(board, [payload['node']])} out of the categories.",
    "retire": lambda payload, board: f"Retired {names(board, payload['nodes'])}.",
}
WISHES = {
    "Grouped": "Group",
    "Merged": "Merge",
    "Split": "Split",
    "Promoted": "Promote",
    "Moved": "Move",
    "Renamed": "Rename",
    "Changed": "Change",
    "Took": "Take",
    "Retired": "Retire",
}
