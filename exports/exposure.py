"""Who has been given labels on a run can no longer annotate it blind: that is noted with the export."""

from collections.abc import Iterable, Iterator

from annotate.models import Exposure
from exports.rows import LeftOut, Row
from people.models import User

EXPORT = "export"


def watched(rows: Iterable[Row | LeftOut], shown: set[int]) -> Iterator[Row | LeftOut]:
    """The same rows; the items with a label are put into `shown` on the way."""
    for row in rows:
        if isinstance(row, Row):
            shown.add(row.item)
        yield row


def note_exposure(user: User, items: set[int]) -> None:
    known = Exposure.objects.filter(user=user, to=EXPORT, item__in=items).values_list("item_id", flat=True)
    new = [Exposure(item_id=item, user=user, to=EXPORT) for item in sorted(items.difference(known))]
    Exposure.objects.bulk_create(new, ignore_conflicts=True, batch_size=1000)
