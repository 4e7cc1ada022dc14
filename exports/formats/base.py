"""What a writer is: it turns rows into JSON values and says how they lie in one file or many. It asks no database."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from exports.rows import Layout, Row, line_of


class CannotExpress(Exception):
    """This row has something that the format has no place for; the text says what."""


@dataclass(frozen=True, slots=True)
class Entry:
    value: Any
    name: str = ""  # of its file, where the format has one per row


class Writer:
    """One export's writer: it may remember what it wrote, so each export makes its own."""

    name: str
    title: str
    suffix: str
    media_type: str
    many_files = False

    def __init__(self, layout: Layout, raw_names: bool = False):
        self.layout = layout
        self.raw_names = raw_names

    def entry(self, row: Row) -> Entry:
        raise NotImplementedError

    def text(self, entries: Iterable[Entry]) -> Iterator[str]:
        """The pieces of the one file that holds these entries."""
        raise NotImplementedError


def pretty(value: Any) -> str:
    """ASCII only: readers of these formats open files in the platform's encoding."""
    return json.dumps(value, ensure_ascii=True, indent=4)


def as_list(entries: Iterable[Entry]) -> Iterator[str]:
    before = "[\n    "
    for entry in entries:
        yield before + pretty(entry.value).replace("\n", "\n    ")
        before = ",\n    "
    yield "[]\n" if before.startswith("[") else "\n]\n"


def as_lines(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield line_of(entry.value)
