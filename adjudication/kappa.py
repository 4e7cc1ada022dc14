"""Chance-corrected agreement on names: Cohen's κ for two annotators, Fleiss' κ for more, Gwet's AC1.

Every item weighs 1, however many annotators it has; with a constant number Fleiss' κ is the published one.
"""

import numpy as np

from adjudication.bootstrap import Statistic, ratio
from adjudication.ratings import Ratings

# Beyond so many items κ is our own, which equals the package's: the package is slow and counts no faster.
ITEMS_AT_MOST = 5_000


def kind_of_kappa(ratings: Ratings) -> str:
    return "fleiss" if len(ratings.annotators) > 2 else "cohen"


def kappa(ratings: Ratings) -> Statistic:
    if kind_of_kappa(ratings) == "fleiss":
        return Statistic(_agreement_and_shares(ratings), _fleiss_from_sums)
    left, right = _one_hot(ratings, "left"), _one_hot(ratings, "right")
    return Statistic(np.hstack([left * right, left, right]), _cohen_from_sums)


def ac1(ratings: Ratings) -> Statistic:
    return Statistic(_agreement_and_shares(ratings), _ac1_from_sums)


def published_kappa(ratings: Ratings, published: bool = True) -> float:
    """Cohen's κ by scikit-learn; Fleiss' κ, which it does not have, is ours. nan where only one value is used."""
    if not published or len(ratings) > ITEMS_AT_MOST or kind_of_kappa(ratings) == "fleiss" or len(ratings.domain) < 2:
        return kappa(ratings).value
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score(ratings.pairs.left, ratings.pairs.right))


def one_value_kappa(ratings: Ratings, column: int) -> Statistic:
    """κ of "this value or another one"."""
    left, right = ratings.pairs.left == column, ratings.pairs.right == column
    if kind_of_kappa(ratings) == "fleiss":
        alike = ratings.pairs.mean_by_row((left == right).astype(float), len(ratings))
        share = ratings.counts[:, column] / ratings.counts.sum(axis=1)
        return Statistic(np.column_stack([alike, share, 1 - share]), _fleiss_from_sums)
    two = [np.column_stack([side, ~side]).astype(float) for side in (left, right)]
    return Statistic(np.hstack([two[0] * two[1], *two]), _cohen_from_sums)


def _one_hot(ratings: Ratings, side: str) -> np.ndarray:
    return np.eye(len(ratings.domain))[getattr(ratings.pairs, side)]


def _agreement_and_shares(ratings: Ratings) -> np.ndarray:
    shares = ratings.counts / ratings.counts.sum(axis=1, keepdims=True)
    return np.column_stack([ratings.agreement_by_row, shares])


def _cohen_from_sums(sums: np.ndarray) -> np.ndarray:
    both, left, right = np.split(sums, 3, axis=-1)
    n = left.sum(axis=-1)
    by_chance = ratio((left * right).sum(axis=-1), n**2)
    return _corrected(ratio(both.sum(axis=-1), n), by_chance)


def _fleiss_from_sums(sums: np.ndarray) -> np.ndarray:
    agreement, share = _means(sums)
    return _corrected(agreement, (share**2).sum(axis=-1))


def _ac1_from_sums(sums: np.ndarray) -> np.ndarray:
    agreement, share = _means(sums)
    by_chance = ratio((share * (1 - share)).sum(axis=-1), share.shape[-1] - 1)
    return _corrected(agreement, by_chance)


def _means(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    n = sums[..., 1:].sum(axis=-1)
    return ratio(sums[..., 0], n), ratio(sums[..., 1:], n[..., None])


def _corrected(agreement: np.ndarray, by_chance: np.ndarray) -> np.ndarray:
    room = 1 - by_chance
    return ratio(agreement - by_chance, np.where(room < 1e-12, 0.0, room))
