"""Where things stand in the pictures of the agreement page. The templates hold the shapes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.worded import Names, worded

LEVELS = 5
SHOWN_VALUES = 14
LEFT, TOP, WIDTH, HEIGHT = 34.0, 8.0, 560.0, 180.0


@dataclass(frozen=True)
class Curve:
    """How near the critical steps of two annotators lie: the share within ±k, and by blind guessing."""

    observed: str  # points of a polyline
    chance: str
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    rows: list[list[float]]


def curve(measure: Mapping[str, Any]) -> Curve | None:
    rows = measure.get("curve") or []
    if not rows:
        return None
    last = max(rows[-1][0], 1)

    def x(k: float) -> float:
        return round(LEFT + k / last * WIDTH, 1)

    def y(share: float) -> float:
        return round(TOP + (1 - share) * HEIGHT, 1)

    def steps(place: int) -> str:
        return " ".join(f"{x(row[0])},{y(row[place])}" for row in rows)

    every = max(1, round(last / 6))
    return Curve(
        observed=steps(1),
        chance=steps(2),
        x_ticks=[(x(k), f"±{k}" if k else "0") for k in range(0, last + 1, every)],
        y_ticks=[(y(share), f"{share:g}") for share in (0, 0.5, 1)],
        rows=rows,
    )


@dataclass(frozen=True)
class Cell:
    n: float
    level: int  # 0 (none) to LEVELS
    agrees: bool
    x: str
    y: str
    size: str
    row: str
    column: str

    @property
    def fill(self) -> str:
        return f"{'heat-same' if self.agrees else 'heat-differs'} heat-{self.level}"


@dataclass(frozen=True)
class Matrix:
    question: str
    title: str
    rows: str
    columns: str
    values: list[str]  # as people read them
    cells: list[list[Cell]]
    hidden: int = 0

    @property
    def is_wide(self) -> bool:
        return len(self.values) > 3

    @property
    def table(self) -> list[tuple[str, list[Cell]]]:
        return list(zip(self.values, self.cells, strict=True))


def matrix(question: str, title: str, measure: Mapping[str, Any], names: Names) -> Matrix | None:
    """The most used values, so that a picture stays a picture; `hidden` says how many more there are."""
    confusion = measure.get("confusion")
    if not confusion or len(confusion["values"]) < 2:
        return None
    values, counts = confusion["values"], confusion["counts"]
    used = sorted(range(len(values)), key=lambda i: (-sum(counts[i]) - sum(line[i] for line in counts), values[i]))
    kept = sorted(used[:SHOWN_VALUES], key=lambda i: values[i])
    top = max((counts[i][j] for i in kept for j in kept), default=0) or 1
    return Matrix(
        question=question,
        title=title,
        rows=confusion["rows"] or "one annotator",
        columns=confusion["columns"] or "another",
        values=[worded(values[i], question, names) for i in kept],
        cells=[
            [
                Cell(
                    n=counts[i][j],
                    level=level(counts[i][j], top),
                    agrees=i == j,
                    x=place(column, len(kept)),
                    y=place(row, len(kept)),
                    size=place(1, len(kept)),
                    row=values[i],
                    column=values[j],
                )
                for column, j in enumerate(kept)
            ]
            for row, i in enumerate(kept)
        ],
        hidden=len(values) - len(kept),
    )


def level(n: float, top: float) -> int:
    return 0 if n <= 0 else max(1, round(n / top * LEVELS))


def place(index: int, n: int) -> str:
    """In a picture of 100 × 100."""
    return f"{index / n * 100:.3f}"


def matrices(measures: Mapping[str, Any], names: Names) -> Sequence[Matrix]:
    titles = {"category": "critical category", "agent": "responsible agent", "outcome": "outcome"}
    found = (matrix(question, title, measures.get(question, {}), names) for question, title in titles.items())
    return [each for each in found if each is not None]
