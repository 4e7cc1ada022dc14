"""Suggestions from files as rows: each record is stored, unchanged or refused by itself."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from django.db import transaction

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
    for draft in read_suggestions(paths, format, options):
        if isinstance(draft, Problem):
            report.add(draft)
        else:
            _take(draft, targets, report)
        progress(report.read)
    if report.stored > before:
        audit("suggestions imported", dataset, by=by, format=format, stored=report.stored - before)
    if Constraint.objects.runnable_on(dataset).count() > constraints:
        prefetch(dataset=dataset, project=project, by=by.username)


def _take(draft: Draft, targets: Targets, report: Report) -> None:
    try:
        with transaction.atomic():
            is_new = _store(draft, targets, report)
    except NotFound as error:
        report.add(Problem(draft.file, draft.where, error.code, str(error)))
    except Differs as error:
        report.add(Problem(draft.file, draft.where, "differs", str(error)))
    else:
        report.stored += is_new
        report.unchanged += not is_new


def _store(draft: Draft, targets: Targets, report: Report) -> bool:
    if isinstance(draft, JudgementDraft):
        return _store_judgement(draft, targets)
    if isinstance(draft, ViolationDraft):
        return _store_violation(draft, targets)
    return _store_constraint(draft, targets, report)


def _store_judgement(draft: JudgementDraft, targets: Targets) -> bool:
    run = targets.find(draft.which)
    same = {"source": draft.source, "model": draft.model, "protocol": draft.protocol, "run": draft.run}
    given = {
        "critical_step": None if draft.step is None else targets.position(run, draft.step, draft.base),
        "participant": draft.participant,
        "category": draft.category,
        "ranking": [targets.position(run, step, draft.base) for step in draft.ranking],
        "reason": draft.reason,
    }
    judgement, is_new = Judgement.objects.get_or_create(
        trajectory_id=run.pk, **same, defaults={**given, "raw": draft.raw}
    )
    if not is_new and any(getattr(judgement, name) != given[name] for name in AS_GIVEN):
        raise Differs(f"{draft.model} said something else about {run.name} before; give this one another --run")
    return is_new


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
