"""What a reader of labels produces: plain values in the source's own numbering, not yet rows."""

from dataclasses import dataclass

CRITICAL, NO_FAILURE = "critical", "no_failure"
FIRST_UNRECOVERABLE, DECISIVE = "first_unrecoverable", "decisive"
NATIVE_INDEX, POSITION = "native_index", "position"


@dataclass(frozen=True, slots=True)
class FailureDraft:
    """`number` is a step's native index or its position, as `base` says; whether the run has it is checked later."""

    key: str
    number: int
    base: str
    participant_raw: str
    participant: str
    category_raw: str | None
    step_reason: str
    category_reason: str
    raw: dict


@dataclass(frozen=True, slots=True)
class LabelDraft:
    """One label of one run. `raw` is the record as it came, without the run it may stand beside."""

    external_id: str | int
    source: str | None  # the source of the run as far as the label tells; None fits any
    failures: tuple[FailureDraft, ...]
    critical_key: str | None
    outcome: str
    reason_for_root_cause: str
    summary: str
    exhaustive: bool
    critical_definition: str
    raw: dict
    file: str
    where: str
