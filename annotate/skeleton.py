"""A whole run in columns, small enough to send at once: who speaks, what kind, how much, which number."""

from collections.abc import Iterable
from typing import Any

from annotate.cards import KINDS

PREVIEWS_UP_TO = 300  # steps; longer runs do without
PREVIEW = 90


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


def columns(steps: Iterable[dict[str, Any]], agents: Palette) -> dict[str, Any]:
    rows = list(steps)
    kinds = Palette()
    numbers = [row["position"] + 1 if row["native_index"] is None else row["native_index"] for row in rows]
    first = numbers[0] if numbers else 1
    return {
        "first_number": first,
        # Only where the source's numbers skip or repeat.
        "number": None if numbers == list(range(first, first + len(rows))) else numbers,
        "agent": [agents.place(row["agent"]) for row in rows],
        "agents": agents.names,
        "kind": [kinds.place(", ".join(KINDS.get(kind, kind) for kind in row["kinds"])) for row in rows],
        "kinds": kinds.names,
        "size": [row["characters"] for row in rows],
        "errors": [row["position"] for row in rows if row["has_error"]],
        "preview": [row["preview"][:PREVIEW] for row in rows] if len(rows) <= PREVIEWS_UP_TO else None,
    }
