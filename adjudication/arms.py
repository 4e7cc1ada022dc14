"""Annotations made with suggestions in sight beside those made without. Pure: turns in, figures with intervals out.

Every run weighs 1 in its arm. Intervals are those of agreement: percentiles over resampled task clusters.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from adjudication.bootstrap import Bootstrap, Statistic, ratio
from adjudication.figures import figures
from adjudication.judgements import ItemFacts

SHOWN, HIDDEN = "shown", "hidden"
NO_RUN = "no run in this arm has it"


@dataclass(frozen=True, slots=True)
class Turn:
    """One first submission. `suggested`: the steps that suggestions of that time name on its run."""

    item: str
    annotator: str
    arm: str
    outcome: str
    critical: int | None
    marks: tuple[int, ...]
    n_marks: int
    seconds: int  # 0: not measured
    suggested: frozenset[int]
    shown: int = 0
    accepted: int = 0
    dismissed: int = 0
    marks_before: tuple[int, ...] | None = None  # where it was revealed after phase 1: the marks until then


Values = Mapping[str, float]  # by run
PerTurn = Callable[[Turn], float | None]
PerPair = Callable[[Turn, Turn], float | None]


def exact(one: Turn, other: Turn) -> float | None:
    return within(0)(one, other)


def within(k: int) -> PerPair:
    def near(one: Turn, other: Turn) -> float | None:
        if one.critical is None or other.critical is None:
            return None
        return float(abs(one.critical - other.critical) <= k)

    return near


def towards(turn: Turn) -> float | None:
    """Whether the critical step is one that was suggested, seen or not."""
    if turn.critical is None or not turn.suggested:
        return None
    return float(turn.critical in turn.suggested)


PAIRED: tuple[tuple[str, str, PerPair], ...] = (
    ("critical_step_exact", "agreement: critical step, exact", exact),
    ("critical_step_within_1", "agreement: critical step, within ±1", within(1)),
    ("outcome", "agreement: outcome", lambda one, other: float(one.outcome == other.outcome)),
)
SINGLE: tuple[tuple[str, str, PerTurn], ...] = (
    ("marks", "marks per run", lambda turn: float(turn.n_marks)),
    ("minutes", "active minutes per run", lambda turn: turn.seconds / 60 if turn.seconds else None),
    ("towards", "critical step is a suggested one", towards),
)


def compared(turns: Sequence[Turn], items: Iterable[ItemFacts], bootstrap: Bootstrap) -> dict[str, Any]:
    """Both arms measure by measure with their difference, shown less hidden; then what became of what was shown."""
    known = {turn.item for turn in turns}
    items = [item for item in items if item.item_id in known]
    by_arm = {arm: [turn for turn in turns if turn.arm == arm] for arm in (SHOWN, HIDDEN)}
    values = {
        key: {arm: measure(by_arm[arm]) for arm in by_arm}
        for key, measure in [
            *((key, _by_pair(test)) for key, _, test in PAIRED),
            *((key, _by_turn(test)) for key, _, test in SINGLE),
        ]
    }
    statistics: dict[Any, Statistic] = {}
    for key, both in values.items():
        statistics |= {(key, arm): mean_over(items, both[arm]) for arm in both}
        statistics[key, "difference"] = difference_over(items, both[SHOWN], both[HIDDEN])
    statistics |= answered_over(items, by_arm[SHOWN])
    told = figures(items, statistics, bootstrap, dict.fromkeys(statistics, NO_RUN)) if items else {}
    labels = {key: label for key, label, _ in (*PAIRED, *SINGLE)}
    return {
        "arms": {arm: counts(found) for arm, found in by_arm.items()},
        "bootstrap": bootstrap.told,
        "measures": [
            {"key": key, "label": labels[key], "n": {arm: len(values[key][arm]) for arm in by_arm}}
            | {name: told.get((key, name)) for name in (SHOWN, HIDDEN, "difference")}
            for key in values
        ],
        "suggestions": {name: told.get(("suggestions", name)) for name in ("accepted", "dismissed")}
        | {name: sum(getattr(turn, name) for turn in by_arm[SHOWN]) for name in ("shown",)},
        "since_reveal": since_reveal(items, by_arm[SHOWN], bootstrap),
    }


def counts(turns: Sequence[Turn]) -> dict[str, int]:
    runs = {turn.item for turn in turns}
    return {"runs": len(runs), "annotations": len(turns), "people": len({turn.annotator for turn in turns})}


def _grouped(turns: Iterable[Turn]) -> dict[str, list[Turn]]:
    found: dict[str, list[Turn]] = defaultdict(list)
    for turn in turns:
        found[turn.item].append(turn)
    return found


def _by_turn(measure: PerTurn) -> Callable[[Sequence[Turn]], Values]:
    return lambda turns: _means({item: map(measure, found) for item, found in _grouped(turns).items()})


def _by_pair(measure: PerPair) -> Callable[[Sequence[Turn]], Values]:
    def of(turns: Sequence[Turn]) -> Values:
        pairs = {item: combinations(found, 2) for item, found in _grouped(turns).items()}
        return _means({item: (measure(*pair) for pair in found) for item, found in pairs.items()})

    return of


def _means(given: Mapping[str, Iterable[float | None]]) -> Values:
    kept = {item: [value for value in values if value is not None] for item, values in given.items()}
    return {item: fmean(values) for item, values in kept.items() if values}


def _columns(items: Sequence[ItemFacts], values: Values) -> np.ndarray:
    return np.array([[1.0, values[i.item_id]] if i.item_id in values else [0.0, 0.0] for i in items])


def mean_over(items: Sequence[ItemFacts], values: Values) -> Statistic:
    return Statistic(_columns(items, values), lambda sums: ratio(sums[..., 1], sums[..., 0]))


def difference_over(items: Sequence[ItemFacts], one: Values, other: Values) -> Statistic:
    rows = np.hstack([_columns(items, one), _columns(items, other)])
    return Statistic(rows, lambda sums: ratio(sums[..., 1], sums[..., 0]) - ratio(sums[..., 3], sums[..., 2]))


def answered_over(items: Sequence[ItemFacts], turns: Sequence[Turn]) -> dict[Any, Statistic]:
    """Of all suggestions that were shown, the share taken over, and the share dismissed."""
    grouped = _grouped(turns)

    def rows(name: str) -> np.ndarray:
        sums = [[(turn.shown, getattr(turn, name)) for turn in grouped.get(item.item_id, [])] for item in items]
        return np.array([np.sum(each, axis=0) if each else (0, 0) for each in sums], dtype=float)

    share = lambda sums: ratio(sums[..., 1], sums[..., 0])  # noqa: E731
    return {("suggestions", name): Statistic(rows(name), share) for name in ("accepted", "dismissed")}


def since_reveal(items: Sequence[ItemFacts], turns: Sequence[Turn], bootstrap: Bootstrap) -> dict[str, Any] | None:
    """Of the same annotators, how often some mark stands at a suggested step: until the reveal, and when submitting."""
    told = [turn for turn in turns if turn.marks_before is not None and turn.suggested]
    if not told:
        return None
    before = _by_turn(lambda turn: float(bool(turn.suggested & set(turn.marks_before or ()))))(told)
    after = _by_turn(lambda turn: float(bool(turn.suggested & set(turn.marks))))(told)
    statistics = {
        "before": mean_over(items, before),
        "after": mean_over(items, after),
        "difference": difference_over(items, after, before),
    }
    return {"n": len(before), **figures(items, statistics, bootstrap, dict.fromkeys(statistics, NO_RUN))}
