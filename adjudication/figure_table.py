"""All agreement figures as one flat table: what the page prints, what the file holds."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any

from adjudication.figures import interval_to_show, why_no_interval
from taxonomy.formats.comma_separated import safe as quoted

Figures = Mapping[str, Any]

MEASURES = {
    "critical_step": "critical step",
    "agent": "responsible agent",
    "category": "critical category",
    "outcome": "outcome",
    "failure_steps": "which steps fail",
}
STEP = {
    "percent": "exact",
    "chance_corrected": "S, exact corrected for chance",
    "alpha_relative": "α interval on relative position",
    "alpha_nominal": "α nominal on raw positions",
    "alpha_interval": "α interval on raw positions",
}
NAMED = {"percent": "agree", "kappa": "κ", "alpha": "α nominal", "ac1": "AC1"}
SETS = {"alpha": "α over steps", "alpha_each_trajectory_weighs_1": "α, each run weighs 1", "masi": "MASI"}


@dataclass(frozen=True)
class Line:
    measure: str
    statistic: str
    value: float | None
    low: float | None
    high: float | None
    chance: float | None
    n: int
    n_pairs: int
    note: str


def lines(figures: Figures) -> list[Line]:
    found = figures.get("measures", {})
    told = [*step_lines(found.get("critical_step", {}))]
    for key in ("agent", "category", "outcome"):
        told += named_lines(key, found.get(key, {}))
    return told + list(set_lines(found.get("failure_steps", {})))


def step_lines(measure: Figures) -> Iterator[Line]:
    chance = measure.get("floor", {})
    for key, words in STEP.items():
        if key in measure:
            yield line("critical_step", words, measure, measure[key], chance.get("0") if key == "percent" else None)
        if key == "percent":
            for k, share in measure.get("within_percent", {}).items():
                yield line("critical_step", f"within ±{k}", measure, share, chance.get(k))
            if "mean_distance" in measure and measure.get("n"):
                far = {"value": measure["mean_distance"], "ci": measure.get("mean_distance_ci")}
                yield line("critical_step", "mean distance in steps", measure, far)


def named_lines(key: str, measure: Figures) -> Iterator[Line]:
    for name, words in NAMED.items():
        if name in measure:
            kind = f", {measure[name]['kind'].title()}" if name == "kappa" and "kind" in measure[name] else ""
            yield line(key, words + kind, measure, measure[name])
    for each in measure.get("one_vs_rest", []):
        for name in ("kappa", "alpha"):
            yield line(key, f"{NAMED[name]}, {each['value']} against the rest", measure, each[name])


def set_lines(measure: Figures) -> Iterator[Line]:
    for name, words in SETS.items():
        if name in measure:
            yield line("failure_steps", words, measure, measure[name])
    for k, figure in measure.get("f1", {}).items():
        yield line("failure_steps", "F1 of marks" + (f", ±{k}" if k != "0" else ", exact"), measure, figure)


def line(key: str, statistic: str, measure: Figures, figure: Figures, chance: Any = None) -> Line:
    low, high = interval_to_show(figure) or (None, None)
    note = "; ".join(filter(None, [figure.get("undefined"), figure.get("note"), why_no_interval(figure)]))
    n, n_pairs = measure.get("n", 0), measure.get("n_pairs", 0)
    blind = chance if isinstance(chance, int | float) else None
    return Line(MEASURES[key], statistic, figure.get("value"), low, high, blind, n, n_pairs, note)


def as_csv(found: Iterable[Line], head: Mapping[str, Any]) -> str:
    """RFC 4180; what the figures rest on comes first, as lines of its own columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    columns = [field.name for field in fields(Line)]
    writer.writerow([*columns, *head])
    for each in found:
        writer.writerow([safe(cell) for cell in (*astuple(each), *head.values())])
    return out.getvalue()


def safe(cell: Any) -> Any:
    """A text that a spreadsheet would run as a formula is quoted; numbers, negative ones too, stay numbers."""
    if isinstance(cell, str):
        return quoted(cell)
    return "" if cell is None else cell
