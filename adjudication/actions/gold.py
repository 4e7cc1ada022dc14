"""Gold labels as rows: what is wanted is compared with what stands, and only the difference is written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from adjudication.models import GoldLabel


@dataclass(frozen=True)
class Label:
    value: Any
    basis: str
    rests_on: list[dict[str, Any]]


Labels = Mapping[str, Label]  # by field


def settle_gold(wanted: Mapping[int, Labels]) -> int:
    """Make the gold of these items exactly what is wanted; how many rows changed. Twice in a row changes nothing."""
    standing = {(row.item_id, row.field): row for row in GoldLabel.objects.filter(item__in=wanted)}
    now, new, changed = timezone.now(), [], []
    for item, labels in wanted.items():
        for field, label in labels.items():
            row = standing.pop((item, field), None)
            if row is None:
                new.append(GoldLabel(item_id=item, field=field, at=now, **vars(label)))
            elif (row.value, row.basis, row.rests_on) != (label.value, label.basis, label.rests_on):
                row.value, row.basis, row.rests_on, row.at = label.value, label.basis, label.rests_on, now
                changed.append(row)
    GoldLabel.objects.bulk_create(new)
    GoldLabel.objects.bulk_update(changed, ["value", "basis", "rests_on", "at"])
    GoldLabel.objects.filter(pk__in=[row.pk for row in standing.values()]).delete()
    return len(new) + len(changed) + len(standing)
