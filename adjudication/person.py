"""How one annotator's answers compare: with those of others, and with what was ruled."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from adjudication.agreement import answer_to
from adjudication.critical_step import floor_within
from adjudication.judgements import ItemFacts, Judgement, Study
from adjudication.worded import worded

NEAR = 3
CHUNKS = 8
CHUNK_AT_LEAST = 5
Alike = Callable[[Any, Any], bool]


@dataclass(frozen=True, slots=True)
class Share:
    """A mean over runs, each of which weighs 1; None without any."""

    n: int
    value: float | None
    chance: float | None = None

    @classmethod
    def of(cls, likeness: Sequence[float], chance: Sequence[float] = ()) -> "Share":
        return cls(len(likeness), mean(likeness), mean(chance))


@dataclass(frozen=True, slots=True)
class Shares:
    exact: Share
    near: Share
    agent: Share
    category: Share
    outcome: Share


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some of her runs in a row, in the order in which she submitted them."""

    first: int
    last: int
    since: datetime | None
    share: Share


Row = tuple[ItemFacts, Judgement, list[Judgement]]


def rows_of(study: Study, annotator: str) -> list[Row]:
    """The runs that she and at least one other judged, in the order of her submissions."""
    found = []
    for item, judgements in study.judged:
        own = next((j for j in judgements if j.annotator == annotator), None)
        others = [j for j in judgements if j.annotator != annotator and j.by_a_person]
        if own is not None and others:
            found.append((item, own, others))
    return sorted(found, key=lambda row: (row[1].submitted_at is None, row[1].submitted_at, row[0].item_id))


def with_gold(study: Study, annotator: str, ruled: Mapping[str, Judgement]) -> list[Row]:
    """The same with the ruling, as a judgement, in the place of the others."""
    own = [(item, j) for item, judgements in study.judged for j in judgements if j.annotator == annotator]
    return [(item, judgement, [ruled[item.item_id]]) for item, judgement in own if item.item_id in ruled]


def shares(rows: Iterable[Row], study: Study) -> Shares:
    rows = list(rows)

    def named(question: str) -> Share:
        return share(rows, answer_to(question, study), same)

    return Shares(
        exact=share(rows, critical, same, reach=0),
        near=share(rows, critical, lambda a, b: abs(a - b) <= NEAR, reach=NEAR),
        agent=named("agent"),
        category=named("category"),
        outcome=named("outcome"),
    )


def by_category(rows: Iterable[Row], study: Study, names: Mapping[str, str]) -> list[tuple[str, Share]]:
    """For each category she named and somebody could have named too: how often the others did."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row[1].category:
            found.setdefault(row[1].category, []).append(row)
    told = [
        (worded(key, "category", names), share(own, answer_to("category", study), same)) for key, own in found.items()
    ]
    return sorted(((name, each) for name, each in told if each.n), key=lambda pair: pair[0])


def over_time(rows: Sequence[Row]) -> list[Chunk]:
    """Exact agreement on the critical step, in at most CHUNKS parts of at least CHUNK_AT_LEAST runs."""
    size = max(CHUNK_AT_LEAST, -(-len(rows) // CHUNKS))
    starts = range(0, len(rows), size)
    parts = [rows[start : start + size] for start in starts]
    return [
        Chunk(start + 1, start + len(part), part[0][1].submitted_at, share(part, critical, same, reach=0))
        for start, part in zip(starts, parts, strict=True)
    ]


def share(rows: Iterable[Row], answer: Callable[[Judgement], Any], alike: Alike, reach: int | None = None) -> Share:
    likeness, chance = [], []
    for item, own, others in rows:
        mine, theirs = answer(own), [value for other in others if (value := answer(other)) is not None]
        if mine is None or not theirs:
            continue
        likeness.append(sum(alike(mine, value) for value in theirs) / len(theirs))
        if reach is not None:
            chance.append(float(floor_within(np.array([item.n_steps]), reach)[0]))
    return Share.of(likeness, chance)


def critical(judgement: Judgement) -> int | None:
    return judgement.critical_position


def same(a: Any, b: Any) -> bool:
    return a == b


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def ruled_judgement(item_id: str, values: Mapping[str, Any]) -> Judgement:
    """The gold of one item, by field, as something answers can be compared with."""
    return Judgement(
        item_id=item_id,
        annotator="",
        process="human_consensus",
        exhaustive=True,
        definition="",
        outcome=values.get("outcome"),
        critical_position=values.get("critical_step"),
        participant=values.get("participant") or None,
        category=values.get("category") or None,
    )
