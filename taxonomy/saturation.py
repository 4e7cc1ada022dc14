"""Whether more runs would still bring new codes. Pure; runs are sets of living codes.

New information per batch follows Guest, Namey and Chen (2020): the codes of a base of runs, then of runs of a given
length, new ones as a share of the base. What is unseen is estimated after Good and Turing, and its number after Chao.
"""

import random
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

ORDERS = 200


@dataclass(frozen=True)
class Unseen:
    """`probability` that the next code met is a new one; `codes` not met yet (a lower bound). None: undefined."""

    probability: float | None
    codes: float | None
    once: int
    twice: int
    marks: int
    why: str = ""


@dataclass(frozen=True)
class Batch:
    """After `runs` runs: the share of new codes among those of the base, for the last batch. None where the base has none."""

    runs: int
    new: float
    share: float | None


@dataclass(frozen=True)
class Saturation:
    runs: int
    codes: int
    curve: tuple[float, ...]  # mean number of codes met after 1, 2, … runs
    new: tuple[float, ...]  # mean number of new codes in the 1st, 2nd, … run
    batches: tuple[Batch, ...]
    reached_at: int | None  # runs after which the last batch brought no more than the threshold
    unseen: Unseen


def saturation(
    runs: Sequence[Set[str]],
    marks: Sequence[str],
    *,
    seed: int,
    base: int = 4,
    length: int = 2,
    threshold: float = 0.05,
    orders: int = ORDERS,
) -> Saturation:
    """Means over random orders of the runs; `marks` are the codes as they were met, independently, for what is unseen."""
    curve = mean_curve(runs, orders, seed)
    new = tuple(now - before for before, now in zip((0.0, *curve), curve, strict=False))
    batches = tuple(batches_of(curve, base, length))
    reached = next((batch.runs for batch in batches if batch.share is not None and batch.share <= threshold), None)
    return Saturation(len(runs), len(set().union(*runs)), curve, new, batches, reached, unseen(marks, len(runs)))


def mean_curve(runs: Sequence[Set[str]], orders: int, seed: int) -> tuple[float, ...]:
    draw, totals = random.Random(seed), [0] * len(runs)
    order = list(range(len(runs)))
    for _ in range(orders):
        draw.shuffle(order)
        met: set[str] = set()
        for position, run in enumerate(order):
            met |= runs[run]
            totals[position] += len(met)
    return tuple(total / orders for total in totals)


def batches_of(curve: Sequence[float], base: int, length: int) -> list[Batch]:
    found = []
    for end in range(base + length, len(curve) + 1, length):
        new = curve[end - 1] - curve[end - 1 - length]
        known = curve[base - 1]
        found.append(Batch(end, new, new / known if known else None))
    return found


def unseen(marks: Sequence[str], units: int | None = None) -> Unseen:
    """`units` are what was sampled: the runs, where a code counts once on each; without them the marks."""
    counts = Counter(marks)
    times = Counter(counts.values())
    once, twice, n = times[1], times[2], len(marks)
    if not n:
        return Unseen(None, None, 0, 0, 0, "no code was marked")
    missing = once**2 / (2 * twice) if twice else once * (once - 1) / 2
    units = units or n
    return Unseen(once / n, (units - 1) / units * missing, once, twice, n)
