"""Readers of traces. To add one: a file with its class, one entry in READERS, a sample beside its test."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from traces.formats.agentrx_ir import AgentRxIR
from traces.formats.drafts import Problem, TrajectoryDraft
from traces.formats.files import check_paths
from traces.formats.magentic import Magentic
from traces.formats.reading import Reader, choose, read_files
from traces.formats.tau import Tau
from traces.formats.whowhen import WhoWhen

READERS: tuple[Reader, ...] = (WhoWhen(), Tau(), AgentRxIR(), Magentic())


def read_traces(
    paths: Iterable[str | Path], format: str = "auto", source: str | None = None, domain: str | None = None
) -> Iterator[TrajectoryDraft | Problem]:
    """Every run in the files and folders, and every reason why something was not read or looks odd.

    Each record gives exactly one draft or one refused problem. Raises SourceNotFound and UnknownFormat at once;
    nothing the files hold makes the iteration raise.
    """
    pick = choose(format, READERS)
    found = check_paths(paths)
    named = {key: value for key, value in (("source", source), ("domain", domain)) if value is not None}
    return _named(read_files(found, pick, _explain), named)


def _named(drafts: Iterator[TrajectoryDraft | Problem], named: dict) -> Iterator[TrajectoryDraft | Problem]:
    for draft in drafts:
        yield replace(draft, **named) if named and isinstance(draft, TrajectoryDraft) else draft


def _explain(value: object) -> tuple[str, str]:
    first = value[0] if isinstance(value, list) else value
    if isinstance(first, dict) and "failures" in first and "root_cause" in first:
        return "label_file", "holds AgentRx labels, no traces; import the traces first, then this with import_labels"
    known = ", ".join(reader.name for reader in READERS)
    return "unknown_format", f"is in no format known here ({known}); check the file or name its format"
