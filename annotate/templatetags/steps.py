from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
def exact(text: str) -> SafeString:
    """Escaped text that the browser reads back to the character: a bare CR would become a line feed."""
    return mark_safe(escape(text).replace("\r", "&#13;"))


@register.filter
def size(characters: int) -> str:
    if characters < 1000:
        return f"{characters} characters"
    if characters < 1_000_000:
        return f"{characters / 1000:.1f} k characters"
    return f"{characters / 1_000_000:.1f} M characters"
