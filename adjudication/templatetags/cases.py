"""What the page of a case says about marks, reasons and fields."""

from django import template

from adjudication.alignment import MarkCard
from adjudication.ruling_draft import RulingDraft

register = template.Library()

EFFECTS = {
    "recovered": ("↺ recovered", "good"),
    "harmless": ("○ harmless", "plain"),
    "persists": ("⚑ persists", "bad"),
    "unknown": ("effect unknown", "plain"),
}


@register.filter
def get(mapping, key):
    return mapping.get(key, "")


@register.filter
def is_kept(mark: MarkCard, draft: RulingDraft) -> bool:
    return mark.value in draft.kept


@register.simple_tag
def category_of(mark, names: dict[str, str]) -> str:
    """The name of a mark's category, of an annotation or of a ruling."""
    failure = mark.failure if isinstance(mark, MarkCard) else mark
    if failure["category"]:
        return names.get(failure["category"], failure["category"])
    return "none fits" if failure["none_fits"] else ""


@register.simple_tag
def title_of(mark: MarkCard, names: dict[str, str]) -> str:
    """A mark in a line: its first code; an imported one has none and is called by its category."""
    codes = mark.failure["codes"]
    return codes[0] if codes else category_of(mark, names) or "a failure"


@register.simple_tag(takes_context=True)
def number_at(context, position: int | None) -> str:
    """The number pages show for a position; off the steps there is none."""
    steps = context["alignment"].steps
    return str(steps[position].number) if position is not None and position < len(steps) else ""


@register.filter
def effect_words(failure: dict) -> str:
    return EFFECTS.get(failure["effect"], ("", ""))[0]


@register.filter
def effect_tone(failure: dict) -> str:
    return EFFECTS.get(failure["effect"], ("", "plain"))[1]


@register.filter
def error(draft: RulingDraft, name: str) -> str:
    return draft.errors.get(name, "")


@register.filter
def text(draft: RulingDraft, name: str) -> str:
    return draft.text(name)


@register.filter
def merges(draft: RulingDraft, place) -> bool:
    return str(place) in draft.data.get("merge", [])
