from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Crosswalk:
    """`rows`: (key on the left, key on the right or "" for none, note: what it depends on)."""

    name: str
    left: str
    right: str
    note: str
    rows: tuple[tuple[str, str, str], ...]

    def ways(self, preset: str, key: str) -> Iterator[tuple[str, str]]:
        for left, right, note in self.rows:
            here, there = (left, right) if preset == self.left else (right, left)
            if here == key and there:
                yield there, note
