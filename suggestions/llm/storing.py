"""What models said, as rows. What is there stays: somebody may have seen it; a new opinion takes a new run's name."""

import hashlib
from collections import Counter

from django.db import transaction
from django.utils import timezone

from suggestions.constraints import stored_constraint
from suggestions.llm.judges import Judged
from suggestions.llm.plan import Plan
from suggestions.llm.synthesis import Written
from suggestions.models import Constraint, Evaluation, Judgement, Violation
from suggestions.schema import LANGUAGE
from suggestions.verdicts import Result, Verdict
from traces.models import Trajectory

SOURCE = "llm"
MOST_REASONS = 50


def has_judgement(plan: Plan, trajectory: Trajectory, protocol: str) -> bool:
    return Judgement.objects.filter(
        trajectory=trajectory, source=SOURCE, model=plan.model.name, protocol=protocol, run=plan.run
    ).exists()


def store_judgement(plan: Plan, trajectory: Trajectory, protocol: str, judged: Judged) -> None:
    Judgement.objects.get_or_create(
        trajectory=trajectory,
        source=SOURCE,
        model=plan.model.name,
        protocol=protocol,
        run=plan.run,
        defaults={
            "critical_step": judged.step,
            "participant": judged.participant,
            "category": judged.category,
            "ranking": judged.ranking,
            "reason": judged.reason,
            "raw": judged.raw,
        },
    )


def is_written(plan: Plan, trajectory: Trajectory, task: str) -> bool:
    return Evaluation.objects.filter(
        trajectory=trajectory, source=_source(plan, task), key=_content(trajectory)
    ).exists()


@transaction.atomic
def store_constraints(plan: Plan, trajectory: Trajectory, task: str, written: Written) -> None:
    for spec, from_position in written.specs:
        stored_constraint(trajectory.dataset, spec, trajectory.pk, from_position)
    counts = {"written": len(written.specs), "refused": written.refused, "outcome": written.outcome}
    Evaluation.objects.update_or_create(
        trajectory=trajectory,
        source=_source(plan, task),
        defaults={"key": _content(trajectory), "counts": counts, "evaluated_at": timezone.now()},
    )


def language_constraints(trajectory: Trajectory) -> list[Constraint]:
    rows = Constraint.objects.filter(dataset=trajectory.dataset, check_type=LANGUAGE).order_by("pk")
    return [row for row in rows if row.trajectory_id in (None, trajectory.pk)]


def checks_key(plan: Plan, trajectory: Trajectory, constraints: list[Constraint]) -> str:
    return _hash(_content(trajectory), plan.model.model, *(row.digest for row in constraints))


def are_checked(plan: Plan, trajectory: Trajectory, task: str, key: str) -> bool:
    return Evaluation.objects.filter(trajectory=trajectory, source=_source(plan, task), key=key).exists()


@transaction.atomic
def store_results(
    plan: Plan, trajectory: Trajectory, task: str, key: str, results: list[Result], names: dict[str, str]
) -> None:
    """Violations; what is no longer found is withdrawn, what is found again comes back."""
    Trajectory.objects.select_for_update(no_key=True).get(pk=trajectory.pk)
    run = plan.source_of_violations
    found = {(int(r.constraint), r.step): r.evidence for r in results if r.verdict == Verdict.VIOLATED}
    known = {
        (row.constraint_id, row.step): row
        for row in Violation.objects.filter(trajectory=trajectory, source=SOURCE, run=run)
    }
    for place, row in known.items():
        if (place in found) == (row.withdrawn_at is not None):
            row.withdrawn_at = None if place in found else timezone.now()
            row.save(update_fields=["withdrawn_at"])
    Violation.objects.bulk_create(
        Violation(trajectory=trajectory, constraint_id=pk, step=step, evidence=evidence, source=SOURCE, run=run)
        for (pk, step), evidence in found.items()
        if (pk, step) not in known
    )
    not_evaluated = [r for r in results if r.verdict == Verdict.NOT_EVALUATED][:MOST_REASONS]
    Evaluation.objects.update_or_create(
        trajectory=trajectory,
        source=_source(plan, task),
        defaults={
            "key": key,
            "counts": dict(Counter(str(result.verdict) for result in results)),
            "not_evaluated": [{"constraint": names[r.constraint], "step": r.step, "why": r.why} for r in not_evaluated],
            "evaluated_at": timezone.now(),
        },
    )


def _source(plan: Plan, task: str) -> str:
    return f"{SOURCE}:{task}:{plan.source_of_violations}"[:100]


def _content(trajectory: Trajectory) -> str:
    return _hash(trajectory.digest, str(trajectory.redacted_at))


def _hash(*told: str) -> str:
    return hashlib.sha256("\n".join(told).encode()).hexdigest()
