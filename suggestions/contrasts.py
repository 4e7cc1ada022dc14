"""Is one source better than another, or is that not said by these runs? Contrasts are declared before anything is
scored; every test of a family is corrected for the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from suggestions.scoring import Answer, Gold, paired, rank

LEVEL = 0.05
SEPARATED, NOT_SEPARATED = "separated", "not separated"


@dataclass(frozen=True, slots=True)
class Contrast:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Tested:
    """`a` and `b` are the two sources' values on the `n` runs both answered; `adjusted` is p after Holm."""

    contrast: Contrast
    measure: str
    n: int
    a: float
    b: float
    p: float
    adjusted: float

    @property
    def verdict(self) -> str:
        return SEPARATED if self.adjusted < LEVEL else NOT_SEPARATED


def compare(family: Sequence[Contrast], gold: Sequence[Gold], answers: Mapping[str, Sequence[Answer]]) -> list[Tested]:
    """Top-1 and Top-3 by the exact McNemar test, MRR by Wilcoxon's, Holm over all tests of the family."""
    raw = [test for contrast in family for test in _tests(contrast, gold, answers)]
    adjusted = holm([test.p for test in raw])
    return [
        Tested(test.contrast, test.measure, test.n, test.a, test.b, test.p, p)
        for test, p in zip(raw, adjusted, strict=True)
    ]


def _tests(contrast: Contrast, gold: Sequence[Gold], answers: Mapping[str, Sequence[Answer]]) -> list[Tested]:
    of_a, of_b = (_ranks(gold, answers[name]) for name in (contrast.a, contrast.b))
    both = [label.run for label in gold if label.run in of_a and label.run in of_b]
    a, b = (np.array([_reciprocal(found[run]) for run in both]) for found in (of_a, of_b))
    told = []
    for k in (1, 3):
        hit_a, hit_b = a >= 1 / k - 1e-12, b >= 1 / k - 1e-12
        p = mcnemar(int((hit_a & ~hit_b).sum()), int((hit_b & ~hit_a).sum()))
        told.append((f"top{k}", hit_a, hit_b, p))
    told.append(("mrr", a, b, wilcoxon(a - b)))
    return [Tested(contrast, name, len(both), _mean(one), _mean(other), p, p) for name, one, other, p in told]


def _ranks(gold: Sequence[Gold], answers: Sequence[Answer]) -> dict[str, int | None]:
    return {label.run: rank(label, answer) for label, answer in paired(gold, answers)}


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p: how the runs that only one of the two got right would fall, were it a coin's matter."""
    n, fewer = only_a + only_b, min(only_a, only_b)
    return min(1.0, 2 * sum(comb(n, k) for k in range(fewer + 1)) / 2**n)


def wilcoxon(differences: np.ndarray) -> float:
    """Two-sided signed-rank p, exact also with ties: zeros are left out, equal sizes share their mean rank."""
    told = differences[np.abs(differences) > 1e-12]
    if not len(told):
        return 1.0
    doubled = _doubled_ranks(np.abs(told))
    total, positive = int(doubled.sum()), int(doubled[told > 0].sum())
    extreme = min(positive, total - positive)
    return min(1.0, 2 * float(_distribution(doubled)[: extreme + 1].sum()))


def _doubled_ranks(sizes: np.ndarray) -> np.ndarray:
    """Twice the mean ranks, so that they are whole numbers; sizes that differ by rounding only are equal."""
    _, place, counts = np.unique(np.round(sizes, 12), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[place]


def _distribution(ranks: np.ndarray) -> np.ndarray:
    """The chance of each sum of ranks when every sign is a coin's."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    for value in ranks:
        shifted = np.zeros_like(chances)
        shifted[value:] = chances[: len(chances) - value]
        chances = (chances + shifted) / 2
    return chances


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given."""
    adjusted, worst = [0.0] * len(ps), 0.0
    for place, index in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        worst = max(worst, min(1.0, (len(ps) - place) * ps[index]))
        adjusted[index] = worst
    return adjusted


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0


def _reciprocal(place: int | None) -> float:
    return 1 / place if place else 0.0
