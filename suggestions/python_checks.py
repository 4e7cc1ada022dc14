"""Imported checks on one run: the trigger, then the check, both in the sandbox, one session per constraint and run."""

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suggestions import harness
from suggestions.ir import as_ir
from suggestions.runs import Run
from suggestions.sandbox import SECONDS, CannotRun, Feed, run
from suggestions.schema import LANGUAGE
from suggestions.triggers import Trigger, candidates
from suggestions.verdicts import Result, Verdict

BUDGET = 4 * SECONDS  # what one constraint may use up on one run when its steps have to be tried one by one
NEEDS_POLICY = re.compile(r"policy_text", re.IGNORECASE)
QUOTED = 300


@dataclass(frozen=True)
class PythonConstraint:
    """A constraint as the engine runs it; `fault` says why its check cannot run at all."""

    name: str
    kind: str
    targets: tuple[str, ...]
    trigger: Trigger
    check_type: str
    function_name: str
    code: str
    fault: str = ""
    hint: str = ""
    from_position: int = 0

    def evaluate(self, on: "Prepared") -> Iterator[Result]:
        """One result per step of the run, in the order of steps."""
        told = {result.step: result for result in self._told(on)}
        for step in on.run.steps:
            yield told.get(step.position) or Result(step.position, self.name, Verdict.SKIPPED)

    def steps_asked(self, on: "Prepared") -> list[int]:
        """Where the trigger fires, for checks that somebody else makes; raises CannotRun."""
        asked = candidates(on.run, self.trigger, self.from_position)
        return list(self._matched(on, asked)) if asked else []

    def _told(self, on: "Prepared") -> Iterator[Result]:
        asked = candidates(on.run, self.trigger, self.from_position)
        if not asked or NEEDS_POLICY.search(self.code) and not on.run.policy:
            return
        try:
            matched = self._matched(on, asked)
        except CannotRun as error:
            yield from (self._not_evaluated(step, f"the trigger: {error}") for step in asked)
            return
        if self.check_type == LANGUAGE:
            yield from (self._not_evaluated(step, "a language check needs a model") for step in matched)
        elif self.fault:
            yield from (self._not_evaluated(step, f"the check cannot run: {self.fault}") for step in matched)
        else:
            yield from self._checked(on, matched)

    def _matched(self, on: "Prepared", asked: list[int]) -> dict[int, list[int]]:
        if self.trigger.is_plain:
            return {step: list(range(len(on.ir["steps"][step]["substeps"]))) for step in asked}
        found = on.feed(Feed(harness.MATCHING, {"trajectory": on.ir, "candidates": asked, **self.trigger.patterns}))
        return {position: places for position, places in found if position in asked}

    def _checked(self, on: "Prepared", matched: dict[int, list[int]]) -> Iterator[Result]:
        steps = list(matched)
        try:
            told: Iterable[tuple[int, bool | str]] = self._called(on, steps)
        except CannotRun as error:
            told = self._one_by_one(on, steps) if error.hit_a_limit else [(step, str(error)) for step in steps]
        for step, answer in told:
            if isinstance(answer, str):
                yield self._not_evaluated(step, answer)
            elif answer:
                yield Result(step, self.name, Verdict.SATISFIED)
            else:
                yield Result(step, self.name, Verdict.VIOLATED, self._evidence(on, step, matched[step]))

    def _one_by_one(self, on: "Prepared", steps: list[int]) -> Iterator[tuple[int, bool | str]]:
        """A limit was hit somewhere: find out where, without paying for it at every step."""
        ends = time.monotonic() + BUDGET
        for step in steps:
            if time.monotonic() > ends:
                yield step, f"the check used up its {BUDGET:g} s on this run at earlier steps"
                continue
            try:
                yield from self._called(on, [step])
            except CannotRun as error:
                yield step, str(error)

    def _called(self, on: "Prepared", steps: list[int]) -> list[tuple[int, bool | str]]:
        if not steps:
            return []
        inputs = {"trajectory": on.ir, "POLICY_TEXT": on.run.policy, "positions": steps}
        define = Feed(harness.PRELUDE + self.code, inputs)
        told = on.feed(define, Feed(harness.calling(self.function_name), {}))
        return list(_answers(told, steps))

    def _evidence(self, on: "Prepared", step: int, places: list[int]) -> dict:
        substeps = on.ir["steps"][step]["substeps"]
        quoted = [substeps[place]["content"][:QUOTED] for place in places[:3] if place < len(substeps)]
        return {"text": self.hint or f"{self.name} does not hold here.", "matched": quoted}

    def _not_evaluated(self, step: int, why: str) -> Result:
        return Result(step, self.name, Verdict.NOT_EVALUATED, why=why)


class Prepared:
    """A run made ready once for all its constraints, with the time the sandbox took on it."""

    def __init__(self, on: Run):
        self.run = on
        self.seconds_in_sandbox = 0.0

    @cached_property
    def ir(self) -> dict:
        return as_ir(self.run)

    def feed(self, *feeds: Feed) -> Any:
        started = time.perf_counter()
        try:
            return run(*feeds)
        finally:
            self.seconds_in_sandbox += time.perf_counter() - started


def _answers(told: Any, steps: list[int]) -> Iterator[tuple[int, bool | str]]:
    """The check's own code may have changed what comes back: only what we asked for, in the shape we asked for."""
    wanted = dict.fromkeys(steps, "the check gave no answer")
    answers: dict[int, bool | str] = dict(wanted)
    for row in told if isinstance(told, list) else ():
        if not (isinstance(row, list) and len(row) == 3 and isinstance(row[0], int) and row[0] in wanted):
            continue
        position, verdict, error = row
        if verdict in (0, 1):
            answers[position] = bool(verdict)
        else:
            answers[position] = str(error)[:200] or "the check failed"
    yield from answers.items()
