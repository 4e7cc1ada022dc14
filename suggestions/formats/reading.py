"""The way every reader of suggestions takes: files to text or JSON, records one by one, problems by place."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from suggestions.formats.drafts import Draft
from traces.formats.documents import Document, documents
from traces.formats.drafts import Problem
from traces.formats.files import Source, check_paths, read_bytes, sources


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller says because the files do not."""

    keys: dict[str, str]  # old run keys to new ones
    model: str = ""
    protocol: str = ""
    run: str = ""


class Reader(Protocol):
    name: str

    def read(self, source: Source, data: bytes, options: Options) -> Iterator[Draft | Problem]: ...


class BadRecord(Exception):
    """This record cannot be read; the others of its file can."""

    def __init__(self, code: str, pointer: str, message: str):
        super().__init__(message)
        self.code, self.pointer, self.message = code, pointer, message


def read_files(paths: Iterable[str | Path], reader: Reader, options: Options) -> Iterator[Draft | Problem]:
    """Every suggestion in the files, and every reason why one was not read. Raises SourceNotFound at once."""
    found = check_paths(paths)
    return _read(found, reader, options)


def _read(paths: list[Path], reader: Reader, options: Options) -> Iterator[Draft | Problem]:
    for source in sources(paths):
        if isinstance(source, Problem):
            yield source
            continue
        data = read_bytes(source)
        if isinstance(data, Problem):
            yield data
        else:
            yield from reader.read(source, data, options)


def json_documents(source: Source, data: bytes) -> Iterator[Document | Problem]:
    return documents(data, source.name)


def each(items: Iterable[tuple[str, Any]], file: str, read: Callable[[Any, str], Draft]) -> Iterator[Draft | Problem]:
    """One draft or one refused problem per (place, record)."""
    for where, item in items:
        try:
            yield read(item, where)
        except BadRecord as error:
            yield Problem(file, f"{where}{error.pointer}", error.code, error.message)


def unknown(file: str, where: str, expected: str) -> Problem:
    return Problem(file, where or "file", "unknown_format", f"is not {expected}; check the file or --format")
