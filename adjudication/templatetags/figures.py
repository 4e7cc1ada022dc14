"""Figures as SVG: tags work out the places, the templates hold the shapes."""

from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe

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
    return {**SIGNS, "check": "✓ check"}.get(reason["kind"], reason["kind"])


@register.simple_tag
def items_of(project, page, measure: str, which: str, k: int = 0) -> str:
    """Where the runs behind a figure are, under the page's filter."""
    asked = {"measure": measure} | ({"is": which} if which else {}) | ({"k": k} if k else {})
    return f"{reverse('agreement_items', args=[project.slug])}?{urlencode(page.filter.given | asked)}"


@register.simple_tag
def items_of_cell(project, page, measure: str, cell) -> str:
    asked = {"measure": measure, "x": cell.row, "y": cell.column}
    return f"{reverse('agreement_items', args=[project.slug])}?{urlencode(page.filter.given | asked)}"


@register.simple_tag
def share(figure) -> str:
    if figure.value is None:
        return mark_safe('<span class="muted">–</span>')
    return format_html('{} <span class="muted small">/ {}</span>', told(figure.value), figure.n)


@register.simple_tag
def shares_cells(figures) -> str:
    found = (figures.exact, figures.near, figures.agent, figures.category, figures.outcome)
    return format_html_join("", '<td class="num nowrap">{}</td>', ((share(figure),) for figure in found))


@register.inclusion_tag("adjudication/figures/interval.html")
def dot(figure) -> dict:
    """A share on the axis from 0 to 1, beside what blind guessing would reach."""
    unit = (0.0, 1.0)
    return {
        "label": f"{told(figure.value)} of {figure.n}" if figure.value is not None else "nothing to compare",
        "dot": place(figure.value, unit) if figure.value is not None else None,
        "floor": place(figure.chance, unit) if figure.chance is not None else None,
    }


@register.inclusion_tag("adjudication/figures/scale.html")
def unit_scale() -> dict:
    return scale((0.0, 1.0))
