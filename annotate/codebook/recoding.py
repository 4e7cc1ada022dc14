"""What a failure's category is under another version, or why somebody has to say. Pure.

Recoding maps categories, never steps: the mark and what its annotator called it stay as they are.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from taxonomy.codebook import Board, Lost
from taxonomy.codebook.board import SPLIT

BY_CODES, FOLLOWED, BY_HAND = "codes", "mapping", "by hand"
UNMAPPED, AMBIGUOUS, NOT_PROMOTED = "unmapped", "ambiguous", "not_promoted"


@dataclass(frozen=True)
class Marked:
    """What is known of a failure: its codes, and its category under the version before (None: none was given)."""

    mark: str
    codes: tuple[int, ...] = ()
    category: str | None = None
    by_codes: bool = False  # nobody chose the category: its codes had been promoted into it
    none_fits: bool = False
    answered_here: bool = False  # under this very version: what its annotator said then stands


@dataclass(frozen=True)
class Coded:
    category: str
    how: str


@dataclass(frozen=True)
class Unclear:
    """Somebody has to say. `choices` are the categories it may have become; none means any."""

    why: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class StillNone:
    """Its annotator found that no category fits, and none has grown out of its codes since."""


Decision = Coded | Unclear | StillNone


def decide(board: Board, marked: Marked) -> Decision:
    """`board` is the codebook as the version froze it. Every failure gets exactly one decision."""
    if marked.none_fits and marked.answered_here:
        return StillNone()
    grown = in_order(board.category_of(code, marked.mark) for code in marked.codes)
    if marked.category is None or marked.by_codes:
        if len(grown) == 1:
            return Coded(grown[0], BY_CODES)
        if grown:
            return Unclear(AMBIGUOUS, grown)
        if marked.category is None:
            return StillNone() if marked.none_fits else Unclear(NOT_PROMOTED)
    return followed(board, marked, grown)


def followed(board: Board, marked: Marked, grown: tuple[str, ...]) -> Decision:
    assert marked.category is not None
    found = board.follow(marked.category, marked.mark)
    if not isinstance(found, Lost):
        return Coded(found, FOLLOWED)
    if found.why != SPLIT:
        return Unclear(UNMAPPED)
    among = [each for each in grown if each in found.choices]
    if len(among) == 1:
        return Coded(among[0], BY_CODES)
    return Unclear(AMBIGUOUS, found.choices) if found.choices else Unclear(UNMAPPED)


def in_order(keys: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for key in keys if key is not None))
