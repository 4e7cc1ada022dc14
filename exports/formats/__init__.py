"""Writers. To add one: a file with its class, and one entry in WRITERS."""

from exports.errors import UnknownFormat
from exports.formats.agentrx import AgentRx
from exports.formats.base import CannotExpress, Entry, Writer
from exports.formats.jsonl import JsonLines
from exports.formats.whowhen import WhoWhen

__all__ = ["WRITERS", "CannotExpress", "Entry", "Writer", "writer_of"]

WRITERS: tuple[type[Writer], ...] = (AgentRx, WhoWhen, JsonLines)


def writer_of(name: str) -> type[Writer]:
    for writer in WRITERS:
        if writer.name == name:
            return writer
    raise UnknownFormat(name, [writer.name for writer in WRITERS])
