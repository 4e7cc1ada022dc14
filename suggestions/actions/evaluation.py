"""Constraints on stored runs. Equal content under equal constraints is not evaluated again."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from suggestions.builtin import BUILTINS, VERSION
from suggestions.constraints import BUILTIN, as_run, builtin_rows, imported_for
from suggestions.engine import Tally, evaluate
from suggestions.models import Constraint, Evaluation, Violation
from suggestions.runs import run_of
from suggestions.verdicts import Result
from traces.models import Dataset, Trajectory

Progress = Callable[[int, int], None]


@dataclass
class Evaluated:
    """What a whole dataset has now; `evaluated` counts the runs that were not done before."""

    trajectories: int = 0
    evaluated: int = 0
    constraints: int = 0
    violations: int = 0
    not_evaluated: int = 0

    def as_json(self) -> dict:
        return {
            "trajectories": self.trajectories,
            "constraints": self.constraints,
            "violations": self.violations,
            "not_evaluated": self.not_evaluated,
            "cost": 0,
            "evaluated": self.evaluated,
        }


def evaluate_dataset(
    *, dataset: Dataset, dry_run: bool = False, progress: Progress = lambda done, total: None
) -> Evaluated:
    """Every run of the dataset, one transaction each. A dry run finds the same and stores nothing."""
    runs = Trajectory.objects.filter(dataset=dataset).select_related("dataset", "policy", "toolset").order_by("pk")
    told = Evaluated(
        trajectories=runs.count(),
        constraints=len(BUILTINS) + Constraint.objects.runnable_on(dataset).count(),
    )
    for done, trajectory in enumerate(runs.iterator(chunk_size=50)):
        progress(done, told.trajectories)
        is_new, counts = evaluate_trajectory(trajectory=trajectory, dry_run=dry_run)
        told.evaluated += is_new
        told.violations += counts.get("violated", 0)
        told.not_evaluated += counts.get("not_evaluated", 0)
    return told


def evaluate_trajectory(*, trajectory: Trajectory, dry_run: bool = False) -> tuple[bool, dict]:
    """Whether it was evaluated now, and how many (step, constraint) pairs got which verdict."""
    imported = imported_for(trajectory)
    key = _key(trajectory, imported)
    known = Evaluation.objects.filter(trajectory=trajectory, source=BUILTIN).first()
    if known is not None and known.key == key:
        return False, known.counts
    tally = evaluate(run_of(trajectory), [*BUILTINS, *map(as_run, imported)])
    if not dry_run:
        _store(trajectory, key, tally, {str(row.pk): row for row in imported} | builtin_rows())
    return True, dict(tally.counts)


def _key(trajectory: Trajectory, imported: list[Constraint]) -> str:
    told = [str(VERSION), trajectory.digest, trajectory.policy_id or "", trajectory.toolset_id or ""]
    told += [f"{trajectory.redacted_at}", *(row.digest for row in imported)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


@transaction.atomic
def _store(trajectory: Trajectory, key: str, tally: Tally, rows: dict[str, Constraint]) -> None:
    # Two workers may evaluate one run at once: the second waits here and finds what the first has stored.
    Trajectory.objects.select_for_update(no_key=True).get(pk=trajectory.pk)
    found = {(rows[result.constraint].pk, result.step): result.evidence for result in tally.violations}
    told = Violation.objects.filter(trajectory=trajectory, source=BUILTIN, run="")
    known = {(row.constraint_id, row.step): row for row in told}
    for place, row in known.items():
        _bring_up_to_date(row, found.get(place))
    Violation.objects.bulk_create(
        Violation(trajectory=trajectory, constraint_id=constraint, step=step, evidence=evidence, source=BUILTIN)
        for (constraint, step), evidence in found.items()
        if (constraint, step) not in known
    )
    Evaluation.objects.update_or_create(
        trajectory=trajectory,
        source=BUILTIN,
        defaults={
            "key": key,
            "counts": dict(tally.counts),
            "not_evaluated": list(_first_of_each(tally.not_evaluated, rows)),
            "evaluated_at": timezone.now(),
        },
    )


def _bring_up_to_date(row: Violation, evidence: dict | None) -> None:
    """Withdraw what is no longer found, restore what is found again; the words somebody saw stay as they were."""
    if (evidence is None) == (row.withdrawn_at is not None):
        return
    row.withdrawn_at = timezone.now() if evidence is None else None
    row.save(update_fields=["withdrawn_at"])


def _first_of_each(results: list[Result], rows: dict[str, Constraint]):
    seen = set()
    for result in results:
        if result.constraint not in seen:
            seen.add(result.constraint)
            yield {"constraint": rows[result.constraint].name, "step": result.step, "why": result.why}
