"""The pure heart of annotating: a state, patches that change it, and the fold of a log of revisions.

state = {"failures": {key: failure}, "answers": answers}. A patch has the same two parts: fields to set per failure
(None removes it, an unknown key adds it whole) and answers to set. Every patch has an inverse that takes it back.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

State = dict[str, dict[str, Any]]
Patch = dict[str, dict[str, Any]]

FAILURE: dict[str, Any] = {
    "number": 0,
    "anchor": "step",
    "first_step": None,
    "last_step": None,
    "participant": "",
    "codes": [],
    "category": None,
    "none_fits": False,
    "step_reason": "",
    "category_reason": "",
    "evidence": [],
    "is_omission": False,
    "cause": None,
    "repeats": None,
    "effect": "",
    "recovered_at": None,
    "recovered_by": "",
    "suggested_by": "",
}
ANSWERS: dict[str, Any] = {
    "outcome": "",
    "critical": None,
    "confidence": None,
    "reason_for_root_cause": "",
    "failure_summary": "",
}
UNDO, REDO = "undo", "redo"
UNDO_DEPTH = 200  # changes that can be taken back; more would make every save slower as a history grows
LIFECYCLE = {"submit", "reopen", "recode"}
NOTES = {"reveal", "dismiss"}  # said about suggestions: they change no mark, so there is nothing to take back


class Logged(Protocol):
    """What the fold needs of a revision."""

    number: int
    op: str
    patch: Any
    inverse: Any


@dataclass
class Folded:
    state: State = field(default_factory=lambda: empty_state())
    undoable: list[int] = field(default_factory=list)
    redoable: list[int] = field(default_factory=list)


def empty_state() -> State:
    return {"failures": {}, "answers": deepcopy(ANSWERS)}


def new_failure(**fields: Any) -> dict[str, Any]:
    return {**deepcopy(FAILURE), **fields}


def apply(state: State, patch: Patch) -> tuple[State, Patch]:
    """The state after the patch, and the patch that takes it back. Neither argument is changed."""
    failures, inverse = dict(state["failures"]), {}
    for key, fields in patch.get("failures", {}).items():
        before = failures.get(key)
        if fields is None:
            inverse[key] = failures.pop(key, None)
        elif before is None:
            failures[key], inverse[key] = new_failure(**fields), None
        else:
            failures[key] = {**before, **fields}
            inverse[key] = {name: before[name] for name in fields}
    answers = patch.get("answers", {})
    undone = {name: state["answers"][name] for name in answers}
    return {"failures": failures, "answers": {**state["answers"], **answers}}, {"failures": inverse, "answers": undone}


def moved(op: str, number: int, undoable: list[int], redoable: list[int]) -> tuple[list[int], list[int]]:
    """The two stacks after revision `number`: undo and redo move a revision across, anything else starts anew."""
    if op == UNDO:
        return undoable[:-1], [*redoable, undoable[-1]]
    if op == REDO:
        return [*undoable, redoable[-1]], redoable[:-1]
    if op in LIFECYCLE:
        return [], []
    if op in NOTES:
        return undoable, redoable
    return [*undoable, number][-UNDO_DEPTH:], []


def fold(revisions: Iterable[Logged]) -> Folded:
    """The state and the undo stacks that a log of revisions, in order, leads to."""
    folded = Folded()
    for revision in revisions:
        folded.state, _ = apply(folded.state, revision.patch)
        folded.undoable, folded.redoable = moved(revision.op, revision.number, folded.undoable, folded.redoable)
    return folded
