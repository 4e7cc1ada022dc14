"""What became of the categories of one version in another, and the same in words. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.codebook.board import CATEGORY, DEMOTED, MERGED, RETIRED, SPLIT, Board, Node

KEPT, RENAMED, NEW = "kept", "renamed", "new"
SHARPENED = ("definition", "when_to_use", "when_not", "checklist", "group")


@dataclass(frozen=True)
class Change:
    """One category's way from version to version; `to` has one key unless it was split, none if it went away."""

    key: str
    how: str  # kept, renamed, merged, split, retired, demoted, new
    to: tuple[str, ...]
    name: str
    names: tuple[str, ...]  # of `to`
    rule: str = ""
    sharpened: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"from": self.key, "how": self.how, "to": list(self.to), "rule": self.rule}

    @property
    def is_clear(self) -> bool:
        return len(self.to) == 1


def changes(old: Board, new: Board) -> list[Change]:
    """Every category of the old board, then those that came since."""
    found = [change_of(node, new) for node in old.categories()]
    reached = {key for change in found for key in change.to}
    came = [node for node in new.categories() if node.id not in reached]
    return [*found, *(Change(node.id, NEW, (node.id,), node.name, (node.name,)) for node in came)]


def change_of(node: Node, new: Board) -> Change:
    now = new.nodes.get(node.id)
    if now is None:  # the act that made it was undone
        return Change(node.id, RETIRED, (), node.name, ())
    to = new.still((node.id,)) if now.state in {MERGED, SPLIT} else ((now.id,) if now.is_living else ())
    names = tuple(new.nodes[each].name for each in to)
    if now.is_living:
        how = KEPT if now.name == node.name else RENAMED
        return Change(node.id, how, to, node.name, names, "", sharpened(node, now))
    if not to:
        return Change(node.id, DEMOTED if now.state == DEMOTED else RETIRED, (), node.name, ())
    how = SPLIT if len(to) > 1 else MERGED
    return Change(node.id, how, to, node.name, names, now.rule)


def sharpened(before: Node, after: Node) -> tuple[str, ...]:
    def words(node: Node) -> dict[str, Any]:
        return {**node.words, "definition": node.definition}

    return tuple(name for name in SHARPENED if words(before).get(name) != words(after).get(name))


def compose(first: Mapping[str, tuple[str, ...]], then: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Two steps of old key → new keys as one; a way that is lost anywhere is lost."""
    return {key: unique(t for each in to for t in then.get(each, ())) for key, to in first.items()}


def unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


def in_words(change: Change) -> str:
    to = " and ".join(f"“{name}”" for name in change.names)
    if change.how == KEPT and not change.sharpened:
        return f"“{change.name}” stays as it is."
    if change.how == KEPT:
        return f"“{change.name}” stays; {and_list(change.sharpened)} changed."
    if change.how == RENAMED:
        more = f"; {and_list(change.sharpened)} changed too" if change.sharpened else ""
        return f"“{change.name}” is now called {to}{more}."
    if change.how == MERGED:
        return f"“{change.name}” went into {to}."
    if change.how == SPLIT:
        return f"“{change.name}” was split into {to}" + (f": {change.rule.rstrip('.')}." if change.rule else ".")
    if change.how == NEW:
        return f"“{change.name}” is new."
    return f"“{change.name}” is no category any more" + (
        "; its codes stay together in a group." if change.how == DEMOTED else "."
    )


def and_list(names: Iterable[str]) -> str:
    words = [name.replace("_", " ") for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def category_words(node: Node) -> dict[str, Any]:
    """A category as a version keeps it."""
    assert node.kind == CATEGORY
    return {"key": node.id, "name": node.name, "definition": node.definition, **node.words}
