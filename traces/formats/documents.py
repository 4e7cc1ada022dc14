"""Bytes to JSON documents: one document, JSONL, or several documents in a row. Content decides, never the extension."""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from traces.formats.drafts import WARNING, Problem
from traces.formats.parsing import OPENINGS, NotJson, next_document, next_text, parse


@dataclass(frozen=True, slots=True)
class Document:
    """`where` is empty when the document is the whole file. `raw` are its original bytes."""

    value: object
    file: str
    where: str
    raw: bytes
    warnings: tuple[Problem, ...] = ()


def documents(data: bytes, file: str) -> Iterator[Document | Problem]:
    text = _text(data)
    if next_text(text, 0) is None:
        yield Problem(file, "file", "empty", "holds nothing; export the run again or leave the file out")
        return
    try:
        value, repeated = parse(text)
    except NotJson as error:
        yield from _several(text, file, error)
        return
    yield _document(value, repeated, file, "", data)


def _several(text: str, file: str, error: NotJson) -> Iterator[Document | Problem]:
    if not text.lstrip().startswith(OPENINGS):
        yield Problem(file, "file", "unknown_format", "is not JSON; give JSON or JSONL files of a known trace format")
    elif error.code == "not_json" and _is_jsonl(text):
        yield from _lines(text, file)
    elif error.code == "not_json" and _starts_with_document(text):
        yield from _in_a_row(text, file)
    else:
        yield Problem(file, "file", error.code, error.message)


def _text(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    # Bytes that are no UTF-8 travel as lone surrogates: `raw` gets them back, the cleaning replaces them.
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _document(value: object, repeated: list[str], file: str, where: str, raw: bytes) -> Document:
    warnings: tuple[Problem, ...] = ()
    if repeated:
        shown = ", ".join(json.dumps(key) for key in dict.fromkeys(repeated[:5]))
        message = f"an object holds {shown} more than once; the last value counts"
        warnings = (Problem(file, where or "file", "duplicate_key", message, WARNING),)
    return Document(value, file, where, raw, warnings)


def _is_jsonl(text: str) -> bool:
    """More than one line, and some line that is not indented is a document of its own."""
    several = len(list(islice(_filled(text), 2))) > 1
    return several and any(line.startswith(OPENINGS) and _is_document(line) for _, line in _filled(text))


def _filled(text: str) -> Iterator[tuple[int, str]]:
    """Lines with something in them, by number; one at a time, as the text may be most of the memory."""
    # Only \n ends a line: str.splitlines would cut at U+2028 inside a string.
    start = 0
    for number in count(1):
        end = text.find("\n", start)
        line = text[start:] if end < 0 else text[start:end]
        if line.strip():
            yield number, line
        if end < 0:
            return
        start = end + 1


def _is_document(line: str) -> bool:
    try:
        parse(line)
    except NotJson:
        return False
    return True


def _starts_with_document(text: str) -> bool:
    return next_document(text, 0, []) is not None


def _lines(text: str, file: str) -> Iterator[Document | Problem]:
    for number, line in _filled(text):
        where = f"line {number}"
        try:
            value, repeated = parse(line)
        except NotJson as error:
            code = "invalid_json_line" if error.code == "not_json" else error.code
            yield Problem(file, where, code, f"line {number} {error.message}")
        else:
            yield _document(value, repeated, file, where, _bytes(line.rstrip("\r")))


def _in_a_row(text: str, file: str) -> Iterator[Document | Problem]:
    start, number = 0, 0
    while next_text(text, start) is not None:
        number += 1
        where = f"document {number}"
        repeated: list[str] = []
        found = next_document(text, start, repeated)
        if found is None:
            yield Problem(
                file, where, "not_json", f"what follows document {number - 1} is broken JSON; export it again"
            )
            return
        value, begin, start = found
        yield _document(value, repeated, file, where, _bytes(text[begin:start]))
