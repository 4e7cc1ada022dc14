"""Agreement on which steps fail, between exhaustive annotations only.

No percent: most steps of most runs are marked by nobody, and agreement on them would drown the rest.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from adjudication.alpha import alpha_from_sums, fits_the_package, published_alpha
from adjudication.bootstrap import Bootstrap, Statistic, mean_of
from adjudication.figures import figures, undefined
from adjudication.judgements import ItemFacts, Judgement, Study

WITHIN = (0, 1, 3, 5)
Row = tuple[ItemFacts, list[Judgement]]
Alike = Callable[[Any, Any], float]


def failure_steps(study: Study, bootstrap: Bootstrap) -> dict[str, Any]:
    rows = [(item, found) for item, judgements in study.judged if len(found := _exhaustive(judgements)) > 1]
    head = {"n": len(rows), "n_pairs": sum(len(found) * (len(found) - 1) // 2 for _, found in rows)}
    if not rows:
        why = why_not_pairable(study)
        names = ("alpha", "alpha_each_trajectory_weighs_1", "masi")
        return head | {"undefined": why} | {name: undefined(why) for name in names} | {"f1": {}}
    told = figures(
        [item for item, _ in rows],
        {
            "alpha": step_alpha(rows),
            "alpha_each_trajectory_weighs_1": step_alpha(rows, each_weighs_1=True),
            "masi": _mean_over_pairs(rows, lambda judgement: judgement.failure_positions, masi),
        }
        | {
            f"f1_{k}": _mean_over_pairs(rows, lambda judgement: judgement.mark_positions, partial(f1, k=k))
            for k in WITHIN
        },
        bootstrap,
        why_undefined=dict.fromkeys(("alpha", "alpha_each_trajectory_weighs_1"), _one_value_only(rows)),
        published=_published(rows),
    )
    by_reach = {str(k): told.pop(f"f1_{k}") for k in WITHIN}
    return head | told | {"f1": by_reach}


def why_not_pairable(study: Study) -> str:
    partial = sorted({j.annotator for j in study.judgements if not j.exhaustive})
    if not partial:
        return "no trajectory has two exhaustive annotations"
    return f"{' and '.join(partial)} {'is' if len(partial) == 1 else 'are'} not exhaustive"


def step_alpha(rows: Sequence[Row], each_weighs_1: bool = False) -> Statistic:
    """α nominal of "marked or not", over the steps of all runs; a long run weighs by its steps unless told not to."""
    sums = np.array([_step_sums(item.n_steps, found) for item, found in rows])
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


def _mean_over_pairs(rows: Sequence[Row], answer: Callable[[Judgement], Any], alike: Alike) -> Statistic:
    """Each item weighs 1, whatever its number of pairs."""
    means = []
    for _, found in rows:
        likeness = [alike(a, b) for a, b in combinations([answer(judgement) for judgement in found], 2)]
        means.append(sum(likeness) / len(likeness))
    return mean_of(np.array(means))


def _marks_by_step(found: Sequence[Judgement], n_steps: int) -> np.ndarray:
    positions = [position for judgement in found for position in judgement.failure_positions]
    return np.bincount(positions, minlength=n_steps) if positions else np.zeros(n_steps, dtype=int)


def _step_sums(n_steps: int, found: Sequence[Judgement]) -> tuple[float, float, float]:
    """Observed disagreement, unmarked, marked: what α is made of."""
    people, marks = len(found), _marks_by_step(found, n_steps)
    differing = 2 * (marks * (people - marks)).sum() / (people - 1)
    return differing, people * n_steps - marks.sum(), marks.sum()


def _counts(rows: Sequence[Row]) -> np.ndarray:
    """Steps × (unmarked, marked)."""
    marks = np.concatenate([_marks_by_step(found, item.n_steps) for item, found in rows])
    people = np.concatenate([np.full(item.n_steps, len(found)) for item, found in rows])
    return np.column_stack([people - marks, marks])


def _published(rows: Sequence[Row]) -> dict[str, float]:
    if not fits_the_package(sum(item.n_steps for item, _ in rows), 2):
        return {}
    return {"alpha": published_alpha(_counts(rows), (0, 1), "nominal")}


def _alpha_of_weights(sums: np.ndarray) -> np.ndarray:
    """α without its small-sample term, which counts values and means nothing for weights."""
    observed, given = sums[..., 0], sums[..., 1:]
    n = given.sum(axis=-1)
    expected = n**2 - (given**2).sum(axis=-1)
    return 1 - np.divide(n * observed, expected, out=np.full(n.shape, np.nan), where=expected > 1e-12)


def _one_value_only(rows: Sequence[Row]) -> str:
    marked = any(judgement.failure_positions for _, found in rows for judgement in found)
    return f"only one value used: {'marked' if marked else 'not marked'}; observed agreement 1.0"
