from django.db.models import QuerySet

from annotate.models import Item
from exports.rows import Label


class Labels:
    """Labels by item. `without` says why an item has none."""

    name: str
    without: str

    def items(self) -> QuerySet[Item]:
        """The items that an export of these labels has to account for."""
        raise NotImplementedError

    def labelled(self) -> QuerySet[Item]:
        raise NotImplementedError

    def of(self, items: list[Item]) -> dict[int, Label]:
        """The labels of a chunk of items, by a number of queries that does not grow with it."""
        raise NotImplementedError
