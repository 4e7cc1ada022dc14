"""What lies on the board: codes, groups and categories, and where each marked code has gone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

CODE, GROUP, CATEGORY = "code", "group", "category"
LIVING, MERGED, SPLIT, RETIRED, DEMOTED = "living", "merged", "split", "retired", "demoted"
# What a category says beyond its name and definition.
WORDS: dict[str, Any] = {
    "group": "",
    "when_to_use": "",
    "when_not": "",
    "checklist": [],
    "examples": [],
    "aliases": [],
    "names": {},
    "hotkey": "",
    "colour": 0,
}


@dataclass
class Node:
    """One card. A code that was merged or split stays as a signpost, so that every mark still finds its way."""

    id: str
    kind: str
    name: str
    definition: str = ""
    parent: str | None = None
    state: str = LIVING
    to: tuple[str, ...] = ()  # where its marks went: one node of a merge, the parts of a split
    assigned: Mapping[str, str] = field(default_factory=dict)  # of a split: mark → part
    rest: str | None = None  # the part that takes every mark not assigned
    rule: str = ""
    offered: bool = True  # a retired code keeps its marks and is not offered any more
    words: dict[str, Any] = field(default_factory=dict)

    @property
    def is_living(self) -> bool:
        return self.state == LIVING


@dataclass(frozen=True)
class Lost:
    """A mark whose category went away, or was split without a word about this mark."""

    why: str  # retired, demoted, split or unknown
    choices: tuple[str, ...] = ()


@dataclass
class Board:
    nodes: dict[str, Node] = field(default_factory=dict)

    def living(self, kind: str | None = None) -> Iterator[Node]:
        return (node for node in self.nodes.values() if node.is_living and kind in (None, node.kind))

    def categories(self) -> list[Node]:
        return list(self.living(CATEGORY))

    def children(self, parent: str | None, kind: str | None = None) -> list[Node]:
        return [node for node in self.living(kind) if node.parent == parent and node.kind != CATEGORY]

    def follow(self, node_id: str, mark: str) -> str | Lost:
        """The living node a mark on this node belongs to now. Codes never lose a mark; categories may."""
        seen = []
        while True:
            node = self.nodes.get(node_id)
            if node is None:
                return Lost("unknown")
            seen.append(node_id)
            if node.is_living:
                return node_id
            if node.state == MERGED:
                (node_id,) = node.to
            elif node.state == SPLIT and (mark in node.assigned or node.rest):
                node_id = node.assigned.get(mark) or str(node.rest)
            elif node.state == SPLIT:
                return Lost(SPLIT, self.still(node.to))
            else:
                return Lost(node.state)

    def still(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        """The living nodes that these have become, in order."""
        found: list[str] = []
        for each in ids:
            node = self.nodes.get(each)
            if node is not None:
                found += [each] if node.is_living else self.still(node.to)
        return tuple(dict.fromkeys(found))

    def category_over(self, node_id: str | None) -> str | None:
        """The living category that a living node is, or lies under."""
        while node_id is not None:
            node = self.nodes[node_id]
            if node.kind == CATEGORY:
                return node_id if node.is_living else None
            node_id = node.parent
        return None

    def category_of(self, code: int, mark: str) -> str | None:
        """What a marked code has been promoted into."""
        found = self.follow(code_node(code), mark)
        return None if isinstance(found, Lost) else self.category_over(found)


def code_node(code: int) -> str:
    return f"c{code}"


def mark_of(annotation: int, failure: str) -> str:
    """How a mark is named in events: by its annotation and its key there, which outlive the row."""
    return f"{annotation}/{failure}"
