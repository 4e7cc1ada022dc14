"""A built-in constraint: our own code, a guard and a check per step."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from suggestions.builtin.facts import Facts
from suggestions.runs import RunStep
from suggestions.verdicts import Result, Verdict

Guard = Callable[[Facts, RunStep], bool]
Check = Callable[[Facts, RunStep], dict | None]  # the evidence of a violation, None where the constraint holds
QUOTED = 160


@dataclass(frozen=True)
class Builtin:
    """`sentence` says to people what the rule is; a violation's evidence says under `text` what happened here."""

    name: str
    kind: str
    targets: tuple[str, ...]
    sentence: str
    guard: Guard
    check: Check

    def evaluate(self, facts: Facts) -> Iterator[Result]:
        for step in facts.steps:
            yield self.verdict(facts, step)

    def verdict(self, facts: Facts, step: RunStep) -> Result:
        try:
            if not self.guard(facts, step):
                return Result(step.position, self.name, Verdict.SKIPPED)
            evidence = self.check(facts, step)
        except Exception as error:  # content nobody thought of must not cost the run its other constraints
            return Result(step.position, self.name, Verdict.NOT_EVALUATED, why=f"{type(error).__name__}: {error}"[:200])
        if evidence is None:
            return Result(step.position, self.name, Verdict.SATISFIED)
        return Result(step.position, self.name, Verdict.VIOLATED, evidence)


def quote(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTED else f"{flat[: QUOTED - 1]}…"
