"""How well annotators agree on the critical step, beside what blind guessing within the run would reach.

The floor is the chance that two independent guesses, each uniform over the run's steps, are within ±k of each
other; S = (p − f)/(1 − f) corrects exact agreement by the floor at k = 0. α on the relative position takes the
0-based position over the number of steps. α on raw positions rewards knowing which run is long: two blind
guessers score high on it where lengths differ, so it is printed for comparison with published figures only.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from adjudication.alpha import alpha
from adjudication.bootstrap import Bootstrap, Statistic, mean_of, ratio
from adjudication.figures import count, figures, rounded, undefined
from adjudication.judgements import Study
from adjudication.ratings import Ratings

WITHIN = (1, 3, 5)
CURVE = 30
CONFOUNDED = "length-confounded, for comparison with published figures"
NO_PAIR = "no trajectory has two critical steps"


def critical_step(study: Study, bootstrap: Bootstrap, published: bool = True) -> dict[str, Any]:
    ratings = Ratings.collect(study, lambda judgement: judgement.critical_position)
    head = {"n": len(ratings), "n_pairs": len(ratings.pairs.row), "one_sided": one_sided(study)}
    return head | (_figures(ratings, bootstrap, published) if len(ratings) else _nothing())


def _nothing() -> dict[str, Any]:
    names = ("mean_distance", "chance_corrected", "alpha_relative", "alpha_nominal", "alpha_interval")
    within = {str(k): 0 for k in WITHIN}
    floor = {str(k): undefined(NO_PAIR) for k in (0, *WITHIN)}
    return {"exact": 0, "within": within, "floor": floor} | {name: undefined(NO_PAIR) for name in names}


def _figures(ratings: Ratings, bootstrap: Bootstrap, published: bool) -> dict[str, Any]:
    distance = _distances(ratings)
    lengths = np.array([item.n_steps for item in ratings.items])
    near = {k: ratings.pairs.mean_by_row((distance <= k).astype(float), len(ratings)) for k in (0, *WITHIN)}
    floor = {k: floor_within(lengths, k) for k in near}
    far = ratings.pairs.mean_by_row(distance.astype(float), len(ratings))
    alphas, values = _alphas(ratings, published)
    told = figures(
        ratings.items,
        {f"within_{k}": mean_of(values) for k, values in near.items()}
        | {"distance": mean_of(far), "chance_corrected": chance_corrected(near[0], floor[0])}
        | alphas,
        bootstrap,
        why_undefined={"chance_corrected": "every run has one step only: a guess is always right"}
        | dict.fromkeys(alphas, _one_value_only(ratings.domain))
        | {"alpha_relative": "all critical steps lie at the same relative position; observed agreement 1.0"},
        published=values,
    )
    return {
        "exact": count(near[0].sum()),
        "percent": told["within_0"],
        "within": {str(k): count(near[k].sum()) for k in WITHIN},
        "within_percent": {str(k): told[f"within_{k}"] for k in WITHIN},
        "floor": {str(k): rounded(values.mean()) for k, values in floor.items()},
        "curve": curve(distance, ratings, lengths),
        "mean_distance": rounded(far.mean()),
        "mean_distance_ci": told["distance"]["ci"],
        "chance_corrected": told["chance_corrected"],
        "alpha_relative": told["alpha_relative"],
        "alpha_nominal": told["alpha_nominal"] | {"note": CONFOUNDED},
        "alpha_interval": told["alpha_interval"] | {"note": CONFOUNDED},
    }


def curve(distance: np.ndarray, ratings: Ratings, n_steps: np.ndarray) -> list[list[float]]:
    """[k, share of items within ±k, the same by blind guessing], from 0 until all are within or CURVE ends."""
    found = []
    for k in range(min(int(distance.max()), CURVE) + 1):
        near = ratings.pairs.mean_by_row((distance <= k).astype(float), len(ratings))
        found.append([k, rounded(near.mean()), rounded(floor_within(n_steps, k).mean())])
    return found


def floor_within(n_steps: np.ndarray, k: int) -> np.ndarray:
    """Per run the chance that two independent uniform guesses among its steps differ by at most k."""
    reach = np.minimum(k, n_steps - 1)
    return (n_steps + 2 * reach * n_steps - reach * (reach + 1)) / n_steps**2


def chance_corrected(exact: np.ndarray, floor: np.ndarray) -> Statistic:
    """S = (p − f)/(1 − f) over items, each of which weighs 1."""
    rows = np.column_stack([exact - floor, 1 - floor])
    return Statistic(rows, lambda sums: ratio(sums[..., 0], sums[..., 1]))


def one_sided(study: Study) -> int:
    """Items on which one annotator names a critical step and another answers without one: outcome's matter."""
    answered = [judgement for judgement in study.judgements if judgement.outcome]
    with_one = {judgement.item_id for judgement in answered if judgement.critical_position is not None}
    without = {judgement.item_id for judgement in answered if judgement.critical_position is None}
    return len(with_one & without)


def _distances(ratings: Ratings) -> np.ndarray:
    position = np.array(ratings.domain)
    return np.abs(position[ratings.pairs.left] - position[ratings.pairs.right])


def _alphas(ratings: Ratings, published: bool) -> tuple[dict[str, Statistic], dict[str, float]]:
    lengths = np.array([item.n_steps for item in ratings.items])
    relative = replace(ratings, values=tuple((np.array(ratings.values) / lengths[ratings.rows]).tolist()))
    found = {
        "alpha_relative": alpha(relative, "interval", published),
        "alpha_nominal": alpha(ratings, "nominal", published),
        "alpha_interval": alpha(ratings, "interval", published),
    }
    return {name: own for name, (own, _) in found.items()}, {name: value for name, (_, value) in found.items()}


def _one_value_only(domain: tuple) -> str:
    return f"only one value used: {domain[0]}; observed agreement 1.0"
