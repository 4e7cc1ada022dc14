"""The one row that every export is written from: a run, the label on it, and where each part of the label comes from."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """A step as a format with a history needs it."""

    role: str
    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """The facts of a trajectory. `layers` holds only what the reader of the export may see."""

    source: str
    trajectory_id: int | str  # in the JSON type it came in
    domain: str
    task_cluster: str
    format: str
    n_steps: int
    instruction: str = ""
    layers: dict[str, Any] = field(default_factory=dict)
    origin: dict[str, Any] = field(default_factory=dict)
    turns: Callable[[], list[Turn]] = field(default=list, compare=False)  # read from the database when called


@dataclass(frozen=True, slots=True)
class Mark:
    """A failure. Steps are 0-based positions; `native_step` is the source's own number of the first one."""

    key: str
    number: int
    anchor: str
    first_step: int | None
    last_step: int | None
    native_step: int | None
    participant: str
    category: str | None
    category_name: str
    none_fits: bool
    codes: list[str]
    step_reason: str
    category_reason: str
    evidence: list[dict[str, Any]]
    is_omission: bool
    effect: str
    recovered_at: int | None
    recovered_by: str
    is_critical: bool
    sources: list[dict[str, Any]]  # the annotators' marks it was taken from: [{annotation, key}]
    raw: dict[str, Any]  # an imported failure as it came
    suggested_by: str = ""  # the suggestion it was accepted from, as in "violation:12"
    # What formats may call the category where they have their own names: {format: [name, …]}
    category_as: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    outcome: str
    failures: tuple[Mark, ...]
    confidence: float | None
    reason_for_root_cause: str
    failure_summary: str
    provenance: dict[str, Any]
    raw: dict[str, Any] = field(default_factory=dict)  # an imported label as it came

    @property
    def critical(self) -> Mark | None:
        return next((mark for mark in self.failures if mark.is_critical), None)


@dataclass(frozen=True, slots=True)
class Row:
    item: int
    labels: str  # "gold" or "annotator:NAME"
    run: Run
    label: Label

    def left_out(self, why: str) -> "LeftOut":
        return LeftOut(self.run.source, self.run.trajectory_id, why)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A run without a row, or a row that a format cannot express."""

    source: str
    trajectory: int | str
    why: str


@dataclass(frozen=True, slots=True)
class Layout:
    """What a writer has to know of all rows before the first one."""

    sources: tuple[str, ...]
    # Ids of both JSON types, or the number 0, break readers of AgentRx files: then all are written as text.
    ids_as_text: bool = False


def layout_of(ids: Iterable[tuple[str, int | str]]) -> Layout:
    """The layout of (source, native id) pairs."""
    sources, kinds = set(), set()
    for source, native_id in ids:
        sources.add(source)
        kinds.add("zero" if native_id == 0 else type(native_id).__name__)
    return Layout(tuple(sorted(sources)), ids_as_text="zero" in kinds or len(kinds) > 1)


RUN_FACTS = ("source", "trajectory_id", "domain", "task_cluster", "format", "n_steps")


def record_of(row: Row) -> dict[str, Any]:
    """The row as JSON: the line of our own format, and what a release keeps."""
    label = row.label
    return {
        "item": row.item,
        **{name: getattr(row.run, name) for name in RUN_FACTS},
        "labels": row.labels,
        "outcome": label.outcome,
        "critical": label.critical.key if label.critical else None,
        "confidence": label.confidence,
        "reason_for_root_cause": label.reason_for_root_cause,
        "failure_summary": label.failure_summary,
        "failures": [asdict(mark) for mark in label.failures],
        "provenance": label.provenance,
        "raw": {key: value for key, value in label.raw.items() if key != "failures"},
    }


def label_of(record: dict[str, Any]) -> Label:
    """The label in a record; fields that a later version added are passed over."""
    names = {each.name for each in fields(Mark)}
    marks = tuple(Mark(**{key: value for key, value in mark.items() if key in names}) for mark in record["failures"])
    return Label(
        outcome=record["outcome"],
        failures=marks,
        confidence=record["confidence"],
        reason_for_root_cause=record["reason_for_root_cause"],
        failure_summary=record["failure_summary"],
        provenance=record["provenance"],
        raw=record["raw"],
    )


def line_of(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")) + "\n"
