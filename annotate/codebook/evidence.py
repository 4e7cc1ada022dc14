"""What disagreement teaches the codebook. Apps above, which know of cases, register what they can tell."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from annotate.models import Project


@dataclass(frozen=True)
class Evidence:
    """A sentence on one or two categories, with the cases behind it: (words, url)."""

    categories: tuple[str, ...]
    text: str
    weight: int
    links: tuple[tuple[str, str], ...] = ()


Source = Callable[..., Iterable[Evidence]]
_sources: list[Source] = []


def tells_evidence(source: Source) -> Source:
    """Registers `source(user, project)`; it tells only of runs that this person can no longer get."""
    if source not in _sources:
        _sources.append(source)
    return source


def evidence_for(user, project: Project, category: str = "") -> list[Evidence]:
    found = [each for source in _sources for each in source(user, project)]
    chosen = [each for each in found if not category or category in each.categories]
    return sorted(chosen, key=lambda each: (-each.weight, each.text))
