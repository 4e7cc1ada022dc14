"""A document is one record or a list of them; each is read, or refused, by itself."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeGuard, TypeVar

from traces.formats.cleaning import Cleaner
from traces.formats.documents import Document
from traces.formats.drafts import WARNING, Problem, Refused

Draft = TypeVar("Draft")
LONGEST_ID = 250
LARGEST_INDEX = 2**31 - 1


@dataclass(slots=True)
class Record:
    """One cleaned record with its place. `number` counts from 1 within a list, None where the record stands alone."""

    value: object
    file: str
    where: str
    pointer: str
    number: int | None
    raw: bytes
    _notes: dict[str, list] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        return PurePosixPath(self.file).stem

    @property
    def own_place(self) -> str:
        """Where the record stands in its file; empty where it is the whole file."""
        return " ".join(part for part in (self.where, self.pointer) if part)

    def place(self, pointer: str = "") -> str:
        return " ".join(part for part in (self.where, self.pointer + pointer) if part) or "file"

    def note(self, code: str, pointer: str, message: str, count: int = 1) -> None:
        """Keeps one warning per code, with the first place and the number of places."""
        note = self._notes.setdefault(code, [pointer, message, 0])
        note[2] += count

    def warnings(self) -> Iterator[Problem]:
        for code, (pointer, message, count) in self._notes.items():
            more = f" (and {count - 1} more)" if count > 1 else ""
            yield Problem(self.file, self.place(pointer), code, message + more, WARNING)


def read_records(document: Document, read: Callable[[Record], Draft], alone: bool) -> Iterator[Draft | Problem]:
    """One draft or one refused problem per record; `alone` says that a list is one record, not many."""
    yield from document.warnings
    for record in _records(document, alone):
        try:
            draft = read(record)
        except Refused as refused:
            yield Problem(record.file, record.place(refused.pointer), refused.code, refused.message)
        else:
            yield from record.warnings()
            yield draft


def _records(document: Document, alone: bool) -> Iterator[Record]:
    if alone or not isinstance(document.value, list):
        yield _record(document, document.value, "", None, document.raw)
        return
    for position, value in enumerate(document.value):
        raw = json.dumps(value, separators=(",", ":")).encode()
        yield _record(document, value, f"/{position}", position + 1, raw)


def _record(document: Document, value: object, pointer: str, number: int | None, raw: bytes) -> Record:
    cleaner = Cleaner()
    record = Record(cleaner.clean(value), document.file, document.where, pointer, number, raw)
    if cleaner.replaced:
        message = "characters that cannot be stored were replaced by U+FFFD; the original is kept"
        record.note("replaced_characters", cleaner.replaced[0], message, count=len(cleaner.replaced))
    if cleaner.non_finite:
        message = "NaN or Infinity became text"
        record.note("non_finite_number", cleaner.non_finite[0], message, count=len(cleaner.non_finite))
    if cleaner.bidi:
        message = "the text holds characters that change the direction of reading; it may look reordered"
        record.note("bidi_controls", cleaner.bidi[0], message, count=len(cleaner.bidi))
    return record


def expect_object(record: Record, what: str) -> dict:
    if isinstance(record.value, dict):
        return record.value
    raise Refused("not_a_record", "", f"{what} must be a JSON object, not {kind_of(record.value)}")


def expect_id(value: object, pointer: str) -> str | int:
    """The id with its JSON type kept."""
    if isinstance(value, str) and value or isinstance(value, int) and not isinstance(value, bool):
        if len(str(value)) > LONGEST_ID:
            raise Refused(
                "bad_id", pointer, f"{pointer} has {len(str(value))} characters; at most {LONGEST_ID} are kept"
            )
        return value
    if value is None or value == "":
        raise Refused("missing_id", pointer, f"names no run; give {pointer} a text or a whole number")
    raise Refused("bad_id", pointer, f"{pointer} must be a text or a whole number, not {kind_of(value)}")


def is_index(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_INDEX


def whole_number(value: object) -> int | None:
    """A whole number as JSON writers spell it: 5, "5" or 5.0. Never a boolean, never negative."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, int) or isinstance(value, float) and value.is_integer():
        return int(value) if 0 <= value <= LARGEST_INDEX else None
    return None


def kind_of(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
