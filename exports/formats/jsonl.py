"""Our own format: the whole row, one per line."""

from collections.abc import Iterable, Iterator

from exports.formats.base import Entry, Writer, as_lines
from exports.rows import Row, record_of


class JsonLines(Writer):
    name = "jsonl"
    title = "Assay JSON Lines"
    suffix = ".jsonl"
    media_type = "application/x-ndjson"

    def entry(self, row: Row) -> Entry:
        return Entry(record_of(row))

    def text(self, entries: Iterable[Entry]) -> Iterator[str]:
        return as_lines(entries)
