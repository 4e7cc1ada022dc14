"""AgentRx's outputs: violation logs, judge answers and the constraint files themselves, told apart by content."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from suggestions import schema
from suggestions.formats import fields
from suggestions.formats.drafts import NUMBER, ConstraintDraft, Draft, JudgementDraft, ViolationDraft, Which
from suggestions.formats.reading import BadRecord, Options, each, json_documents, unknown
from traces.formats.drafts import Problem
from traces.formats.files import Source

CATEGORIES = (  # the benchmark's numbers 1 to 10, in its own words
    "Instruction/Plan Adherence Failure",
    "Invention of New Information",
    "Invalid Invocation",
    "Misinterpretation of Tool Output",
    "Intent-Plan Misalignment",
    "Underspecified User Intent",
    "Intent Not Supported",
    "Guardrails Triggered",
    "System Failure",
    "Inconclusive",
)
CONTAINERS = ("invariants", "invariant", "dynamic_invariants", "constraints")


class AgentRx:
    """A log's `step_index` is a position (0-based), a judge's `index` or `step_number` AgentRx's number (1-based)."""

    name = "agentrx"

    def read(self, source: Source, data: bytes, options: Options) -> Iterator[Draft | Problem]:
        if data.strip() == b"[]":  # the log of a run without violations
            return
        for document in json_documents(source, data):
            if isinstance(document, Problem):
                yield document
            else:
                yield from _read(document.value, document.where, source.name, options)


def _read(value: Any, where: str, file: str, options: Options) -> Iterator[Draft | Problem]:
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(value, dict) and isinstance(value.get("detailed_results"), list):
        read = partial(_judged, file=file, options=options)
        yield from each(_items(value["detailed_results"], f"{where}/detailed_results"), file, read)
    elif isinstance(value, dict) and (found := list(_constraints(value))):
        yield from each(((f"{where}{place}", item) for place, item in found), file, partial(_constraint, file=file))
    elif isinstance(first, dict) and "assertion_name" in first and "step_index" in first:
        yield from each(_items(value, where), file, partial(_violation, file=file, options=options))
    elif isinstance(first, dict) and "assertion_name" in first and "event_trigger" in first:
        bare = ((place, (item, {}, 0)) for place, item in _items(value, where))
        yield from each(bare, file, partial(_constraint, file=file))
    elif isinstance(first, dict) and "failure_case" in first and "task_id" in first:
        yield from each(_items(value, where), file, partial(_answer, file=file, options=options))
    else:
        yield unknown(file, where, "an AgentRx violation log, judge output or constraint file")


def _items(value: Any, where: str) -> list[tuple[str, Any]]:
    listed = value if isinstance(value, list) else [value]
    return [(f"{where}/{position}", item) for position, item in enumerate(listed)]


def _violation(value: Any, where: str, file: str, options: Options) -> ViolationDraft:
    record = fields.an_object(value, "a violation")
    return ViolationDraft(
        which=Which(external_id=fields.run_id(record, "task_id", "trajectory_id")),
        source="agentrx",
        run=options.run,
        step=fields.step(record, "step_index"),
        name=fields.needed(record, "assertion_name", 200),
        kind=fields.text(record, "invariant_type", "ANY", 20),
        targets=fields.texts(record, "taxonomy_targets"),
        hint=fields.text(record, "check_hint"),
        severity=fields.text(record, "severity", "medium", 20),
        evidence=fields.an_object_in(record, "evidence") | {"check_type": fields.text(record, "check_type")},
        file=file,
        where=where,
    )


def _judged(value: Any, where: str, file: str, options: Options) -> JudgementDraft:
    """One run's entry: the most frequent category and the mean step, rounded, as the benchmark scores them."""
    record = fields.an_object(value, "a judge's result")
    failures = fields.objects(record, "failures")
    steps = [step for item in failures if (step := fields.optional_step(item, "step_number")) is not None]
    mean = record.get("step_mean", sum(steps) / len(steps) if steps else None)
    case = record.get("most_common_failure", failures[0].get("failure_case") if failures else None)
    reason = "\n".join(fields.text(item, "description") for item in failures)
    number = round(mean) if isinstance(mean, int | float) and 0 <= mean < 2**31 else None
    return _judgement(record, number, case, reason, file, where, options)


def _answer(value: Any, where: str, file: str, options: Options) -> JudgementDraft:
    record = fields.an_object(value, "a judge's answer")
    number = fields.optional_step(record, "index" if "index" in record else "step_number")
    return _judgement(
        record, number, record.get("failure_case"), fields.text(record, "reason_for_failure"), file, where, options
    )


def _judgement(
    record: dict, number: int | None, case: Any, reason: str, file: str, where: str, options: Options
) -> JudgementDraft:
    return JudgementDraft(
        which=Which(external_id=fields.run_id(record, "task_id", "trajectory_id")),
        source="agentrx",
        model=options.model or fields.text(record, "model", "agentrx-judge", fields.LONGEST_WORD),
        protocol=options.protocol or "all_at_once",
        run=options.run or PurePosixPath(file).stem[: fields.LONGEST_WORD],
        step=number or None,  # their step 0 stands for "inconclusive"
        base=NUMBER,
        file=file,
        where=where,
        category=_category(case),
        reason=reason,
        raw=record,
    )


def _category(case: Any) -> str:
    text = "" if case is None else str(case).strip()
    if text.isdecimal() and 1 <= int(text[:4]) <= len(CATEGORIES):
        return CATEGORIES[int(text) - 1]
    return text[:200]


def _constraints(value: dict, pointer: str = "") -> Iterator[tuple[str, tuple[Any, dict, int]]]:
    """(place, (constraint, the generator's file, the step it was written at)); static ones have step 0."""
    for key in CONTAINERS:
        if isinstance(value.get(key), list):
            for position, item in enumerate(value[key]):
                yield f"{pointer}/{key}/{position}", (item, value if key == "dynamic_invariants" else {}, 0)
    if isinstance(used := value.get("static_invariants_used"), str):
        try:
            inner = json.loads(used)
        except (ValueError, RecursionError):
            inner = None
        listed = {"invariants": inner} if isinstance(inner, list) else inner
        if isinstance(listed, dict):
            yield from _constraints(listed, f"{pointer}/static_invariants_used")
    outputs = value.get("per_step_outputs")
    for position, output in enumerate(outputs if isinstance(outputs, list) else []):
        parsed = output.get("parsed") if isinstance(output, dict) else None
        made = parsed.get("invariant") if isinstance(parsed, dict) else None
        number = parsed.get("step_num") if isinstance(parsed, dict) else None
        for place, item in enumerate(made if isinstance(made, list) else []):
            at = number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 0
            yield f"{pointer}/per_step_outputs/{position}/{place}", (item, value, at)


def _constraint(found: tuple[Any, dict, int], where: str, file: str) -> ConstraintDraft:
    item, made_for, number = found
    try:
        spec = schema.parse(fields.an_object(item, "a constraint"))
    except schema.BadConstraint as error:
        raise BadRecord("bad_constraint", error.pointer, error.message) from error
    which = Which(external_id=fields.run_id(made_for, "trajectory_id")) if made_for else None
    return ConstraintDraft(spec, which, number, file, where)
