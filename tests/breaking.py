"""What the database itself turns down, whoever asks: by row, in bulk or in SQL."""

from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection, transaction


@contextmanager
def turned_down(why: str):
    """By a constraint of this name, or a trigger that says this; what comes after finds a working transaction."""
    with pytest.raises(DatabaseError, match=why), transaction.atomic():
        yield


def sql(statement: str, *values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def never_changes(row, **change) -> None:
    """Neither by its row, nor in bulk, nor in SQL; and it is never deleted."""
    rows, table = type(row)._base_manager.filter(pk=row.pk), row._meta.db_table
    with turned_down("Cannot update"):
        for name, value in change.items():
            setattr(row, name, value)
        row.save()
    with turned_down("Cannot update"):
        rows.update(**change)
    with turned_down("Cannot (update or )?delete"):
        rows.delete()
    with turned_down("Cannot (update or )?delete"):
        sql(f"DELETE FROM {table} WHERE {row._meta.pk.column} = %s", row.pk)
