"""What waits for a person in a project besides annotating. Apps above add theirs when they start."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from annotate.models import Project


@dataclass(frozen=True)
class Waiting:
    """One sentence and the one button that answers it; `posts` where pressing it changes something."""

    text: str
    button: str
    url: str
    posts: bool = False


Source = Callable[..., Iterator[tuple[int, Waiting]]]
_sources: list[Source] = []


def tells_what_waits(source: Source) -> Source:
    """Registers `source(user, projects)`, which yields (project id, Waiting) in a number of queries that is flat."""
    if source not in _sources:
        _sources.append(source)
    return source


def waiting_for(user, projects: list[Project]) -> dict[int, list[Waiting]]:
    found: dict[int, list[Waiting]] = defaultdict(list)
    for source in _sources:
        for project_id, line in source(user, projects):
            found[project_id].append(line)
    return found
