"""Constraints between rows and what the engine runs."""

import hashlib
import json

from django.db import models

from suggestions.builtin import BUILTINS, VERSION
from suggestions.builtin.base import Builtin
from suggestions.formats.drafts import ViolationDraft
from suggestions.models import Constraint
from suggestions.python_checks import PythonConstraint
from suggestions.repairs import Repaired, repair
from suggestions.schema import PYTHON, Spec
from suggestions.triggers import Trigger
from traces.models import Dataset, Trajectory

BUILTIN = "builtin"


def stored_constraint(
    dataset: Dataset, spec: Spec, trajectory_id: int | None = None, from_position: int = 0
) -> tuple[Constraint, bool]:
    """The row of an imported constraint, repaired once when it comes in, and whether it is new."""
    digest = _digest(spec.digest, dataset.pk, trajectory_id, from_position)
    known = Constraint.objects.filter(digest=digest).first()
    if known is not None:
        return known, False
    repaired = repair(spec.code) if spec.check_type == PYTHON else Repaired("", (), "")
    constraint = Constraint.objects.create(
        name=spec.name,
        kind=spec.kind,
        taxonomy_targets=list(spec.targets),
        trigger=spec.trigger,
        check_type=spec.check_type,
        check_body=spec.body,
        code=repaired.code,
        function_name=spec.function_name,
        repairs=list(repaired.repairs),
        fault=repaired.fault,
        hint=spec.hint,
        severity=spec.severity,
        dataset=dataset,
        trajectory_id=trajectory_id,
        from_position=from_position,
        digest=digest,
    )
    return constraint, True


def known_from_a_log(draft: ViolationDraft) -> Constraint:
    facts = {
        "name": draft.name,
        "kind": draft.kind,
        "taxonomy_targets": list(draft.targets),
        "hint": draft.hint,
        "severity": draft.severity,
    }
    digest = _digest(Constraint.FROM_A_LOG, facts)
    return Constraint.objects.get_or_create(digest=digest, defaults=facts | {"check_type": Constraint.FROM_A_LOG})[0]


def builtin_rows() -> dict[str, Constraint]:
    """The rows of the built-in constraints by name, made where missing."""
    wanted = {builtin.name: _builtin_row(builtin) for builtin in BUILTINS}
    Constraint.objects.bulk_create(wanted.values(), ignore_conflicts=True)
    digests = [row.digest for row in wanted.values()]
    return {row.name: row for row in Constraint.objects.filter(digest__in=digests)}


def _builtin_row(builtin: Builtin) -> Constraint:
    return Constraint(
        name=builtin.name,
        kind=builtin.kind,
        taxonomy_targets=list(builtin.targets),
        check_type=BUILTIN,
        hint=builtin.sentence,
        digest=_digest(BUILTIN, VERSION, builtin.name, builtin.kind, builtin.targets, builtin.sentence),
    )


def imported_for(trajectory: Trajectory) -> list[Constraint]:
    """Those of the whole dataset and those written for this run."""
    here = models.Q(trajectory=None) | models.Q(trajectory=trajectory)
    return list(Constraint.objects.runnable_on(trajectory.dataset).filter(here).order_by("pk"))


def as_run(row: Constraint) -> PythonConstraint:
    return PythonConstraint(
        name=str(row.pk),  # names may repeat among imported constraints; results are told apart by this
        kind=row.kind,
        targets=tuple(row.taxonomy_targets),
        trigger=Trigger.of(row.trigger),
        check_type=row.check_type,
        function_name=row.function_name,
        code=row.code,
        fault=row.fault,
        hint=row.hint,
        from_position=row.from_position,
    )


def _digest(*told: object) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
