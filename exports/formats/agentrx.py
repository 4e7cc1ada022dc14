"""AgentRx ground truth: one list of runs, each with all its failures and its root cause."""

from collections.abc import Iterable, Iterator
from typing import Any

from exports.formats.base import CannotExpress, Entry, Writer, as_list
from exports.rows import Mark, Row
from taxonomy.presets import load, resolve
from traces.numbering import agentrx_number

AGENTRX = load("agentrx")
NAMES = {category.key: category.name for category in AGENTRX.categories}


class AgentRx(Writer):
    """Imported labels keep their failure ids and agents as spelt; categories are the benchmark's canonical names.

    Every failure needs a step, and a category of the nine; a run in which one lacks it is left out, since its list
    of failures would no longer be whole.
    """

    name = "agentrx"
    title = "AgentRx"
    suffix = ".json"
    media_type = "application/json"

    def __init__(self, layout, raw_names=False):
        super().__init__(layout, raw_names)
        self._written: dict[str, str] = {}  # id as text → source

    def entry(self, row: Row) -> Entry:
        root = row.label.critical
        if root is None:
            raise CannotExpress(f"no root cause: the outcome is {row.label.outcome or 'open'}")
        failures = self._failures(row)
        self._claim_id(row)
        native_id = row.run.trajectory_id
        return Entry(
            {
                "trajectory_id": str(native_id) if self.layout.ids_as_text else native_id,
                "failures": list(failures.values()),
                "root_cause": {
                    "failure_id": failures[root.key]["failure_id"],
                    "reason_for_root_cause": row.label.reason_for_root_cause,
                },
                "failure_summary": row.label.failure_summary,
            }
        )

    def text(self, entries: Iterable[Entry]) -> Iterator[str]:
        return as_list(entries)

    def _failures(self, row: Row) -> dict[str, dict[str, Any]]:
        placed = sorted((step_number(row, mark), mark.number, mark) for mark in row.label.failures)
        ids = failure_ids([mark for _, _, mark in placed])
        return {
            mark.key: {
                "failure_id": ids[mark.key],
                "step_number": number,
                "step_reason": mark.step_reason,
                "failure_category": self._category(mark),
                "category_reason": mark.category_reason,
                "failed_agent": mark.raw.get("failed_agent") or mark.participant,
            }
            for number, _, mark in placed
        }

    def _category(self, mark: Mark) -> str:
        as_spelt = str(mark.raw.get("failure_category") or "")
        if self.raw_names and as_spelt:
            return as_spelt
        elsewhere = mark.category_as.get(self.name, [])
        if len(elsewhere) > 1:
            raise CannotExpress(
                f"“{mark.category_name}” of F{mark.number} may be {' or '.join(elsewhere)} in AgentRx; "
                "say which on the codebook's page"
            )
        name = elsewhere[0] if elsewhere else mark.category_name or as_spelt
        if not name:
            raise CannotExpress(f"failure F{mark.number} has no category")
        key = resolve(AGENTRX, name)
        if key is None:
            raise CannotExpress(f"the category “{name}” of F{mark.number} is none of AgentRx's")
        return NAMES[key]

    def _claim_id(self, row: Row) -> None:
        """The file names runs by id alone, and its readers keep one run per id."""
        other = self._written.setdefault(str(row.run.trajectory_id), row.run.source)
        if other != row.run.source:
            raise CannotExpress(f"the run of {other} has the same id, and this format tells runs apart by id alone")


def step_number(row: Row, mark: Mark) -> int:
    if mark.first_step is None:
        raise CannotExpress(f"failure F{mark.number} is anchored to the {mark.anchor} and has no step")
    return agentrx_number(row.run.format, mark.first_step, mark.native_step)


def failure_ids(marks: list[Mark]) -> dict[str, int]:
    """By key: the ids the labels came with where every one is a whole number of its own, else 1, 2, 3 … by step."""
    raw = [str(mark.raw.get("failure_id", "")).strip() for mark in marks]
    if all(text.isascii() and text.isdecimal() for text in raw) and len({int(text) for text in raw}) == len(marks):
        return {mark.key: int(text) for mark, text in zip(marks, raw, strict=True)}
    return {mark.key: number for number, mark in enumerate(marks, start=1)}
