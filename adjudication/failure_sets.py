"""Agreement on which steps fail, between exhaustive annotations only.

No percent: most steps of most runs are marked by nobody, and agreement on them would drown the rest.
What two annotators of one item marked is compared once; everything else is a sum of those comparisons.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from adjudication.alpha import alpha_from_sums, published_alpha
from adjudication.bootstrap import Bootstrap, Statistic, mean_of
from adjudication.figures import figures, undefined
from adjudication.judgements import ItemFacts, Judgement, Study

WITHIN = (0, 1, 3, 5)
# Beyond so many marked-or-not answers α is our own, from the comparisons alone: the package would read every step.
ANSWERS_AT_MOST = 100_000
Row = tuple[ItemFacts, list[Judgement]]


@dataclass(frozen=True, slots=True)
class SetComparison:
    """What the exhaustive annotations of one item mark, compared; means are over their pairs."""

    n_pairs: int
    differing: float  # ordered pairs of annotators that differ on a step, summed over the steps, over (people − 1)
    unmarked: int
    marked: int
    masi: float
    f1: tuple[float, ...]  # at the reaches of WITHIN

    def as_json(self) -> list:
        return [self.n_pairs, self.differing, self.unmarked, self.marked, self.masi, list(self.f1)]

    @classmethod
    def from_json(cls, kept: Sequence) -> "SetComparison":
        *numbers, f1 = kept
        return cls(*numbers, f1=tuple(f1))


@dataclass
class Comparisons:
    """The comparisons of a study by item; those that are kept from before are taken, the others made and counted.

    `positions` are the marks of judgements that do not carry their own, by the judgement's id.
    """

    kept: Mapping[str, SetComparison | None] = field(default_factory=dict)
    positions: Mapping[str, Sequence[int | None]] = field(default_factory=dict)
    made: dict[str, SetComparison | None] = field(default_factory=dict)

    def of(self, item: ItemFacts, judgements: Sequence[Judgement]) -> SetComparison | None:
        if item.item_id in self.kept:
            return self.kept[item.item_id]
        if item.item_id not in self.made:
            self.made[item.item_id] = compared(item, judgements, self.positions)
        return self.made[item.item_id]


def compared(
    item: ItemFacts, judgements: Sequence[Judgement], positions: Mapping[str, Sequence[int | None]] | None = None
) -> SetComparison | None:
    """None where fewer than two annotations are exhaustive."""
    found = _exhaustive(judgements)
    if len(found) < 2:
        return None
    pairs = list(combinations(found, 2))
    marks = {judgement.annotator: _marks(judgement, positions or {}) for judgement in found}
    differing, unmarked, marked = _step_sums(item.n_steps, found)
    return SetComparison(
        n_pairs=len(pairs),
        differing=differing,
        unmarked=unmarked,
        marked=marked,
        masi=sum(masi(a.failure_positions, b.failure_positions) for a, b in pairs) / len(pairs),
        f1=tuple(sum(f1(marks[a.annotator], marks[b.annotator], k) for a, b in pairs) / len(pairs) for k in WITHIN),
    )


def failure_steps(
    study: Study, bootstrap: Bootstrap, comparisons: Comparisons | None = None, published: bool = True
) -> dict[str, Any]:
    comparisons = comparisons or Comparisons()
    rows = [(item, of) for item, judgements in study.judged if (of := comparisons.of(item, judgements)) is not None]
    head = {"n": len(rows), "n_pairs": sum(of.n_pairs for _, of in rows)}
    if not rows:
        why = why_not_pairable(study)
        names = ("alpha", "alpha_each_trajectory_weighs_1", "masi")
        return head | {"undefined": why} | {name: undefined(why) for name in names} | {"f1": {}}
    found = [of for _, of in rows]
    told = figures(
        [item for item, _ in rows],
        {
            "alpha": step_alpha(found),
            "alpha_each_trajectory_weighs_1": step_alpha(found, each_weighs_1=True),
            "masi": mean_of(np.array([of.masi for of in found])),
        }
        | {f"f1_{k}": mean_of(np.array([of.f1[place] for of in found])) for place, k in enumerate(WITHIN)},
        bootstrap,
        why_undefined=dict.fromkeys(("alpha", "alpha_each_trajectory_weighs_1"), _one_value_only(found)),
        published=_published(study, found) if published else None,
    )
    by_reach = {str(k): told.pop(f"f1_{k}") for k in WITHIN}
    return head | told | {"f1": by_reach}


def why_not_pairable(study: Study) -> str:
    partial = sorted({j.annotator for j in study.judgements if not j.exhaustive})
    if not partial:
        return "no trajectory has two exhaustive annotations"
    return f"{' and '.join(partial)} {'is' if len(partial) == 1 else 'are'} not exhaustive"


def step_alpha(found: Sequence[SetComparison], each_weighs_1: bool = False) -> Statistic:
    """α nominal of "marked or not", over the steps of all runs; a long run weighs by its steps unless told not to."""
    sums = np.array([(of.differing, of.unmarked, of.marked) for of in found], dtype=float)
    if each_weighs_1:
        sums = sums / sums[:, 1:].sum(axis=1, keepdims=True)
        return Statistic(sums, _alpha_of_weights)
    return Statistic(sums, alpha_from_sums)


def masi(a: frozenset[int], b: frozenset[int]) -> float:
    """Passonneau's measuring agreement on set-valued items; two empty sets are the same answer."""
    if a == b:
        return 1.0
    shared = len(a & b) / len(a | b)
    return shared * (2 / 3 if a <= b or b <= a else 1 / 3)


def f1(a: Sequence[int], b: Sequence[int], k: int) -> float:
    """F1 of two sorted lists of marks, paired one to one so that as many as possible lie within ±k."""
    if not a and not b:
        return 1.0
    return 2 * matched(a, b, k) / (len(a) + len(b))


def matched(a: Sequence[int], b: Sequence[int], k: int) -> int:
    """Size of the largest one-to-one matching within ±k; on a line, taking the earliest fit is optimal."""
    i = j = found = 0
    while i < len(a) and j < len(b):
        if abs(a[i] - b[j]) <= k:
            i, j, found = i + 1, j + 1, found + 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return found


def _exhaustive(judgements: Sequence[Judgement]) -> list[Judgement]:
    return [judgement for judgement in judgements if judgement.exhaustive]


def _marks(judgement: Judgement, positions: Mapping[str, Sequence[int | None]]) -> Sequence[int]:
    known = positions.get(judgement.id)
    if known is None:
        return judgement.mark_positions
    return sorted(position for position in known if position is not None) or sorted(judgement.failure_positions)


def _step_sums(n_steps: int, found: Sequence[Judgement]) -> tuple[float, int, int]:
    """Observed disagreement, unmarked, marked: what α is made of."""
    people = len(found)
    marks: dict[int, int] = {}
    for judgement in found:
        for position in judgement.failure_positions:
            marks[position] = marks.get(position, 0) + 1
    differing = 2 * sum(n * (people - n) for n in marks.values()) / (people - 1)
    marked = sum(marks.values())
    return differing, people * n_steps - marked, marked


def _counts(rows: Sequence[Row]) -> np.ndarray:
    """Steps × (unmarked, marked)."""
    marks = np.concatenate([_marks_by_step(found, item.n_steps) for item, found in rows])
    people = np.concatenate([np.full(item.n_steps, len(found)) for item, found in rows])
    return np.column_stack([people - marks, marks])


def _marks_by_step(found: Sequence[Judgement], n_steps: int) -> np.ndarray:
    positions = [position for judgement in found for position in judgement.failure_positions]
    return np.bincount(positions, minlength=n_steps) if positions else np.zeros(n_steps, dtype=int)


def _published(study: Study, found: Sequence[SetComparison]) -> dict[str, float]:
    if sum(of.unmarked + of.marked for of in found) > ANSWERS_AT_MOST:
        return {}
    rows = [(item, own) for item, judgements in study.judged if len(own := _exhaustive(judgements)) > 1]
    return {"alpha": published_alpha(_counts(rows), (0, 1), "nominal")}


def _alpha_of_weights(sums: np.ndarray) -> np.ndarray:
    """α without its small-sample term, which counts values and means nothing for weights."""
    observed, given = sums[..., 0], sums[..., 1:]
    n = given.sum(axis=-1)
    expected = n**2 - (given**2).sum(axis=-1)
    return 1 - np.divide(n * observed, expected, out=np.full(n.shape, np.nan), where=expected > 1e-12)


def _one_value_only(found: Sequence[SetComparison]) -> str:
    return (
        f"only one value used: {'marked' if any(of.marked for of in found) else 'not marked'}; observed agreement 1.0"
    )
