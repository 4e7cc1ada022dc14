"""Our own lines: a judgement or a violation per line, steps as positions counted from 0. docs/suggestions.md has them."""

from collections.abc import Iterator
from typing import Any

from suggestions.formats import fields
from suggestions.formats.drafts import POSITION, Draft, JudgementDraft, ViolationDraft, Which
from suggestions.formats.reading import BadRecord, Options, each, json_documents
from traces.formats.drafts import Problem
from traces.formats.files import Source


class Lines:
    name = "jsonl"

    def read(self, source: Source, data: bytes, options: Options) -> Iterator[Draft | Problem]:
        for document in json_documents(source, data):
            if isinstance(document, Problem):
                yield document
                continue
            listed = document.value if isinstance(document.value, list) else [document.value]
            several = isinstance(document.value, list)
            items = [
                (f"{document.where}/{n}" if several else document.where or "file", v) for n, v in enumerate(listed)
            ]
            yield from each(items, source.name, lambda value, where: _draft(value, source.name, where, options))


def _draft(value: Any, file: str, where: str, options: Options) -> Draft:
    record = fields.an_object(value, "a suggestion")
    which = Which(external_id=fields.run_id(record, "trajectory_id"), source=record.get("trajectory_source"))
    if "constraint" in record:
        return _violation(record, which, file, where, options)
    if "critical_step" in record:
        return _judgement(record, which, file, where, options)
    raise BadRecord("not_a_record", "", "a line needs “critical_step” (a judgement) or “constraint” (a violation)")


def _judgement(record: dict, which: Which, file: str, where: str, options: Options) -> JudgementDraft:
    return JudgementDraft(
        which=which,
        source=fields.text(record, "source", "jsonl", fields.LONGEST_WORD),
        model=options.model or fields.needed(record, "model"),
        protocol=options.protocol or fields.text(record, "protocol", "unknown", fields.LONGEST_PROTOCOL),
        run=options.run or fields.text(record, "run", "", fields.LONGEST_WORD),
        step=fields.optional_step(record, "critical_step"),
        base=POSITION,
        file=file,
        where=where,
        participant=fields.text(record, "participant", "", 200),
        category=fields.text(record, "category", "", 200),
        ranking=fields.ranking(record),
        reason=fields.text(record, "reason"),
        raw=record,
    )


def _violation(record: dict, which: Which, file: str, where: str, options: Options) -> ViolationDraft:
    return ViolationDraft(
        which=which,
        source=fields.text(record, "source", "jsonl", fields.LONGEST_WORD),
        run=options.run or fields.text(record, "run", "", fields.LONGEST_WORD),
        step=fields.step(record, "step"),
        name=fields.needed(record, "constraint", 200),
        kind=fields.text(record, "kind", "ANY", 20),
        targets=fields.texts(record, "targets"),
        hint=fields.text(record, "hint"),
        severity=fields.text(record, "severity", "medium", 20),
        evidence=fields.an_object_in(record, "evidence"),
        file=file,
        where=where,
    )
