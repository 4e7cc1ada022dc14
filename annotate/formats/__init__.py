"""Readers of labels. To add one: a file with its class, one entry in READERS, a sample beside its test."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from annotate.formats.agentrx import AgentRxLabels
from annotate.formats.drafts import LabelDraft
from annotate.formats.whowhen import WhoWhenLabels
from traces.formats.drafts import Problem
from traces.formats.files import check_paths
from traces.formats.reading import Pick, Reader, choose, read_files

READERS: tuple[Reader, ...] = (AgentRxLabels(), WhoWhenLabels())


def read_labels(paths: Iterable[str | Path], format: str = "auto") -> Iterator[LabelDraft | Problem]:
    """Every label in the files and folders; what stands in no file of this format is one refused problem.

    Each record gives exactly one draft or one refused problem. Raises SourceNotFound and UnknownFormat at once;
    nothing the files hold makes the iteration raise.
    """
    return read_files(check_paths(paths), _detecting(choose(format, READERS)), _explain)


def _detecting(pick: Pick) -> Pick:
    # A folder of labels often holds the runs too; read as labels they would be refused one by one.
    def detecting(value: object) -> Reader | None:
        reader = pick(value)
        return reader if reader is not None and reader.detects(value) else None

    return detecting


def _explain(value: object) -> tuple[str, str]:
    known = ", ".join(reader.name for reader in READERS)
    return "unknown_format", f"holds no labels of the format asked for (known are {known}); traces go to import_traces"
