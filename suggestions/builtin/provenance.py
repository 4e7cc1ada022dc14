"""Do the values in a call come from somewhere, and are they still true?"""

import re
from collections.abc import Iterator
from typing import Any

from suggestions.builtin.base import Builtin
from suggestions.builtin.facts import Call, Facts
from suggestions.builtin.invocations import has_call
from suggestions.runs import RunStep

# A name somebody must have learned: long enough, in one piece, with a digit in it.
IDENTIFIER = re.compile(r"[#A-Za-z0-9][A-Za-z0-9._@#-]{3,}")
DEEPEST = 12


def leaves(value: Any, path: tuple[str, ...] = (), depth: int = 0) -> Iterator[tuple[tuple[str, ...], str]]:
    """(path, text) of every text and number; list places count as one, since lists are read in any order."""
    if isinstance(value, dict) and depth < DEEPEST:
        for key, item in value.items():
            yield from leaves(item, (*path, str(key)), depth + 1)
    elif isinstance(value, list) and depth < DEEPEST:
        for item in value:
            yield from leaves(item, (*path, "[]"), depth + 1)
    elif isinstance(value, str):
        yield path, value.strip()
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, str(int(value) if isinstance(value, float) and value.is_integer() else value)


def identifiers(call: Call) -> Iterator[tuple[str, str]]:
    for path, text in leaves(call.arguments or {}):
        if IDENTIFIER.fullmatch(text) and any(c.isdigit() for c in text):
            yield "/".join(path), text


def gives_identifiers(facts: Facts, step: RunStep) -> bool:
    return any(True for call in facts.calls.get(step.position, ()) for _ in identifiers(call))


def ungrounded(facts: Facts, step: RunStep) -> dict | None:
    for call in facts.calls[step.position]:
        for path, text in identifiers(call):
            if not facts.was_seen_before(text, step.position):
                told = f"{call.tool} is given {text} as {path}, which stands nowhere before in this run."
                return {"text": told, "tool": call.tool, "argument": path, "value": text}
    return None


def superseded(facts: Facts, step: RunStep) -> dict | None:
    """A value that a later read of the same thing replaced, and that no current read shows."""
    history = readings(facts)
    for call in facts.calls[step.position]:
        for path, text in leaves(call.arguments or {}):
            replaced = history.replaced_before(text, step.position)
            if replaced is not None:
                told = (
                    f"{call.tool} is given {text}, which {replaced.tool} read at an earlier step and no longer shows."
                )
                return {"text": told, "tool": call.tool, "argument": "/".join(path), "value": text}
    return None


class Readings:
    """What successive reads of one thing (tool and arguments) showed, and where a value went out of date."""

    def __init__(self, facts: Facts):
        self._ends: dict[str, tuple[int, Call]] = {}  # value: where it was last seen to be gone
        self._seen: dict[str, int] = {}  # value: the last result that shows it
        self._read(facts)

    def replaced_before(self, value: str, position: int) -> Call | None:
        ended = self._ends.get(value)
        if ended is None or ended[0] >= position or self._seen.get(value, -1) > ended[0]:
            return None
        return ended[1]

    def _read(self, facts: Facts) -> None:
        last: dict[str, set[tuple[tuple[str, ...], str]]] = {}
        for position in sorted(facts.calls):
            for call in facts.calls[position]:
                result = facts.result_of(call)
                if result is None or not isinstance(result.value, dict):
                    continue
                shown = {(path, text) for path, text in leaves(result.value) if len(text) >= 4}
                self._note(last.get(call.signature, set()), shown, result.position, call)
                last[call.signature] = shown

    def _note(self, before: set, now: set, position: int, call: Call) -> None:
        values = {text for _, text in now}
        for text in values:
            self._seen[text] = position
        for _, text in before - now:
            if text not in values:
                self._ends[text] = (position, call)


def readings(facts: Facts) -> Readings:
    if not hasattr(facts, "_readings"):
        facts._readings = Readings(facts)  # type: ignore[attr-defined]
    return facts._readings  # type: ignore[attr-defined]


PROVENANCE = (
    Builtin(
        "identifiers_are_grounded",
        "PROVENANCE",
        ("InventionOfNewInformation",),
        "An identifier given to a tool stands somewhere before: in the task, the policy, what people said or tools told.",
        gives_identifiers,
        ungrounded,
    ),
    Builtin(
        "values_are_current",
        "PROVENANCE",
        ("MisinterpretationOfToolOutput",),
        "A value given to a tool was not replaced by a later read of the same thing.",
        has_call,
        superseded,
    ),
)
