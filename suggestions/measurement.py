"""How well the built-in constraints point at labelled failures. Pure: runs with labels in, counts out.

Constraints are tuned on one half of each set only, which a hash of the run's id decides; both halves are told. Where
labels are not exhaustive, a violation at an unlabelled step may still be right: its count of false alarms is an upper
bound.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field

from suggestions.builtin.base import Builtin
from suggestions.engine import evaluate
from suggestions.runs import Run

TUNING, HELD_OUT = "tuning", "held_out"


@dataclass(frozen=True)
class Labelled:
    run: Run
    critical: int
    failures: frozenset[int]


@dataclass
class OfConstraint:
    """`violations` of which `on_failures` stand at a labelled step, `on_critical` at the critical one."""

    violations: int = 0
    on_failures: int = 0
    on_critical: int = 0


@dataclass
class Measured:
    """Of one half of one set. `alarms` are steps with a violation, `false_alarms` those of them that no label names."""

    runs: int = 0
    steps: int = 0
    failures: int = 0
    failures_covered: int = 0
    critical_covered: int = 0
    critical_within_1: int = 0
    alarms: int = 0
    false_alarms: int = 0
    constraints: dict[str, OfConstraint] = field(default_factory=dict)

    @property
    def false_alarms_per_100_steps(self) -> float:
        return 100 * self.false_alarms / self.steps if self.steps else 0.0

    def as_json(self) -> dict:
        return asdict(self)


def half_of(run_id: str) -> str:
    return HELD_OUT if hashlib.sha256(run_id.encode()).digest()[0] % 2 else TUNING


def measure(labelled: Iterable[Labelled], constraints: Sequence[Builtin]) -> dict[str, Measured]:
    halves = {TUNING: Measured(), HELD_OUT: Measured()}
    for each in labelled:
        _add(halves[half_of(each.run.id)], each, constraints)
    return halves


def _add(half: Measured, labelled: Labelled, constraints: Sequence[Builtin]) -> None:
    violations = evaluate(labelled.run, constraints).violations
    alarms = {violation.step for violation in violations}
    half.runs += 1
    half.steps += len(labelled.run.steps)
    half.failures += len(labelled.failures)
    half.failures_covered += len(alarms & labelled.failures)
    half.critical_covered += labelled.critical in alarms
    half.critical_within_1 += any(abs(step - labelled.critical) <= 1 for step in alarms)
    half.alarms += len(alarms)
    half.false_alarms += len(alarms - labelled.failures)
    for violation in violations:
        told = half.constraints.setdefault(violation.constraint, OfConstraint())
        told.violations += 1
        told.on_failures += violation.step in labelled.failures
        told.on_critical += violation.step == labelled.critical
