"""The way every reader of this project takes: files, their documents, the reader that knows each document."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from traces.formats.documents import Document, documents
from traces.formats.drafts import REFUSED, Problem
from traces.formats.files import read_bytes, sources


class Reader(Protocol):
    name: str

    def detects(self, value: object) -> bool: ...

    def read(self, document: Document) -> Iterator: ...


Pick = Callable[[object], Reader | None]
Explain = Callable[[object], tuple[str, str]]  # the code and sentence for what no reader knows
NOTHING: tuple[object, ...] = (None, [], {})


class UnknownFormat(Exception):
    def __init__(self, name: str, known: Iterable[str]):
        self.name, self.known = name, tuple(known)
        super().__init__(f"no format is called {name!r}; known are {', '.join(self.known)}")


def choose(name: str, readers: tuple[Reader, ...]) -> Pick:
    """By content for "auto", else always the reader of that name."""
    if name == "auto":
        return lambda value: next((reader for reader in readers if reader.detects(value)), None)
    named = next((reader for reader in readers if reader.name == name), None)
    if named is None:
        raise UnknownFormat(name, ["auto", *(reader.name for reader in readers)])
    return lambda value: named


def read_files(paths: Iterable[Path], pick: Pick, explain: Explain) -> Iterator:
    """Drafts and problems of all files, one file at a time. `explain` says why nobody reads a document."""
    for source in sources(paths):
        if isinstance(source, Problem):
            yield source
            continue
        data = read_bytes(source)
        if isinstance(data, Problem):
            yield data
        else:
            yield from read_data(data, source.name, pick, explain)


def read_data(data: bytes, file: str, pick: Pick, explain: Explain) -> Iterator:
    """The drafts and problems of one file. If no record can be told apart in it, the file is one refused record."""
    waiting: list[Problem] = []
    recognised = False
    for document in documents(data, file):
        if isinstance(document, Problem):
            waiting.append(document)
        elif (reader := _reader_of(document, pick)) is None:
            waiting.append(_unread(document, explain))
        else:
            recognised = True
            yield from reader.read(document)
        if recognised:
            yield from waiting
            waiting.clear()
    if len(waiting) > 1:
        message = f"holds {len(waiting)} records and none can be read; the first, at {waiting[0].where}: "
        waiting = [Problem(file, "file", waiting[0].code, message + waiting[0].message, REFUSED)]
    yield from waiting


def _reader_of(document: Document, pick: Pick) -> Reader | None:
    return None if document.value in NOTHING else pick(document.value)


def _unread(document: Document, explain: Explain) -> Problem:
    where = document.where or "file"
    if document.value in NOTHING:
        return Problem(document.file, where, "empty", "holds no record")
    code, message = explain(document.value)
    return Problem(document.file, where, code, message)
