"""One annotator's labels as last handed in."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from annotate.models import Annotation, Item, Membership, Project, Submission
from exports.errors import UnknownAnnotator
from exports.labels.base import Labels
from exports.labels.marks import mark_of
from exports.labels.naming import Naming
from exports.rows import Label
from people.models import User

ANNOTATOR = "annotator:"


class AnnotatorLabels(Labels):
    """The last submission of each current annotation; `user` narrows it to what that person may see."""

    def __init__(self, project: Project, annotator: User, user: User | None, naming: Naming):
        self.project = project
        self.name = f"{ANNOTATOR}{annotator.username}"
        self.without = f"not labelled by {annotator.username}"
        self.naming = naming
        seen = Annotation.objects.current() if user is None else Annotation.objects.current().visible_to(user)
        self.annotations = seen.filter(item__project=project, user=annotator)

    def items(self) -> QuerySet[Item]:
        return Item.objects.of(self.project)

    def labelled(self) -> QuerySet[Item]:
        # Ids are read first: nested subqueries leave a database without statistics to guess, and it guesses badly.
        shown = dict(self.annotations.values_list("pk", "item_id"))
        handed_in = Submission.objects.filter(annotation__in=list(shown)).values_list("annotation_id", flat=True)
        return Item.objects.filter(pk__in={shown[annotation] for annotation in handed_in})

    def of(self, items: list[Item]) -> dict[int, Label]:
        shown = list(self.annotations.filter(item__in=items).values_list("pk", flat=True))
        rows = Submission.objects.filter(annotation__in=shown).order_by("annotation_id", "-number")
        latest = rows.distinct("annotation_id").select_related("annotation").prefetch_related("annotation__failures")
        rows = list(latest)
        under = self.naming.under(row.annotation_id for row in rows)
        return {
            row.annotation.item_id: annotator_label(row, self.naming, under.get(row.annotation_id, {})) for row in rows
        }


def annotator_called(name: str, project: Project) -> User:
    """Somebody who annotates or annotated in the project; else UnknownAnnotator."""
    found = User.objects.called(name).first()
    is_one = found is not None and (
        project.memberships.filter(user=found, role=Membership.Role.ANNOTATOR).exists()
        or Annotation.objects.filter(user=found, item__project=project).exists()
    )
    if not is_one:
        raise UnknownAnnotator(name, project.slug)
    return found


def annotator_label(submission: Submission, naming: Naming, known: Mapping[str, str | None]) -> Label:
    annotation, answers = submission.annotation, submission.state["answers"]
    raw = {failure.key: failure.raw for failure in annotation.failures.all()}
    states = sorted(submission.state["failures"].items(), key=lambda pair: pair[1]["number"])
    marks = [mark_of(key, f, naming, is_critical=key == answers["critical"], raw=raw.get(key, {})) for key, f in states]
    said_here = submission.version_id == naming.version.pk
    marks = [naming.recoded(mark, known, said_here) for mark in marks]
    return Label(
        outcome=submission.outcome,
        failures=tuple(marks),
        confidence=answers["confidence"],
        reason_for_root_cause=answers["reason_for_root_cause"],
        failure_summary=answers["failure_summary"],
        provenance=provenance_of(submission),
        raw=annotation.raw,
    )


def provenance_of(submission: Submission) -> dict[str, Any]:
    annotation = submission.annotation
    return {
        "processes": [annotation.process],
        "definitions": [annotation.critical_definition],
        "exhaustive": annotation.exhaustive,
        "rests_on": [
            {
                "annotation": annotation.pk,
                "submission": submission.pk,
                "number": submission.number,
                "sha256": submission.sha256,
                "at": submission.at.isoformat(),
                "planned": submission.planned,
                "assisted": submission.assisted,
            }
        ],
    }
