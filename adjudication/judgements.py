"""What the measures read: judgements of items by annotators, free of storage."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import combinations, pairwise
from typing import Literal

Outcome = Literal["critical", "all_recovered_or_harmless", "no_failure", "cannot_tell"]
OUTCOME_WORDS: dict[str, str] = {
    "critical": "critical failure",
    "all_recovered_or_harmless": "all recovered or harmless",
    "no_failure": "no failure found",
    "cannot_tell": "cannot tell",
}
NOT_PEOPLE = frozenset({"model", "injected", "oracle"})
TRAILING_NOTE = re.compile(r"\s*\([^()]*\)\s*$")


class UnknownItem(ValueError):
    def __init__(self, item_id: str) -> None:
        super().__init__(f"a judgement names item {item_id!r}, which is not part of the study")
        self.item_id = item_id


class JudgedTwice(ValueError):
    def __init__(self, item_id: str, annotator: str) -> None:
        super().__init__(f"{annotator} has two judgements of item {item_id}; one current judgement was expected")
        self.item_id, self.annotator = item_id, annotator


class OutsideTheRun(ValueError):
    def __init__(self, item_id: str, annotator: str, position: int, n_steps: int) -> None:
        super().__init__(f"{annotator} names position {position} of item {item_id}, which has {n_steps} steps from 0")
        self.item_id, self.annotator, self.position, self.n_steps = item_id, annotator, position, n_steps


@dataclass(frozen=True, slots=True)
class Mark:
    """One failure of a judgement; position is None where it is anchored to the task, a policy or the tools."""

    position: int | None
    participant: str | None = None
    category: str | None = None
    is_critical: bool = False
    step_reason: str = ""
    category_reason: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One annotator's current judgement of one item. Positions are 0-based over the steps; None is "not answered"."""

    item_id: str
    annotator: str
    process: str
    exhaustive: bool
    definition: str
    outcome: Outcome | None
    critical_position: int | None = None
    participant: str | None = None
    category: str | None = None
    failure_positions: frozenset[int] = frozenset()
    marks: tuple[Mark, ...] = ()
    confidence: float | None = None
    submitted_at: datetime | None = None
    reason: str = ""
    summary: str = ""
    id: str = ""

    @property
    def by_a_person(self) -> bool:
        return self.process not in NOT_PEOPLE

    @property
    def mark_positions(self) -> tuple[int, ...]:
        """Sorted, and with repeats: two failures at one step are two marks."""
        marked = [mark.position for mark in self.marks if mark.position is not None]
        return tuple(sorted(marked or self.failure_positions))


@dataclass(frozen=True, slots=True)
class ItemFacts:
    item_id: str
    trajectory: str
    n_steps: int
    cluster: str
    domain: str = ""
    source: str = ""


def participant_key(name: str, aliases: Mapping[str, str] | None = None) -> str:
    """The name under which participants are compared: "Websurfer" and "WebSurfer (final)" are one."""
    key = TRAILING_NOTE.sub("", name).strip().casefold()
    return (aliases or {}).get(key, key)


@dataclass(frozen=True)
class Study:
    """Items and the judgements of them. One judgement per annotator and item, every position inside its run."""

    items: tuple[ItemFacts, ...]
    judgements: tuple[Judgement, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        unknown = {judgement.item_id for judgement in self.judgements}.difference(item.item_id for item in self.items)
        if unknown:
            raise UnknownItem(min(unknown))
        for item, judgements in self.judged:
            for before, judgement in pairwise(judgements):
                if before.annotator == judgement.annotator:
                    raise JudgedTwice(item.item_id, judgement.annotator)
            for judgement in judgements:
                _require_inside(judgement, item.n_steps)

    @classmethod
    def of(cls, items: Iterable[ItemFacts], judgements: Iterable[Judgement], **more) -> "Study":
        return cls(tuple(items), tuple(judgements), **more)

    @cached_property
    def judged(self) -> list[tuple[ItemFacts, list[Judgement]]]:
        """Every item with its judgements in the order of the annotators' names; items in the order of their ids."""
        by_item: dict[str, list[Judgement]] = defaultdict(list)
        for judgement in sorted(self.judgements, key=lambda judgement: judgement.annotator):
            by_item[judgement.item_id].append(judgement)
        return [(item, by_item[item.item_id]) for item in sorted(self.items, key=lambda item: item.item_id)]

    def pair_counts(self) -> dict[tuple[str, str], int]:
        """For each two annotators the number of items that both judged."""
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for _, judgements in self.judged:
            for a, b in combinations(judgements, 2):
                counts[a.annotator, b.annotator] += 1
        return dict(sorted(counts.items()))


def _require_inside(judgement: Judgement, n_steps: int) -> None:
    named = [judgement.critical_position, *judgement.failure_positions, *(mark.position for mark in judgement.marks)]
    outside = [position for position in named if position is not None and not 0 <= position < n_steps]
    if outside:
        raise OutsideTheRun(judgement.item_id, judgement.annotator, min(outside), n_steps)
