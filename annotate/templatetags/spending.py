"""Money and time of calls in words; a price that is not known is said, not taken as nothing."""

from decimal import Decimal

from django import template

register = template.Library()


@register.filter
def dollars(amount: Decimal | float | None) -> str:
    if amount is None or amount == "":
        return "price not known"
    return f"{amount:.2f}" if amount == 0 or amount >= 1 else f"{amount:.4f}"


@register.filter
def seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f}"


@register.filter
def percent_of(share: float) -> float:
    return round(100 * share, 1)
