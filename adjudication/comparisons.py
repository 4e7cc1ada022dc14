"""What the exhaustive annotations of an item mark, compared two by two; the pairs of many items at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from adjudication.judgements import ItemFacts, Judgement
from adjudication.ratings import pairs_within

WITHIN = (0, 1, 3, 5)
Row = tuple[ItemFacts, list[Judgement]]


class SetComparison(NamedTuple):
    """Of one item; means are over the pairs of its annotations."""

    n_pairs: int
    differing: float  # ordered pairs of annotators that differ on a step, summed over the steps, over (people − 1)
    unmarked: int
    marked: int
    masi: float
    f1_0: float  # at the reaches of WITHIN
    f1_1: float
    f1_3: float
    f1_5: float


@dataclass
class Comparisons:
    """The comparisons of a study by item; those that are kept from before are taken, the others made and counted.

    `positions` are the sorted marks of judgements that do not carry their own, by the judgement's id.
    """

    kept: Mapping[str, SetComparison | None] = field(default_factory=dict)
    positions: Mapping[str, Sequence[int | None]] = field(default_factory=dict)
    made: dict[str, SetComparison | None] = field(default_factory=dict)

    def of(self, rows: Iterable[Row]) -> list[tuple[ItemFacts, SetComparison]]:
        """Those of items of which two or more annotations are exhaustive."""
        rows = list(rows)
        self.made |= compared([row for row in rows if row[0].item_id not in self.kept], self.positions)
        known = {**self.kept, **self.made}
        return [(item, of) for item, _ in rows if (of := known[item.item_id]) is not None]


@dataclass(frozen=True)
class Lists:
    """Many sorted lists of positions, end to end."""

    positions: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> "Lists":
        sizes = np.array([len(each) for each in lists], dtype=np.int64)
        return cls(np.fromiter(chain.from_iterable(lists), np.int64, sizes.sum()), sizes)

    @property
    def ends(self) -> np.ndarray:
        return np.cumsum(self.sizes)


def compared(
    rows: Sequence[Row], positions: Mapping[str, Sequence[int | None]] | None = None
) -> dict[str, SetComparison | None]:
    """By item; None where fewer than two annotations are exhaustive."""
    found: dict[str, SetComparison | None] = {item.item_id: None for item, _ in rows}
    rows = [(item, own) for item, judgements in rows if len(own := exhaustive(judgements)) > 1]
    judgements = [judgement for _, own in rows for judgement in own]
    people = np.array([len(own) for _, own in rows], dtype=np.int64)
    n_steps = np.array([item.n_steps for item, _ in rows], dtype=np.int64)
    row = np.repeat(np.arange(len(rows)), people)
    left, right = pairs_within(row)
    sets = Lists.of([sorted(judgement.failure_positions) for judgement in judgements])
    marks = Lists.of([marks_of(judgement, positions or {}) for judgement in judgements])
    n_pairs = people * (people - 1) // 2

    def total(values: np.ndarray, of: np.ndarray = row[left]) -> np.ndarray:
        return np.bincount(of, weights=values, minlength=len(rows))

    marked = total(sets.sizes, row).astype(np.int64)
    columns = (
        n_pairs.tolist(),
        (2 * total(differing(sets, left, right)) / (people - 1)).tolist(),
        (people * n_steps - marked).tolist(),
        marked.tolist(),
        (total(masi(sets, left, right)) / n_pairs).tolist(),
        *((total(f1(marks, left, right, k)) / n_pairs).tolist() for k in WITHIN),
    )
    made = (SetComparison(*each) for each in zip(*columns, strict=True))
    return found | {item.item_id: each for (item, _), each in zip(rows, made, strict=True)}


def exhaustive(judgements: Sequence[Judgement]) -> list[Judgement]:
    return [judgement for judgement in judgements if judgement.exhaustive]


def marks_of(judgement: Judgement, positions: Mapping[str, Sequence[int | None]]) -> Sequence[int]:
    known = positions.get(judgement.id)
    if known is None:
        return judgement.mark_positions
    return [position for position in known if position is not None] or sorted(judgement.failure_positions)


def differing(sets: Lists, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Steps that one of the two marks and the other does not."""
    return sets.sizes[left] + sets.sizes[right] - 2 * matched(sets, left, right, 0)


def masi(sets: Lists, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Passonneau's measuring agreement on set-valued items; two empty sets are the same answer."""
    a, b, shared = sets.sizes[left], sets.sizes[right], matched(sets, left, right, 0)
    either = a + b - shared
    overlap = shared / np.maximum(either, 1) * np.where(shared == np.minimum(a, b), 2 / 3, 1 / 3)
    return np.where(shared == either, 1.0, overlap)


def f1(marks: Lists, left: np.ndarray, right: np.ndarray, k: int) -> np.ndarray:
    """F1 of two lists of marks, paired one to one so that as many as possible lie within ±k."""
    both = marks.sizes[left] + marks.sizes[right]
    return np.where(both == 0, 1.0, 2 * matched(marks, left, right, k) / np.maximum(both, 1))


def matched(lists: Lists, left: np.ndarray, right: np.ndarray, k: int) -> np.ndarray:
    """Size of the largest one-to-one matching within ±k; on a line, taking the earliest fit is optimal.

    All pairs walk their two lists abreast; who has come to an end steps out.
    """
    starts, ends = lists.ends - lists.sizes, lists.ends
    i, j, found = starts[left], starts[right], np.zeros(len(left), dtype=np.int64)
    walking = np.flatnonzero((i < ends[left]) & (j < ends[right]))
    while len(walking):
        a, b = lists.positions[i[walking]], lists.positions[j[walking]]
        fit = np.abs(a - b) <= k
        found[walking] += fit
        i[walking] += fit | (a < b)
        j[walking] += fit | (a > b)
        walking = walking[(i[walking] < ends[left[walking]]) & (j[walking] < ends[right[walking]])]
    return found
