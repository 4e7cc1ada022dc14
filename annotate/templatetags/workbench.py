from functools import lru_cache

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1)
def workbench_modules() -> list[str]:
    """The paths of the page's modules, so that the browser asks for all at once instead of one import after another."""
    folder = settings.BASE_DIR / "static" / "js" / "workbench"
    return [f"js/workbench/{path.name}" for path in sorted(folder.glob("*.js")) if path.name != "main.js"]
