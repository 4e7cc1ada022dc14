from typing import Any

from annotate.fold import Patch, moved
from annotate.models import Annotation, Revision
from people.models import User


def append(
    annotation: Annotation, user: User, key: str, op: str, payload: Any, patch: Patch, inverse: Patch
) -> Revision:
    """The next revision of the annotation; its counters are set but not saved yet."""
    annotation.revision += 1
    annotation.undoable, annotation.redoable = moved(op, annotation.revision, annotation.undoable, annotation.redoable)
    return Revision.objects.create(
        annotation=annotation,
        number=annotation.revision,
        key=key,
        op=op,
        payload=payload,
        patch=patch,
        inverse=inverse,
        by=user,
    )
