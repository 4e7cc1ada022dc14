"""Constraints written by a model for one run, at once or step by step. They are checked like any from outside."""

import json
from dataclasses import dataclass, field

from suggestions.llm import prompts, shapes
from suggestions.llm.plan import SYNTHESIS_STEP_BY_STEP
from suggestions.llm.subject import Subject
from suggestions.schema import BadConstraint, Spec, parse

MOST_AT_ONCE = 12
MOST_PER_RUN = 60


@dataclass
class Written:
    """Constraints, each with the position from which it holds; `refused` are those that AgentRx's schema does not take."""

    specs: list[tuple[Spec, int]] = field(default_factory=list)
    refused: int = 0
    outcome: str = "answered"
    note: str = ""

    def add(self, listed: list[dict], from_position: int, by: str) -> None:
        for given in listed[:MOST_AT_ONCE]:
            try:
                self.specs.append((parse(_with_origin(given, by)), from_position))
            except BadConstraint:
                self.refused += 1


def write_constraints(subject: Subject, task: str) -> Written:
    return _step_by_step(subject) if task == SYNTHESIS_STEP_BY_STEP else _at_once(subject)


def _at_once(subject: Subject) -> Written:
    answer, note = subject.ask(
        "synthesis", prompts.SYNTHESIS, shapes.CONSTRAINTS, {"constraints": []}, output_tokens=1_000
    )
    written = Written(outcome=answer.outcome, note=note)
    if answer.value is not None:
        written.add(answer["constraints"], 0, subject.plan.source_of_violations)
    return written


def _step_by_step(subject: Subject) -> Written:
    written = Written()
    for step in subject.run.steps:
        known = [spec.name for spec, _ in written.specs]
        answer, written.note = subject.ask(
            SYNTHESIS_STEP_BY_STEP,
            prompts.SYNTHESIS_AT_STEP,
            shapes.CONSTRAINTS,
            {"constraints": []},
            last=step.position,
            output_tokens=100,
            step=step.number,
            known=json.dumps(known, ensure_ascii=False) if known else "none",
        )
        if answer.value is not None:
            written.add(answer["constraints"], step.position, subject.plan.source_of_violations)
        if len(written.specs) >= MOST_PER_RUN:
            break
    return written


def _with_origin(given: dict, by: str) -> dict:
    """Who wrote it is part of the constraint: two models may write the same, and are told apart."""
    check_type = given.get("check_type")
    if not isinstance(check_type, str):
        return given
    body = given.get(check_type)
    return given | {check_type: (body if isinstance(body, dict) else {}) | {"written_by": by}}
