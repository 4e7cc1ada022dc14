"""Which run of a dataset a suggestion speaks of, by the three ways in which sources name runs."""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suggestions.formats.drafts import NUMBER, Which
from traces.models import Dataset, Step, Trajectory
from traces.numbering import agentrx_positions


class NotFound(Exception):
    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class KnownRun:
    pk: int
    external_id: str
    source: str
    format: str
    n_steps: int
    file_number: int | None

    @property
    def name(self) -> str:
        return f"{self.source}/{self.external_id}"


class Targets:
    """The runs of one dataset, read once for a whole import; `source` narrows them."""

    def __init__(self, dataset: Dataset, source: str | None = None):
        self.dataset, self.source = dataset, source
        self._numbers: dict[int, dict[int, int]] = {}

    def find(self, which: Which) -> KnownRun:
        found = self._named(which)
        if which.source and self.source is None:
            found = [run for run in found if run.source == which.source] or found
        if len(found) == 1:
            return found[0]
        name = which.external_id or which.run_key or f"{which.file_number}.json"
        if found:
            raise NotFound("ambiguous", f"{name} names {len(found)} runs; say which with --source")
        where = f" of source {self.source}" if self.source else ""
        raise NotFound("unknown_trajectory", f"no run{where} is called {name}; import the traces first, or give --keys")

    def position(self, run: KnownRun, step: int, base: str) -> int:
        """The 0-based position; NotFound where the run has no such step."""
        if base != NUMBER:
            if step < run.n_steps:
                return step
            raise NotFound("step_out_of_range", f"step {step} is not in {run.name}, which has {run.n_steps} from 0")
        if run.pk not in self._numbers:
            steps = Step.objects.filter(trajectory=run.pk).values_list("position", "native_index")
            self._numbers[run.pk] = agentrx_positions(run.format, steps)
        numbers = self._numbers[run.pk]
        if step in numbers:
            return numbers[step]
        first, last = min(numbers), max(numbers)
        raise NotFound("step_out_of_range", f"step {step} is not in {run.name}, whose steps go from {first} to {last}")

    def _named(self, which: Which) -> list[KnownRun]:
        if which.run_key is not None:
            return self._by_run_key.get(which.run_key, [])
        if which.file_number is not None:
            return self._by_file_number.get(which.file_number, [])
        return self._by_external_id.get(which.external_id, [])

    @cached_property
    def _runs(self) -> list[KnownRun]:
        rows = Trajectory.objects.filter(dataset=self.dataset)
        if self.source is not None:
            rows = rows.filter(source=self.source)
        columns = ("pk", "external_id", "source", "format", "n_steps")
        return [
            KnownRun(*row, file_number=number if isinstance(number, int) else None)
            for *row, number in rows.values_list(*columns, "origin__number").iterator()
        ]

    @cached_property
    def _by_external_id(self) -> dict[Any, list[KnownRun]]:
        return self._grouped(lambda run: run.external_id)

    @cached_property
    def _by_file_number(self) -> dict[Any, list[KnownRun]]:
        return self._grouped(lambda run: run.file_number if run.format == "whowhen" else None)

    @cached_property
    def _by_run_key(self) -> dict[Any, list[KnownRun]]:
        keys = {}
        wanted = [run.pk for run in self._runs if run.format == "whowhen"]
        raws = Trajectory.objects.filter(pk__in=wanted).exclude(raw=None).values_list("pk", "raw__content")
        for pk, content in raws.iterator(chunk_size=100):
            keys[pk] = run_key(gzip.decompress(bytes(content)))
        return self._grouped(lambda run: keys.get(run.pk))

    def _grouped(self, key: Callable[[KnownRun], Any]) -> dict[Any, list[KnownRun]]:
        groups: dict[Any, list[KnownRun]] = defaultdict(list)
        for run in self._runs:
            if (name := key(run)) is not None:
                groups[name].append(run)
        return dict(groups)


def run_key(record: bytes) -> str:
    """CatchBench's name of a Who&When run: the hash of its whole record, whatever its spacing and order of keys."""
    text = record.decode("utf-8-sig", "surrogateescape")
    canonical = json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256-" + hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
