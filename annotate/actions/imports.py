"""Traces and labels from files. A bad record is reported by place and code and costs only itself."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from django.db import transaction
from django.utils import timezone

from annotate.actions.projects import add_member, put_items
from annotate.actions.recording import SUBMIT, append, hand_in, item_changed, project_changed, sha256_of
from annotate.fold import apply, empty_state, new_failure
from annotate.formats import read_labels
from annotate.formats.drafts import NATIVE_INDEX, FailureDraft, LabelDraft
from annotate.models import Annotation, Assignment, Item, Membership, Project
from annotate.protocols import protocol_of
from annotate.rows import PatchWriter, write_answers
from people.actions import audit, imported_user
from people.models import User
from suggestions.actions import prefetch
from taxonomy.actions import coin, spellings
from taxonomy.models import Category, Code
from taxonomy.presets.spelling import fold
from traces.actions import Differs, store
from traces.formats import read_traces
from traces.formats.drafts import REFUSED, WARNING, Problem, TrajectoryDraft
from traces.models import Trajectory
from traces.numbering import agentrx_positions

T = TypeVar("T")
LONGEST = Code._meta.get_field("phrase").max_length
Progress = Callable[[int], None]


class RefusedRecord(Exception):
    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code, self.message = code, message


@dataclass
class ImportReport:
    """read = stored + unchanged + refused, in records; warnings cost nothing."""

    stored: int = 0
    unchanged: int = 0
    refused: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def read(self) -> int:
        return self.stored + self.unchanged + len(self.refused)

    def add(self, problem: Problem) -> None:
        (self.refused if problem.severity == REFUSED else self.warnings).append(problem)

    def as_json(self) -> dict:
        return {
            "read": self.read,
            "stored": self.stored,
            "unchanged": self.unchanged,
            "refused": [said(problem) for problem in self.refused],
            "warnings": [said(problem) for problem in self.warnings],
        }


def said(problem: Problem) -> dict:
    return {name: value for name, value in asdict(problem).items() if name != "severity"}


def import_traces(
    *,
    project: Project,
    paths: Iterable[str | Path],
    by: User,
    format: str = "auto",
    source: str | None = None,
    domain: str | None = None,
    progress: Progress = lambda n: None,
) -> ImportReport:
    """Read trajectories into the project's dataset, and put an item of each before the annotators."""
    report = ImportReport()
    for draft in counted(read_traces(paths, format, source, domain), report, progress):
        store_trace(project, draft, report)
    for each in Project.objects.filter(dataset=project.dataset_id, closed_at=None):
        if put_items(each):
            project_changed(each)
    if report.stored:
        prefetch(dataset=project.dataset, project=project.slug, by=by.username)
        audit("traces imported", project, by=by, project=project.slug, **totals(report))
    return report


def store_trace(project: Project, draft: TrajectoryDraft, report: ImportReport) -> None:
    try:
        stored = store(dataset=project.dataset, draft=draft)
    except Differs as error:
        report.add(Problem(draft.origin["file"], draft.origin["where"], "differs", str(error)))
        return
    report.stored += stored.is_new
    report.unchanged += not stored.is_new


def import_labels(
    *,
    project: Project,
    paths: Iterable[str | Path],
    annotator: str,
    by: User,
    format: str = "auto",
    source: str | None = None,
    reasons_as_codes: bool = False,
    progress: Progress = lambda n: None,
) -> ImportReport:
    """Labels of one outside annotator as submitted annotations. Raises NameTaken where the name is a person's.

    `reasons_as_codes` makes every reason an open code, for a codebook that is to grow out of labels.
    """
    drafts = read_labels(paths, format)
    user = imported_user(annotator)
    add_member(project=project, user=user, role=Membership.Role.ANNOTATOR, by=by)
    report = ImportReport()
    importer = LabelImporter(project, user, source, reasons_as_codes)
    for draft in counted(drafts, report, progress):
        try:
            with transaction.atomic():
                is_new = importer.take(draft)
        except RefusedRecord as error:
            report.add(Problem(draft.file, draft.where, error.code, error.message))
            continue
        report.stored += is_new
        report.unchanged += not is_new
    report.warnings += importer.warnings
    if report.stored:
        audit("labels imported", project, by=by, project=project.slug, annotator=user.username, **totals(report))
    return report


def counted(drafts: Iterator[T | Problem], report: ImportReport, progress: Progress) -> Iterator[T]:
    """The drafts of a reader; its problems go into the report on the way."""
    for draft in drafts:
        if isinstance(draft, Problem):
            report.add(draft)
        else:
            yield draft
        progress(report.read)


def totals(report: ImportReport) -> dict:
    counts = {"stored": report.stored, "unchanged": report.unchanged}
    return counts | {"refused": len(report.refused), "warnings": len(report.warnings)}


class LabelImporter:
    """Puts the labels of one annotator on the items of one project."""

    def __init__(self, project: Project, user: User, source: str | None, reasons_as_codes: bool = False):
        self.project, self.user, self.source, self.reasons_as_codes = project, user, source, reasons_as_codes
        self.version = project.taxonomy_version
        self.protocol = protocol_of(project.protocol)
        self.categories = spellings(self.version)
        self.warnings: list[Problem] = []

    def take(self, draft: LabelDraft) -> bool:
        """True where the label is new, False where it is there already; else RefusedRecord."""
        trajectory = self.trajectory_of(draft)
        item = Item.objects.filter(project=self.project, trajectory=trajectory, claimed_step=None).first()
        if item is None:
            raise RefusedRecord("no_item", f"{trajectory} is not put before the annotators of this project")
        state = self.state_of(draft, trajectory)
        known = Annotation.objects.current().filter(item=item, user=self.user).first()
        if known is not None:
            return self.compare(known, draft, state)
        self.write(item, draft, state)
        return True

    def trajectory_of(self, draft: LabelDraft) -> Trajectory:
        found = Trajectory.objects.filter(dataset=self.project.dataset_id, external_id=str(draft.external_id))
        if self.source is not None:
            found = found.filter(source=self.source)
        elif draft.source is not None and found.filter(source=draft.source).exists():
            found = found.filter(source=draft.source)
        trajectories = list(found[:2])
        if not trajectories:
            where = f" of source {self.source}" if self.source else ""
            message = f"no trajectory{where} has the id {draft.external_id}; import the traces first"
            raise RefusedRecord("unknown_trajectory", message)
        if len(trajectories) > 1:
            message = f"the id {draft.external_id} names two trajectories; say which with --source"
            raise RefusedRecord("ambiguous", message)
        return trajectories[0]

    def state_of(self, draft: LabelDraft, trajectory: Trajectory) -> dict:
        native = trajectory.steps.values_list("position", "native_index")
        positions = agentrx_positions(trajectory.format, native)
        roles = dict(trajectory.steps.values_list("position", "agent"))
        failures = {}
        for number, failure in enumerate(draft.failures, start=1):
            position = self.position_of(failure, trajectory, positions)
            participant = spelt_as_in(trajectory, failure.participant)
            self.warn_of_another_speaker(draft, failure, participant, roles.get(position, ""))
            category = self.category_of(draft, failure)
            failures[failure.key] = new_failure(
                number=number,
                first_step=position,
                last_step=position,
                participant=participant,
                codes=self.codes_of(failure),
                category=category.key if category else None,
                step_reason=failure.step_reason,
                category_reason=failure.category_reason,
            )
        answers = {
            **empty_state()["answers"],
            "outcome": draft.outcome,
            "critical": draft.critical_key,
            "reason_for_root_cause": draft.reason_for_root_cause,
            "failure_summary": draft.summary,
        }
        return {"failures": failures, "answers": answers}

    def position_of(self, failure: FailureDraft, trajectory: Trajectory, positions: dict[int, int]) -> int:
        if failure.base == NATIVE_INDEX and failure.number in positions:
            return positions[failure.number]
        if failure.base != NATIVE_INDEX and 0 <= failure.number < trajectory.n_steps:
            return failure.number
        first, last = (min(positions), max(positions)) if failure.base == NATIVE_INDEX else (0, trajectory.n_steps - 1)
        message = f"step {failure.number} is not in {trajectory}, whose steps go from {first} to {last}"
        raise RefusedRecord("step_out_of_range", message)

    def category_of(self, draft: LabelDraft, failure: FailureDraft) -> Category | None:
        if failure.category_raw is None:
            return None
        category = self.categories.get(fold(failure.category_raw))
        if category is None and self.categories:
            message = f"“{failure.category_raw}” is no category or alias of {self.version}; add it to the aliases"
            raise RefusedRecord("unknown_category", message)
        if category is None:
            message = f"“{failure.category_raw}” was kept raw: {self.version} has no categories"
            self.warnings.append(Problem(draft.file, draft.where, "category_kept_raw", message, WARNING))
        return category

    def codes_of(self, failure: FailureDraft) -> list[str]:
        reason = " ".join(failure.step_reason.split())
        if not self.reasons_as_codes or not reason:
            return []
        phrase = reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 1]}…"
        definition = "" if phrase == reason else reason
        return [coin(taxonomy=self.version.taxonomy, phrase=phrase, definition=definition, by=self.user).phrase]

    def warn_of_another_speaker(self, draft: LabelDraft, failure: FailureDraft, blamed: str, speaker: str) -> None:
        if blamed.casefold() != speaker.casefold():
            message = f"step {failure.number} blames {blamed or 'nobody'}, but {speaker or 'several'} acts there; kept as it is"
            self.warnings.append(Problem(draft.file, draft.where, "not_the_speaker", message, WARNING))

    def compare(self, known: Annotation, draft: LabelDraft, state: dict) -> bool:
        first = known.submissions.first()
        if known.raw == draft.raw and first is not None and first.sha256 == sha256_of(state):
            return False
        message = f"{self.user} has another label for this trajectory already; it was left as it is"
        raise RefusedRecord("differs", message)

    def write(self, item: Item, draft: LabelDraft, state: dict) -> None:
        annotation = Annotation.objects.create(
            item=item,
            user=self.user,
            exhaustive=draft.exhaustive,
            critical_definition=draft.critical_definition,
            raw=draft.raw,
        )
        _, inverse = apply(empty_state(), state)
        append(annotation, self.user, "import", "import", {"file": draft.file, "where": draft.where}, state, inverse)
        PatchWriter(annotation, self.version, self.user, "import").write(state)
        for failure in draft.failures:
            annotation.failures.filter(key=failure.key).update(raw=failure.raw)
        write_answers(annotation, self.protocol.answers(state))
        append(annotation, self.user, SUBMIT, SUBMIT, {}, {}, {})
        now = timezone.now()
        Assignment.objects.create(
            item=item, user=self.user, state=Assignment.State.SUBMITTED, held_until=now, ended_at=now
        )
        hand_in(annotation, state, planned=True)
        item_changed(item)


def spelt_as_in(trajectory: Trajectory, name: str) -> str:
    """The name as the trajectory spells it: `Websurfer` of a label is the WebSurfer of the run."""
    return next((known for known in trajectory.participants if known.casefold() == name.casefold()), name)
