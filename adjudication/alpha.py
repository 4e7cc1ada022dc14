"""Krippendorff's α: as published, and as column sums for the bootstrap. The tests hold the two equal."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from adjudication.bootstrap import Statistic, ratio
from adjudication.ratings import Ratings

Level = Literal["nominal", "interval"]
CELLS_AT_MOST = 1_000_000


def published_alpha(counts: np.ndarray, domain: Sequence, level: Level) -> float:
    """α by the `krippendorff` package, the only place that reaches it; nan where only one value is used.

    `counts` is units × values.
    """
    if (counts.sum(axis=0) > 0).sum() < 2:
        return math.nan
    import krippendorff

    values = np.arange(len(domain)) if level == "nominal" else np.asarray(domain, dtype=float)
    return float(krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level))


def fits_the_package(n_units: int, n_values: int) -> bool:
    """The package fills units × values × values cells; beyond some, the number is our own, which equals it."""
    return n_units * n_values**2 <= CELLS_AT_MOST


def alpha(ratings: Ratings, level: Level, published: bool = True) -> tuple[Statistic, float]:
    """α as column sums and as a number, the latter by the package where it is wanted and fits."""
    own = nominal_alpha(ratings.counts) if level == "nominal" else interval_alpha(ratings)
    if not published or not fits_the_package(len(ratings), len(ratings.domain)):
        return own, own.value
    return own, published_alpha(ratings.counts, ratings.domain, level)


def nominal_alpha(counts: np.ndarray) -> Statistic:
    """`counts` is units × values, each unit with at least two values."""
    return Statistic(np.column_stack([differing_pairs(counts).sum(axis=1), counts]), alpha_from_sums)


def one_value_alpha(counts: np.ndarray, column: int) -> Statistic:
    """α of "this value or another one"."""
    this = counts[:, [column]]
    rest = counts.sum(axis=1, keepdims=True) - this
    return nominal_alpha(np.hstack([this, rest]))


def interval_alpha(ratings: Ratings) -> Statistic:
    """Of answers that are numbers."""
    values = np.asarray(ratings.domain, dtype=float)
    given = (values - values.mean())[ratings.codes]
    n, total, squares = (
        np.bincount(ratings.rows, weights=weights, minlength=len(ratings))
        for weights in (np.ones(len(given)), given, given**2)
    )
    observed = 2 * (n * squares - total**2) / (n - 1)
    return Statistic(np.column_stack([observed, n, total, squares]), _interval_from_sums)


def differing_pairs(counts: np.ndarray) -> np.ndarray:
    """Units × values: ordered pairs in which one gave this value and the other another, over (values in unit − 1)."""
    n = counts.sum(axis=1, keepdims=True)
    return counts * (n - counts) / (n - 1)


def alpha_from_sums(sums: np.ndarray) -> np.ndarray:
    """`sums` holds the observed disagreement, then how often each value was given."""
    observed, given = sums[..., 0], sums[..., 1:]
    n = given.sum(axis=-1)
    return 1 - ratio((n - 1) * observed, n**2 - (given**2).sum(axis=-1))


def _interval_from_sums(sums: np.ndarray) -> np.ndarray:
    observed, n, total, squares = np.moveaxis(sums, -1, 0)
    expected = 2 * (n * squares - total**2)
    only_rounding = expected <= 1e-13 * n * squares
    return 1 - ratio((n - 1) * observed, np.where(only_rounding, 0.0, expected))
