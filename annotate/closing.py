"""Items of which a person is told nothing for now, besides those she may still get. Apps above know of them."""

from collections.abc import Callable

from django.db.models import Q, QuerySet

Source = Callable[..., QuerySet]
_sources: list[Source] = []


def closes_items(source: Source) -> Source:
    """Registers `source(user)`, a query of the ids of items on which colleagues' work is closed to this person."""
    if source not in _sources:
        _sources.append(source)
    return source


def is_closed_above(user, item: str = "item") -> Q:
    """Of rows with such an item, by the name of its field."""
    closed = Q(pk__in=[])
    for source in _sources:
        closed |= Q(**{f"{item}__in": source(user)})
    return closed
