"""CatchBench's prediction caches: one model and protocol, one answer per Who&When run, by the hash of its record."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from suggestions.formats import fields
from suggestions.formats.drafts import POSITION, Draft, JudgementDraft, Which
from suggestions.formats.reading import BadRecord, Options, each, json_documents, unknown
from traces.formats.drafts import WARNING, Problem
from traces.formats.files import Source

BRIDGE = "legacy_run_keys.json"  # stands beside the caches and leads from their old keys to the new ones
TOP = re.compile(r"MISTAKE_STEP\s{0,9}:\s{0,9}(\d+)", re.IGNORECASE)
RANKING = re.compile(r"RANKING\s{0,9}:\s{0,9}([0-9,\s]+)", re.IGNORECASE)


class CatchBench:
    name = "catchbench"

    def read(self, source: Source, data: bytes, options: Options) -> Iterator[Draft | Problem]:
        if source.path.name == BRIDGE:
            return
        try:
            keys = options.keys or bridge(source.path.parent / BRIDGE)
        except ValueError as error:
            yield Problem(source.name, "file", "bad_keys", str(error))
            return
        for document in json_documents(source, data):
            if isinstance(document, Problem):
                yield document
            elif not is_cache(document.value):
                yield unknown(source.name, document.where, "a CatchBench prediction cache")
            else:
                yield from _predictions(document.value, source.name, keys, options)


def is_cache(value: object) -> TypeGuard[dict]:
    return isinstance(value, dict) and isinstance(value.get("predictions"), dict) and "provenance" in value


def bridge(path: Path) -> dict[str, str]:
    """Old run keys to new ones; none where there is no such file. Raises ValueError for another content."""
    if not path.is_file():
        return {}
    try:
        keys = json.loads(path.read_bytes()).get("keys")
    except (ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path.name} is no list of run keys: it must be an object with “keys”") from error
    if not isinstance(keys, dict) or not all(isinstance(new, str) for new in keys.values()):
        raise ValueError(f"{path.name} is no list of run keys: “keys” must lead from old texts to new ones")
    return keys


def _predictions(cache: dict, file: str, keys: dict[str, str], options: Options) -> Iterator[Draft | Problem]:
    try:
        given = fields.an_object(fields.an_object_in(cache, "provenance"), "the provenance")
        protocol = options.protocol or fields.text(given, "method", "unknown", fields.LONGEST_PROTOCOL)
        model = options.model or fields.text(given, "model", "unknown", fields.LONGEST_WORD)
    except BadRecord as error:
        yield Problem(file, f"/provenance{error.pointer}", error.code, error.message)
        return

    def read(prediction: object, where: str) -> JudgementDraft:
        record = fields.an_object(prediction, "a prediction")
        top = fields.optional_step(record, "top")
        key = where.removeprefix("/predictions/")
        return JudgementDraft(
            which=Which(run_key=keys.get(key, key)),
            source="catchbench",
            model=model,
            protocol=protocol,
            run=options.run,
            step=top,
            base=POSITION,
            file=file,
            where=where,
            ranking=fields.ranking(record),
            raw=record | {"provenance": given},
        )

    for draft in each(((f"/predictions/{key}", value) for key, value in cache["predictions"].items()), file, read):
        yield draft
        if isinstance(draft, JudgementDraft) and protocol == "all_at_once" and _raw_differs(draft):
            message = (
                "top and ranking are not what the raw answer says; the benchmark's own scorer refuses such a cache"
            )
            yield Problem(file, draft.where, "raw_differs", message, WARNING)


def _raw_differs(draft: JudgementDraft) -> bool:
    raw = draft.raw.get("raw")
    if not isinstance(raw, str):
        return True
    top, listed = TOP.search(raw), RANKING.search(raw)
    if top is not None and draft.step is not None and int(top[1][:9]) != draft.step:
        return True
    numbers = re.findall(r"\d+", listed[1]) if listed else []
    named = [int(number[:9]) for number in numbers]
    return bool(named) and not set(draft.ranking) <= set(named) | {draft.step}
