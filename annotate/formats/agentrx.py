"""AgentRx ground truth: per run all failures, and which of them is the root cause."""

from collections.abc import Iterator

from annotate.formats.drafts import (
    CRITICAL,
    FIRST_UNRECOVERABLE,
    NATIVE_INDEX,
    NO_FAILURE,
    FailureDraft,
    LabelDraft,
)
from annotate.formats.fields import name, step_number, words
from traces.formats.documents import Document
from traces.formats.drafts import Problem, Refused
from traces.formats.records import Record, expect_id, expect_object, kind_of, read_records

LONGEST_KEY = 60


class AgentRxLabels:
    """`step_number` is the step's native index. Failure ids are compared as text: one published root id is the text "1"."""

    name = "agentrx"

    def detects(self, value: object) -> bool:
        items = value if isinstance(value, list) else [value]
        return any(isinstance(item, dict) and "trajectory_id" in item and "failures" in item for item in items)

    def read(self, document: Document) -> Iterator[LabelDraft | Problem]:
        return read_records(document, self._label, alone=False)

    def _label(self, record: Record) -> LabelDraft:
        entry = expect_object(record, "an AgentRx label")
        external_id = expect_id(entry.get("trajectory_id"), "/trajectory_id")
        failures = _failures(record, entry.get("failures"))
        root = _root(entry)
        critical_key = _critical_key(record, root, failures)
        return LabelDraft(
            external_id=external_id,
            source=None,
            failures=failures,
            critical_key=critical_key,
            outcome=NO_FAILURE if critical_key is None else CRITICAL,
            reason_for_root_cause=words(record, root, "reason_for_root_cause", "/root_cause"),
            summary=words(record, entry, "failure_summary", ""),
            exhaustive=True,
            critical_definition=FIRST_UNRECOVERABLE,
            raw=entry,
            file=record.file,
            where=record.place(),
        )


def _failures(record: Record, listed: object) -> tuple[FailureDraft, ...]:
    if not isinstance(listed, list):
        raise Refused("bad_failure", "/failures", f"failures must be a list, not {kind_of(listed)}")
    found: dict[str, FailureDraft] = {}
    for position, item in enumerate(listed):
        pointer = f"/failures/{position}"
        failure = _failure(record, item, pointer)
        earlier = found.setdefault(failure.key, failure)
        if earlier is not failure:
            _check_repeat(record, earlier, failure, pointer)
    return tuple(found.values())


def _failure(record: Record, item: object, pointer: str) -> FailureDraft:
    if not isinstance(item, dict):
        raise Refused("bad_failure", pointer, f"a failure must be an object, not {kind_of(item)}")
    key = _key(item.get("failure_id"))
    if key is None:
        raise Refused("bad_failure", f"{pointer}/failure_id", "a failure needs a failure_id: a number or a short text")
    participant_raw, participant = name(record, item, "failed_agent", pointer)
    return FailureDraft(
        key=key,
        number=step_number(record, item, "step_number", pointer, NATIVE_INDEX),
        base=NATIVE_INDEX,
        participant_raw=participant_raw,
        participant=participant,
        category_raw=words(record, item, "failure_category", pointer) or None,
        step_reason=words(record, item, "step_reason", pointer),
        category_reason=words(record, item, "category_reason", pointer),
        raw=item,
    )


def _key(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    key = str(value).strip()
    return key if 0 < len(key) <= LONGEST_KEY else None


def _check_repeat(record: Record, earlier: FailureDraft, failure: FailureDraft, pointer: str) -> None:
    if earlier.raw != failure.raw:
        message = f"failure_id {failure.key} stands for two different failures; give each its own id"
        raise Refused("ambiguous_failure", pointer, message)
    record.note("duplicate_failure", pointer, f"failure_id {failure.key} repeats an equal failure; one was kept")


def _root(entry: dict) -> dict:
    root = entry.get("root_cause")
    if root is None:
        return {}
    if isinstance(root, dict):
        return root
    raise Refused("bad_root_cause", "/root_cause", f"root_cause must be an object, not {kind_of(root)}")


def _critical_key(record: Record, root: dict, failures: tuple[FailureDraft, ...]) -> str | None:
    """The failure the root cause names; None only where there is neither a failure nor a root cause."""
    named = root.get("failure_id")
    if named is None and not failures:
        return None
    key = _key(named)
    meant = next((failure for failure in failures if failure.key == key), None)
    if meant is not None:
        if type(named) is not type(meant.raw["failure_id"]):
            message = f"the root cause names failure {key} as {kind_of(named)}; scorers that compare types miss it"
            record.note("root_id_type", "/root_cause/failure_id", message)
        return key
    ids = ", ".join(failure.key for failure in failures[:10]) or "none"
    message = f"root_cause names failure {key or 'none'}, which is not among this run's failures ({ids})"
    raise Refused("bad_root_cause", "/root_cause/failure_id", message)
