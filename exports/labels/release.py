"""What a release kept, whatever has changed since."""

import json
from functools import cached_property

from django.db.models import QuerySet

from annotate.models import Item
from exports.labels.base import Labels
from exports.labels.gold import GOLD
from exports.models import Release
from exports.rows import Label, label_of


class ReleasedLabels(Labels):
    name = GOLD
    without = "not in the release"

    def __init__(self, release: Release):
        self.release = release

    @cached_property
    def labels(self) -> dict[int, Label]:
        records = map(json.loads, bytes(self.release.rows.content).splitlines())
        return {record["item"]: label_of(record) for record in records}

    def items(self) -> QuerySet[Item]:
        return Item.objects.filter(pk__in=list(self.labels))

    def labelled(self) -> QuerySet[Item]:
        return self.items()

    def of(self, items: list[Item]) -> dict[int, Label]:
        return {item.pk: self.labels[item.pk] for item in items}
