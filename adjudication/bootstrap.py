"""Percentile intervals by resampling task clusters, because runs of one task are not independent.

Plain percentiles of few clusters are too narrow: each stratum of n clusters shows (n − 1)/n of its variance, and the
normal tails are not the t's. The percentiles are therefore taken a little further out, as the t distribution on the
degrees of freedom asks for (Hesterberg's expanded percentile interval); with many clusters they are 2.5 and 97.5.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from adjudication.judgements import ItemFacts

Key = TypeVar("Key", bound=Hashable)
CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Statistic:
    """A number that is a formula of column sums: what lets a resample be one matrix product.

    `rows` has one line per item; `formula` takes sums of shape (…, columns) and returns shape (…),
    with nan where the number is undefined.
    """

    rows: np.ndarray
    formula: Callable[[np.ndarray], np.ndarray]

    @property
    def value(self) -> float:
        return float(self.formula(self.rows.sum(axis=0)))


def mean_of(values: np.ndarray) -> Statistic:
    """The mean over items, each of which weighs 1."""
    rows = np.column_stack([np.ones(len(values)), values])
    return Statistic(rows, lambda sums: ratio(sums[..., 1], sums[..., 0]))


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """above / below, and nan where below is 0."""
    above, below = np.asarray(above, dtype=float), np.asarray(below, dtype=float)
    return np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.nan), where=below != 0)


@dataclass(frozen=True)
class Bootstrap:
    """Stratified by domain: each domain keeps its number of clusters. The same seed gives the same intervals."""

    b: int = 1000
    seed: int = 0
    unit: str = "task cluster"

    @property
    def told(self) -> dict[str, int | str]:
        return {"b": self.b, "seed": self.seed, "unit": self.unit}

    def intervals(
        self, items: Sequence[ItemFacts], statistics: Mapping[Key, Statistic]
    ) -> dict[Key, tuple[float, float] | None]:
        """95 % intervals; None where no domain has two clusters, or most resamples are undefined: nothing can be said."""
        if not statistics or self.b < 1:
            return dict.fromkeys(statistics)
        clusters = sorted({(item.domain, item.cluster) for item in items})
        freedom = len(clusters) - len({domain for domain, _ in clusters})
        if freedom < 1:
            return dict.fromkeys(statistics)
        number = {cluster: index for index, cluster in enumerate(clusters)}
        member = np.array([number[item.domain, item.cluster] for item in items])
        # One product for all statistics: their columns side by side.
        by_cluster = _sum_by(member, np.hstack([s.rows for s in statistics.values()]), len(clusters))
        ends = np.cumsum([s.rows.shape[1] for s in statistics.values()])[:-1]
        draws: dict[Key, list[np.ndarray]] = {name: [] for name in statistics}
        for weights in self._weights([domain for domain, _ in clusters]):
            for (name, statistic), sums in zip(
                statistics.items(), np.split(weights @ by_cluster, ends, axis=1), strict=True
            ):
                draws[name].append(statistic.formula(sums))
        tail = outside(freedom, len(clusters))
        return {name: _middle(np.concatenate(values), tail) for name, values in draws.items()}

    def _weights(self, domains: list[str]) -> Iterator[np.ndarray]:
        """Lots of resamples × clusters: how often each cluster was drawn, from within its own domain."""
        sizes = list(Counter(domains).values())
        randoms = [np.random.default_rng([self.seed, number]) for number in range(len(sizes))]
        at_once = max(1, CELLS_AT_ONCE // len(domains))
        for start in range(0, self.b, at_once):
            n = min(at_once, self.b - start)
            yield np.hstack([_drawn(random, n, size) for random, size in zip(randoms, sizes, strict=True)])


def _drawn(random: np.random.Generator, n: int, size: int) -> np.ndarray:
    picks = random.integers(0, size, (n, size)) + np.arange(n)[:, None] * size
    return np.bincount(picks.ravel(), minlength=n * size).reshape(n, size).astype(float)


def _sum_by(member: np.ndarray, rows: np.ndarray, n: int) -> np.ndarray:
    sums = np.zeros((n, rows.shape[1]))
    np.add.at(sums, member, rows)
    return sums


def outside(freedom: int, clusters: int) -> float:
    """The share of resamples to leave out at each end: at most 0.025, less where there are few clusters."""
    z = 1.959964
    return (1 + math.erf(-student(z, freedom) * math.sqrt(clusters / freedom) / math.sqrt(2))) / 2


def student(z: float, freedom: int) -> float:
    """The quantile of Student's t where the normal one is z, by its expansion in 1/freedom; too small below 3."""
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def _middle(values: np.ndarray, tail: float) -> tuple[float, float] | None:
    defined = values[np.isfinite(values)]
    if 2 * len(defined) < len(values):
        return None
    low, high = np.percentile(defined, [100 * tail, 100 * (1 - tail)])
    return float(low), float(high)
