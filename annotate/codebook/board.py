"""The board as one person may see it: cards with what stands on them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from annotate.codebook.seen import Link, Seen, coded_seen_by
from annotate.models import Project
from taxonomy.codebook import CATEGORY, CODE, GROUP, Board, Node
from taxonomy.queries import board_of, last_event


@dataclass(frozen=True)
class Card:
    """`failures` and `runs` count what the person may see; None where counts are not for her."""

    node: Node
    failures: int | None = None
    runs: int | None = None
    cards: tuple["Card", ...] = field(default=())

    @property
    def codes(self) -> int:
        return sum(card.codes for card in self.cards) + (self.node.kind == CODE)


@dataclass(frozen=True)
class Page:
    base: int
    board: Board
    shown: frozenset[str]
    codes: tuple[Card, ...]  # in no group and no category
    groups: tuple[Card, ...]
    categories: tuple[Card, ...]
    counts: bool

    @property
    def targets(self) -> list[Node]:
        """Where codes and groups can go."""
        return [card.node for card in (*self.categories, *self.groups)]

    @property
    def loose_codes(self) -> list[Node]:
        """Codes in no category, in groups or by themselves."""
        inside = [card for group in self.groups for card in group.cards]
        return [card.node for card in (*inside, *self.codes)]

    @property
    def is_empty(self) -> bool:
        return not (self.codes or self.groups or self.categories)


def members_of(board: Board, category: str) -> list[Node]:
    """The living codes that lie under a category, in groups or by themselves."""
    return [node for node in board.living(CODE) if board.category_over(node.id) == category]


def page_for(user, project: Project, *, counts: bool) -> Page:
    taxonomy = project.taxonomy_version.taxonomy
    base = last_event(taxonomy)
    board, seen = board_of(taxonomy, base), Seen.by(user, project)
    shown = seen.shown(board, public_keys(project))
    homes = seen.homes(board, coded_seen_by(user, project)) if counts else {}
    build = Builder(board, shown, homes, counts)
    return Page(
        base,
        board,
        shown,
        tuple(build.cards(None, (CODE,))),
        tuple(build.cards(None, (GROUP,))),
        tuple(build.cards(None, (CATEGORY,))),
        counts,
    )


def public_keys(project: Project) -> frozenset[str]:
    """Categories that people choose from already are known to all."""
    return frozenset(project.taxonomy_version.categories.values_list("key", flat=True))


@dataclass(frozen=True)
class Builder:
    board: Board
    shown: frozenset[str]
    homes: Mapping[str, list[Link]]
    counts: bool

    def cards(self, parent: str | None, kinds: Iterable[str]) -> list[Card]:
        nodes = [
            node
            for node in self.board.living()
            if node.parent == parent and node.kind in kinds and node.id in self.shown
        ]
        found = [self.card(node) for node in nodes]
        if CATEGORY in kinds:
            return found
        return sorted(found, key=lambda card: (not card.node.offered, -(card.failures or 0), card.node.name.casefold()))

    def card(self, node: Node) -> Card:
        inside = () if node.kind == CODE else tuple(self.cards(node.id, (GROUP, CODE)))
        if not self.counts:
            return Card(node, cards=inside)
        links = self.links(node, inside)
        return Card(node, len({each.failure for each in links}), len({each.item for each in links}), inside)

    def links(self, node: Node, inside: Iterable[Card]) -> list[Link]:
        found = list(self.homes.get(node.id, ()))
        for card in inside:
            found += self.links(card.node, card.cards)
        return found
