"""Suggestions from files as rows: each record is stored, unchanged or refused by itself."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Protocol

from django.db import transaction
from django.db.models import Q

from people.actions import audit
from people.models import User
from suggestions.actions.prefetch import prefetch
from suggestions.constraints import known_from_a_log, stored_constraint
from suggestions.formats import read_suggestions
from suggestions.formats.drafts import ConstraintDraft, Draft, JudgementDraft, ViolationDraft
from suggestions.formats.reading import Options
from suggestions.models import Constraint, Judgement, Violation
from suggestions.targets import NotFound, Targets
from traces.formats.drafts import WARNING, Problem
from traces.models import Dataset

BATCH = 500  # records that are held, and judgements that are stored, at once
IDENTITY = ("trajectory_id", "source", "model", "protocol", "run")
AS_GIVEN = ("critical_step", "participant", "category", "ranking", "reason")
Progress = Callable[[int], None]


class Report(Protocol):
    """What the caller collects: read = stored + unchanged + refused, in records; warnings cost nothing."""

    stored: int
    unchanged: int
    refused: list[Problem]

    @property
    def read(self) -> int: ...

    def add(self, problem: Problem) -> None: ...


class Differs(Exception):
    """The same source said something else about this run before."""

    code = "differs"


# Whether a record is new, or why it is refused.
Outcome = bool | NotFound | Differs


def import_suggestions(
    *,
    dataset: Dataset,
    paths: Iterable[str | Path],
    format: str,
    by: User,
    report: Report,
    options: Options,
    source: str | None = None,
    project: str = "",
    progress: Progress = lambda n: None,
) -> None:
    """Read judgements, violations and constraints for runs of the dataset. Never touches what people annotated."""
    targets = Targets(dataset, source)
    before, constraints = report.stored, Constraint.objects.runnable_on(dataset).count()
    drafts = read_suggestions(paths, format, options)
    while batch := list(islice(drafts, BATCH)):
        _take(batch, targets, report, progress)
    if report.stored > before:
        audit("suggestions imported", dataset, by=by, format=format, stored=report.stored - before)
    if Constraint.objects.runnable_on(dataset).count() > constraints:
        prefetch(dataset=dataset, project=project, by=by.username)


def _take(batch: list[Draft | Problem], targets: Targets, report: Report, progress: Progress) -> None:
    judged = iter(_store_judgements([draft for draft in batch if isinstance(draft, JudgementDraft)], targets))
    for draft in batch:
        if isinstance(draft, Problem):
            report.add(draft)
        else:
            outcome = next(judged) if isinstance(draft, JudgementDraft) else _store_alone(draft, targets, report)
            if isinstance(outcome, bool):
                report.stored += outcome
                report.unchanged += not outcome
            else:
                report.add(Problem(draft.file, draft.where, outcome.code, str(outcome)))
        progress(report.read)


def _store_judgements(drafts: list[JudgementDraft], targets: Targets) -> list[Outcome]:
    """One outcome for each draft, with one read and one write for all of them."""
    rows = [_row_of(draft, targets) for draft in drafts]
    with transaction.atomic():
        # Two imports may tell the same at once: the second waits here and finds what the first has stored.
        Dataset.objects.select_for_update(no_key=True).get(pk=targets.dataset.pk)
        known = _known([row for row in rows if isinstance(row, Judgement)])
        outcomes = [_outcome(draft, row, known, targets) for draft, row in zip(drafts, rows, strict=True)]
        new = (row for row, outcome in zip(rows, outcomes, strict=True) if outcome is True)
        Judgement.objects.bulk_create(row for row in new if isinstance(row, Judgement))
    return outcomes


def _row_of(draft: JudgementDraft, targets: Targets) -> Judgement | NotFound:
    try:
        run = targets.find(draft.which)
        return Judgement(
            trajectory_id=run.pk,
            source=draft.source,
            model=draft.model,
            protocol=draft.protocol,
            run=draft.run,
            critical_step=None if draft.step is None else targets.position(run, draft.step, draft.base),
            participant=draft.participant,
            category=draft.category,
            ranking=[targets.position(run, step, draft.base) for step in draft.ranking],
            reason=draft.reason,
            raw=draft.raw,
        )
    except NotFound as error:
        return error


def _known(rows: list[Judgement]) -> dict[tuple, Judgement]:
    """What is stored under the identities of these rows."""
    runs = defaultdict(set)
    for row in rows:
        runs[_identity(row)[1:]].add(row.trajectory_id)
    wanted = [Q(trajectory__in=ids, **dict(zip(IDENTITY[1:], rest, strict=True))) for rest, ids in runs.items()]
    if not wanted:
        return {}
    found = Judgement.objects.filter(Q(*wanted, _connector=Q.OR)).only(*IDENTITY, *AS_GIVEN)
    return {_identity(row): row for row in found}


def _identity(row: Judgement) -> tuple:
    return tuple(getattr(row, name) for name in IDENTITY)


def _outcome(
    draft: JudgementDraft, row: Judgement | NotFound, known: dict[tuple, Judgement], targets: Targets
) -> Outcome:
    """What is new is known from then on, so that a file which says it twice is compared with itself."""
    if isinstance(row, NotFound):
        return row
    first = known.setdefault(_identity(row), row)
    if all(getattr(row, name) == getattr(first, name) for name in AS_GIVEN):
        return first is row
    name = targets.find(draft.which).name
    return Differs(f"{draft.model} said something else about {name} before; give this one another --run")


def _store_alone(draft: ViolationDraft | ConstraintDraft, targets: Targets, report: Report) -> Outcome:
    try:
        with transaction.atomic():
            if isinstance(draft, ViolationDraft):
                return _store_violation(draft, targets)
            return _store_constraint(draft, targets, report)
    except (NotFound, Differs) as error:
        return error


def _store_violation(draft: ViolationDraft, targets: Targets) -> bool:
    run = targets.find(draft.which)
    position = targets.position(run, draft.step, "position")
    violation, is_new = Violation.objects.get_or_create(
        trajectory_id=run.pk,
        constraint=known_from_a_log(draft),
        step=position,
        source=draft.source,
        run=draft.run,
        defaults={"evidence": draft.evidence},
    )
    if not is_new and violation.evidence != draft.evidence:
        raise Differs(f"{draft.name} at step {position} of {run.name} has other evidence already")
    return is_new


def _store_constraint(draft: ConstraintDraft, targets: Targets, report: Report) -> bool:
    run = targets.find(draft.which) if draft.which else None
    first = targets.position(run, draft.from_number, "number") if run and draft.from_number else 0
    constraint, is_new = stored_constraint(targets.dataset, draft.spec, run.pk if run else None, first)
    if is_new and constraint.fault:
        message = f"{constraint.name} cannot run and will not be evaluated: {constraint.fault}"
        report.add(Problem(draft.file, draft.where, "check_cannot_run", message, WARNING))
    elif is_new and constraint.repairs:
        message = f"{constraint.name} was repaired: {', '.join(constraint.repairs).replace('_', ' ')}"
        report.add(Problem(draft.file, draft.where, "check_repaired", message, WARNING))
    return is_new
