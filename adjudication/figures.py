"""How a number is told: its value and interval, or in a sentence why there is none."""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

from adjudication.bootstrap import Bootstrap, Statistic
from adjudication.judgements import ItemFacts

Key = TypeVar("Key", bound=Hashable)
DIGITS = 6
NO_INTERVAL = "too few task clusters to resample within their domains"
NOT_YET = "not computed yet"
NO_WIDTH = "every resample gives this value"


def undefined(sentence: str) -> dict[str, Any]:
    return {"value": None, "undefined": sentence}


def rounded(value: float) -> float:
    return round(float(value), DIGITS) + 0.0


def count(value: float) -> int | float:
    """A count of items; with more than two annotators an item may count in part."""
    value = rounded(value)
    return int(value) if value.is_integer() else value


def figure(
    value: float, interval: tuple[float, float] | None, why_undefined: str, no_interval: str = NO_INTERVAL
) -> dict[str, Any]:
    if not math.isfinite(value):
        return undefined(why_undefined)
    if interval is None:
        return {"value": rounded(value), "ci": None, "ci_undefined": no_interval}
    return {"value": rounded(value), "ci": [rounded(bound) for bound in interval]}


def figures(
    items: Sequence[ItemFacts],
    statistics: Mapping[Key, Statistic],
    bootstrap: Bootstrap,
    why_undefined: Mapping[Key, str] | None = None,
    published: Mapping[Key, float] | None = None,
) -> dict[Key, dict[str, Any]]:
    """Each statistic as a figure; `published` replaces a value by that of the published implementation."""
    values = {name: statistic.value for name, statistic in statistics.items()} | dict(published or {})
    defined = {name: s for name, s in statistics.items() if math.isfinite(values[name])}
    intervals = bootstrap.intervals(items, defined)
    why = why_undefined or {}
    no_interval = NO_INTERVAL if bootstrap.b else NOT_YET
    return {name: figure(values[name], intervals.get(name), why.get(name, ""), no_interval) for name in statistics}


def interval_to_show(figure: Mapping[str, Any]) -> tuple[float, float] | None:
    """None also where the interval has no width: shown, it would claim that the value is certain."""
    low, high = figure.get("ci") or (0.0, 0.0)
    return (low, high) if low < high else None


def why_no_interval(figure: Mapping[str, Any]) -> str:
    if interval_to_show(figure):
        return ""
    return NO_WIDTH if figure.get("ci") else figure.get("ci_undefined") or ""
