from functools import lru_cache

from django import template
from django.conf import settings
from django.templatetags.static import static

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1)
def workbench_modules() -> list[str]:
    """The addresses of what main.js imports, by itself or through others."""
    folder = settings.BASE_DIR / "static" / "js" / "workbench"
    names = sorted(path.name for path in folder.glob("*.js"))
    return [static(f"js/workbench/{name}") for name in names if name not in ("start.js", "main.js")]
