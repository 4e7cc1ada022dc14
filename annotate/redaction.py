"""Quotations of redacted steps in annotations: evidence, wherever an annotation keeps it. What people wrote in words of
their own stays, and so does the fingerprint of what they handed in."""

from typing import Any

import pgtrigger
from django.db.models import QuerySet

from annotate.models import Failure, Revision, Submission
from traces.models import Trajectory
from traces.redaction import REDACTED, clears_words

SPAN = {"step", "start", "end", "text"}
FROZEN = (
    "annotate.Failure:failures_are_frozen_by_submit",
    "annotate.Revision:revisions_are_append_only",
    "annotate.Submission:submissions_never_change",
)


@clears_words
def clear_quotations(trajectory: Trajectory, positions: frozenset[int]) -> None:
    here = {"annotation__item__trajectory": trajectory}
    with pgtrigger.ignore(*FROZEN):
        rewrite(Failure.objects.filter(**here), positions, "evidence")
        rewrite(Revision.objects.filter(**here), positions, "payload", "patch", "inverse")
        rewrite(Submission.objects.filter(**here), positions, "state")


def rewrite(rows: QuerySet, positions: frozenset[int], *names: str) -> None:
    for row in rows:
        clean = {name: without_quotations(getattr(row, name), positions) for name in names}
        if any(clean[name] != getattr(row, name) for name in names):
            rows.model.objects.filter(pk=row.pk).update(**clean)


def without_quotations(value: Any, positions: frozenset[int]) -> Any:
    """The same with the text of every span of these steps redacted, however deep."""
    if isinstance(value, list):
        return [without_quotations(each, positions) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() >= SPAN and value["step"] in positions:
        return value | {"text": REDACTED}
    return {key: without_quotations(each, positions) for key, each in value.items()}
