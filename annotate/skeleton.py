"""A whole run in columns, small enough to send at once: who speaks, what kind, how much, which number."""

from collections.abc import Iterable
from math import log2
from string import ascii_letters, digits
from typing import Any

from annotate.cards import KINDS

PREVIEWS_UP_TO = 300  # steps; longer runs do without
PREVIEW = 90
SIGNS = digits + ascii_letters
COLUMNS = ("position", "native_index", "agent", "kinds", "characters", "has_error")


def fields(n_steps: int) -> tuple[str, ...]:
    return (*COLUMNS, "preview") if n_steps <= PREVIEWS_UP_TO else COLUMNS


class Palette:
    """Names numbered in order of first appearance; the number gives an agent the same hue everywhere."""

    def __init__(self, names: Iterable[str] = ()):
        self.places: dict[str, int] = {}
        for name in names:
            self.place(name)

    def place(self, name: str) -> int:
        return self.places.setdefault(name, len(self.places))

    def hue(self, name: str) -> int:
        return 1 + self.place(name) % 8

    @property
    def names(self) -> list[str]:
        return list(self.places)


def signs(places: list[int]) -> str | list[int]:
    """One character per place where the alphabet is long enough, else the numbers."""
    return "".join(SIGNS[place] for place in places) if max(places, default=0) < len(SIGNS) else places


def magnitude(characters: int) -> int:
    """The length of a step in quarters of a power of two: enough for a tick and a guessed height."""
    return min(len(SIGNS) - 1, round(4 * log2(1 + characters)))


def columns(steps: Iterable[dict[str, Any]]) -> dict[str, Any]:
    rows = list(steps)
    agents, kinds = Palette(), Palette()
    numbers = [row["position"] + 1 if row["native_index"] is None else row["native_index"] for row in rows]
    first = numbers[0] if numbers else 1
    return {
        "first_number": first,
        # Only where the source's numbers skip or repeat.
        "number": None if numbers == list(range(first, first + len(rows))) else numbers,
        "agent": signs([agents.place(row["agent"]) for row in rows]),
        "agents": agents.names,
        "kind": signs([kinds.place(", ".join(KINDS.get(kind, kind) for kind in row["kinds"])) for row in rows]),
        "kinds": kinds.names,
        "size": signs([magnitude(row["characters"]) for row in rows]),
        "errors": [row["position"] for row in rows if row["has_error"]],
        "preview": [row["preview"][:PREVIEW] for row in rows] if rows and "preview" in rows[0] else None,
    }
