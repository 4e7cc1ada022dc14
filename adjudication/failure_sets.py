"""Agreement on which steps fail, between exhaustive annotations only.

No percent: most steps of most runs are marked by nobody, and agreement on them would drown the rest.
What two annotators of one item marked is compared once; everything else is a sum of those comparisons.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudication.alpha import alpha_from_sums, published_alpha
from adjudication.bootstrap import Bootstrap, Statistic, mean_of
from adjudication.comparisons import WITHIN, Comparisons, Row, SetComparison, exhaustive
from adjudication.figures import figures, undefined
from adjudication.judgements import Judgement, Study

# Beyond so many marked-or-not answers α is our own, from the comparisons alone: the package would read every step.
ANSWERS_AT_MOST = 100_000


def failure_steps(
    study: Study, bootstrap: Bootstrap, comparisons: Comparisons | None = None, published: bool = True
) -> dict[str, Any]:
    rows = (comparisons or Comparisons()).of(study.judged)
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
        | {f"f1_{k}": mean_of(np.array([getattr(of, f"f1_{k}") for of in found])) for k in WITHIN},
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
    rows = [(item, own) for item, judgements in study.judged if len(own := exhaustive(judgements)) > 1]
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
