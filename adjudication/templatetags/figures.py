"""Figures as SVG: tags work out the places, the templates hold the shapes."""

from django import template

from adjudication.agreement_rows import Row, told
from adjudication.do_next import SIGNS
from adjudication.standing import STAGES

register = template.Library()


def place(value: float, axis: tuple[float, float]) -> str:
    low, high = axis
    share = (min(max(value, low), high) - low) / (high - low)
    return f"{share * 100:.2f}%"


def said(row: Row) -> str:
    """What a picture of the row says to who cannot see it."""
    words = [row.words]
    if row.ci:
        words.append(f"95 % interval {row.ci_words}")
    if row.floor is not None:
        words.append(f"blind guessing {told(row.floor)}")
    return ", ".join(words)


@register.inclusion_tag("adjudication/figures/interval.html")
def interval(row: Row, axis: tuple[float, float]) -> dict:
    return {
        "label": said(row),
        "dot": place(row.value, axis) if row.value is not None else None,
        "ends": [place(bound, axis) for bound in row.ci] if row.ci else None,
        "floor": place(row.floor, axis) if row.floor is not None else None,
        "zero": place(0, axis) if axis[0] < 0 else None,
    }


@register.inclusion_tag("adjudication/figures/scale.html")
def scale(axis: tuple[float, float]) -> dict:
    low, high = axis
    ticks = sorted({low, 0.0, 0.5, high})
    ends = {low: "start", high: "end"}
    return {"ticks": [(place(tick, axis), f"{tick:g}".replace("-", "−"), ends.get(tick, "middle")) for tick in ticks]}


@register.inclusion_tag("adjudication/figures/stacked.html")
def stacked(parts: list[dict], label: str) -> dict:
    """`parts`: [{n, fill}] in order; the whole is their sum."""
    total, at, drawn = sum(part["n"] for part in parts), 0, []
    for part in parts:
        if part["n"]:
            drawn.append({"x": f"{at / total * 100:.3f}%", "width": f"{part['n'] / total * 100:.3f}%", **part})
        at += part["n"]
    return {"parts": drawn, "label": label}


@register.filter
def stage_words(item) -> str:
    return STAGES[item.stage]


@register.filter
def stage_tag(item) -> str:
    return {"gold": "tag--good", "case": "tag--critical", "working": "tag--accent"}.get(item.stage, "")


@register.filter
def sign(reason: dict) -> str:
    return SIGNS.get(reason["kind"], reason["kind"])
