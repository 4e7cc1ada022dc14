"""The agreement figures of a project as rows on one axis: what is said of each and where its dot stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

from adjudication.figures import interval_to_show, why_no_interval

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    label: str
    kind: str  # of the routing reason whose items the row opens
    value: float | None
    ci: tuple[float, float] | None
    floor: float | None
    words: str
    aside: str
    undefined: str = ""
    k: int = 0  # of a row that says "within ±k"
    n: int = 0  # runs behind a figure that is undefined
    no_ci: str = ""  # why a value has no interval

    @property
    def measure(self) -> str:
        return "failure_steps" if self.kind == "failure_set" else self.kind

    @property
    def ci_words(self) -> str:
        if self.ci:
            return f"{told(self.ci[0])} to {told(self.ci[1])}"
        return f"no interval: {self.no_ci}" if self.no_ci else ""

    @property
    def floor_words(self) -> str:
        return f"chance {told(self.floor)}" if self.floor is not None else ""

    @property
    def beside(self) -> str:
        return joined(self.ci_words, self.floor_words)


def rows(figures: Figures) -> list[Row]:
    measures = figures.get("measures", {})
    found = [*step_rows(measures.get("critical_step", {}))]
    found += [
        named_row("responsible agent", "agent", measures.get("agent", {}), "agents"),
        named_row("critical category", "category", measures.get("category", {}), "categories"),
        named_row("outcome", "outcome", measures.get("outcome", {}), "outcomes"),
        failure_row(measures.get("failure_steps", {})),
    ]
    return found


def step_rows(measure: Figures) -> list[Row]:
    n = measure.get("n", 0)
    if not n:
        why = f"Undefined: {why_undefined(measure, 'chance_corrected') or 'no run has two critical steps'}."
        return [Row("critical step, exact", "critical_step", None, None, None, "", "", why)]
    chance, within = measure.get("floor", {}), measure.get("within_percent", {})
    exact = measure.get("percent") or {"value": measure["exact"] / n}
    aside = joined(
        f"{tally(measure['exact'])} of {n}",
        number("S", measure.get("chance_corrected")),
        number("α relative", measure.get("alpha_relative")),
    )
    found = [share_row("critical step, exact", exact, chance.get("0"), aside)]
    for k in ("1", "3", "5"):
        count = measure["within"][k]
        share = within.get(k) or {"value": count / n}
        found.append(share_row(f"critical step, within ±{k}", share, chance.get(k), f"{tally(count)} of {n}", int(k)))
    return found


def share_row(label: str, figure: Figures, blind: Any, aside: str, k: int = 0) -> Row:
    chance = blind if isinstance(blind, int | float) else None
    return Row(
        label,
        "critical_step",
        figure["value"],
        interval_to_show(figure),
        chance,
        told(figure["value"]),
        aside,
        k=k,
        no_ci=why_no_interval(figure),
    )


def detailed_rows(figures: Figures) -> list[Row]:
    """The rows, and those of the critical step that are corrected for chance."""
    step = figures.get("measures", {}).get("critical_step", {})
    corrected = [
        plain_row("critical step, S", "critical_step", step.get("chance_corrected"), "exact, corrected for chance"),
        plain_row(
            "critical step, α relative", "critical_step", step.get("alpha_relative"), "interval, position / steps"
        ),
    ]
    found = rows(figures)
    at = next((place for place, row in enumerate(found) if row.kind != "critical_step"), len(found))
    return [*found[:at], *(row for row in corrected if row is not None and step.get("n")), *found[at:]]


def one_vs_rest_rows(measure: Figures) -> list[Row]:
    """Each category against all others; κ on the axis."""
    found = []
    for each in measure.get("one_vs_rest", []):
        aside = joined(f"used in {each['used_in']}", number("α", each["alpha"]))
        found.append(plain_row(each["value"], "category", each["kappa"], aside, "κ "))
    return [row for row in found if row is not None]


def plain_row(label: str, kind: str, figure: Figures | None, aside: str, sign: str = "") -> Row | None:
    if not figure:
        return None
    if figure.get("value") is None:
        return Row(label, kind, None, None, None, "", aside, f"Undefined: {figure.get('undefined', '')}.")
    return valued_row(label, kind, figure, aside, sign)


def valued_row(label: str, kind: str, figure: Figures, aside: str, sign: str) -> Row:
    words = f"{sign}{told(figure['value'])}"
    return Row(
        label, kind, figure["value"], interval_to_show(figure), None, words, aside, no_ci=why_no_interval(figure)
    )


def named_row(label: str, kind: str, measure: Figures, plural: str) -> Row:
    kappa, n = measure.get("kappa", {}), measure.get("n", 0)
    if kappa.get("value") is None:
        why = kappa.get("undefined") or f"no trajectory has two {plural}"
        counted = f"{tally(measure.get('agree', 0))} of {n} agree" if n else ""
        return Row(label, kind, None, None, None, "", counted, f"Undefined: {why}.", n=n)
    aside = joined(
        f"{tally(measure['agree'])} of {n} agree", number("α", measure.get("alpha")), number("AC1", measure.get("ac1"))
    )
    return valued_row(label, kind, kappa, aside, "κ ")


def failure_row(measure: Figures) -> Row:
    label, kind = "which steps fail", "failure_set"
    alpha = measure.get("alpha", {})
    if alpha.get("value") is None:
        why = measure.get("undefined") or alpha.get("undefined") or "no trajectory has two exhaustive annotations"
        return Row(label, kind, None, None, None, "", "", f"Undefined: {why}.")
    aside = joined(f"n {measure['n']}", number("F1 ±1", measure.get("f1", {}).get("1")))
    return valued_row(label, kind, alpha, aside, "α ")


def axis(found: list[Row]) -> tuple[float, float]:
    """One axis for all rows: 0 to 1, longer to the left where a figure or its interval lies below chance."""
    low = min([0.0, *[row.value for row in found if row.value is not None], *[row.ci[0] for row in found if row.ci]])
    return (max(-1.0, floor(low * 10) / 10), 1.0)


def told(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def tally(n: float) -> str:
    """A count of runs; with more than two annotators a run may count in part."""
    return f"{n:.1f}" if n % 1 else f"{n:.0f}"


def number(name: str, figure: Figures | None) -> str:
    if not figure or figure.get("value") is None:
        return ""
    return f"{name} {told(figure['value'])}"


def joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def why_undefined(measure: Figures, name: str) -> str:
    return (measure.get(name) or {}).get("undefined", "")
