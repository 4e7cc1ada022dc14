from typing import Any

from django.db import connection
from django.utils import timezone
from psycopg.types.json import Jsonb

from annotate.fold import Patch, moved
from annotate.models import Annotation
from people.models import User

# Every save asks it: in one statement and written out, it costs a fourth of what composing two would.
APPEND = """
    WITH counted AS (
        UPDATE annotate_annotation SET revision = %(number)s, undoable = %(undoable)s, redoable = %(redoable)s
        WHERE id = %(annotation)s
    )
    INSERT INTO annotate_revision (annotation_id, number, key, op, payload, patch, inverse, by_id, at)
    VALUES (%(annotation)s, %(number)s, %(key)s, %(op)s, %(payload)s, %(patch)s, %(inverse)s, %(by)s, %(at)s)
"""


def append(annotation: Annotation, user: User, key: str, op: str, payload: Any, patch: Patch, inverse: Patch) -> None:
    """The next revision of the annotation, and in its row the counters that stand beside the log."""
    annotation.revision += 1
    annotation.undoable, annotation.redoable = moved(op, annotation.revision, annotation.undoable, annotation.redoable)
    row = {
        "annotation": annotation.pk,
        "number": annotation.revision,
        "undoable": annotation.undoable,
        "redoable": annotation.redoable,
        "key": key,
        "op": op,
        "payload": Jsonb(payload),
        "patch": Jsonb(patch),
        "inverse": Jsonb(inverse),
        "by": user.pk,
        "at": timezone.now(),
    }
    with connection.cursor() as cursor:
        cursor.execute(APPEND, row)
