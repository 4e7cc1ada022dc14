"""Who&When labels: beside each run, the one decisive mistake."""

from collections.abc import Iterator

from annotate.formats.drafts import CRITICAL, DECISIVE, POSITION, FailureDraft, LabelDraft
from annotate.formats.fields import name, step_number, words
from traces.formats.documents import Document
from traces.formats.drafts import Problem
from traces.formats.records import Record, expect_object, read_records
from traces.formats.whowhen import HISTORY, ID_KEYS, OUTCOME_KEYS, is_label_key, record_id, split_of

THE_FAILURE = "1"


class WhoWhenLabels:
    """`mistake_step` is a position. `mistake_type` and `labels` are kept raw: they are no categories.

    The one explanation given, `mistake_reason`, says both what went wrong at the step and why it decided the run.
    """

    name = "whowhen"

    def detects(self, value: object) -> bool:
        items = value if isinstance(value, list) else [value]
        return any(isinstance(item, dict) and {"mistake_agent", "mistake_step"} & item.keys() for item in items)

    def read(self, document: Document) -> Iterator[LabelDraft | Problem]:
        return read_records(document, self._label, alone=False)

    def _label(self, record: Record) -> LabelDraft:
        run = expect_object(record, "a Who&When label")
        external_id = record_id(record, run)
        failure = _failure(record, run)
        return LabelDraft(
            external_id=external_id,
            source=f"whowhen-{split_of(run)}" if HISTORY in run else None,
            failures=(failure,),
            critical_key=failure.key,
            outcome=CRITICAL,
            reason_for_root_cause=failure.step_reason,
            summary="",
            exhaustive=False,
            critical_definition=DECISIVE,
            raw={key: value for key, value in run.items() if _tells_the_label(key)},
            file=record.file,
            where=record.place(),
        )


def _failure(record: Record, run: dict) -> FailureDraft:
    participant_raw, participant = name(record, run, "mistake_agent", "")
    return FailureDraft(
        key=THE_FAILURE,
        number=step_number(record, run, "mistake_step", "", POSITION),
        base=POSITION,
        participant_raw=participant_raw,
        participant=participant,
        category_raw=None,
        step_reason=words(record, run, "mistake_reason", ""),
        category_reason="",
        raw={key: value for key, value in run.items() if is_label_key(key)},
    )


def _tells_the_label(key: str) -> bool:
    return is_label_key(key) or key in ID_KEYS or key in OUTCOME_KEYS
