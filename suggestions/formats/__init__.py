"""Readers of suggestions. To add one: a file with its class, one entry in READERS, a sample beside its test."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from suggestions.formats.agentrx import AgentRx
from suggestions.formats.catchbench import CatchBench
from suggestions.formats.drafts import Draft
from suggestions.formats.jsonl import Lines
from suggestions.formats.reading import Options, Reader, read_files
from suggestions.formats.whowhen import WhoWhenLog
from traces.formats.drafts import Problem

READERS: tuple[Reader, ...] = (CatchBench(), AgentRx(), WhoWhenLog(), Lines())


def read_suggestions(paths: Iterable[str | Path], format: str, options: Options) -> Iterator[Draft | Problem]:
    """One draft or one refused problem per record; nothing the files hold makes the iteration raise."""
    reader = next(reader for reader in READERS if reader.name == format)
    return read_files(paths, reader, options)
