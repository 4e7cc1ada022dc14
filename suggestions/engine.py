"""Constraints on one run: guard, then check, then a verdict per step and constraint."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from suggestions.builtin.base import Builtin
from suggestions.builtin.facts import Facts
from suggestions.python_checks import Prepared, PythonConstraint
from suggestions.runs import Run
from suggestions.verdicts import Result, Verdict


@dataclass
class Tally:
    """What an evaluation found. `counts` are (step, constraint) pairs; satisfied and skipped ones are only counted."""

    counts: Counter = field(default_factory=Counter)
    violations: list[Result] = field(default_factory=list)
    not_evaluated: list[Result] = field(default_factory=list)
    seconds_in_sandbox: float = 0.0

    def add(self, result: Result) -> None:
        self.counts[result.verdict] += 1
        if result.verdict == Verdict.VIOLATED:
            self.violations.append(result)
        elif result.verdict == Verdict.NOT_EVALUATED:
            self.not_evaluated.append(result)


def evaluate(run: Run, constraints: Iterable[Builtin | PythonConstraint]) -> Tally:
    tally = Tally()
    facts, prepared = Facts(run), Prepared(run)
    for constraint in constraints:
        for result in results(constraint, facts, prepared):
            tally.add(result)
    tally.seconds_in_sandbox = prepared.seconds_in_sandbox
    return tally


def results(constraint: Builtin | PythonConstraint, facts: Facts, prepared: Prepared) -> Iterator[Result]:
    """One result per step."""
    if isinstance(constraint, PythonConstraint):
        return constraint.evaluate(prepared)
    return constraint.evaluate(facts)
