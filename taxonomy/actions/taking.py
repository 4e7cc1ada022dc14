"""Taking in a codebook from a file: codes that are new are coined, groups and categories become acts one can undo."""

from dataclasses import dataclass

from django.db import transaction

from people.models import User
from taxonomy.actions.acting import act
from taxonomy.actions.taxonomies import coin
from taxonomy.codebook import CATEGORY, CODE, GROUP, Board, code_node
from taxonomy.codebook.acts import KEY, NOT_A_KEY, key_from
from taxonomy.codebook.board import WORDS
from taxonomy.formats import NodeDraft
from taxonomy.models import Code, Taxonomy
from taxonomy.presets.spelling import fold as folded
from taxonomy.queries import board_of, last_event


@dataclass(frozen=True)
class TakenIn:
    codes: int
    known: int
    acts: int


@transaction.atomic
def take_in(*, taxonomy: Taxonomy, nodes: list[NodeDraft], reason: str, by: User) -> TakenIn:
    """Codes that are on the board keep their words and their place; so do categories of the same name."""
    return Taker(taxonomy, nodes, reason, by).take()


class Taker:
    def __init__(self, taxonomy: Taxonomy, nodes: list[NodeDraft], reason: str, by: User):
        self.taxonomy, self.nodes, self.reason, self.by = taxonomy, nodes, reason, by
        self.acts = 0

    def take(self) -> TakenIn:
        before = set(Code.objects.filter(taxonomy=self.taxonomy).values_list("pk", flat=True))
        codes = {
            node.id: coin(taxonomy=self.taxonomy, phrase=node.name.strip(), definition=node.definition, by=self.by)
            for node in self.nodes
            if node.kind == CODE
        }
        new = {id_: code_node(code.pk) for id_, code in codes.items() if code.pk not in before}
        inside: dict[str, list[str]] = {}
        for node in self.nodes:
            if node.id in new and node.parent:
                inside.setdefault(node.parent, []).append(new[node.id])
        for node in self.nodes:
            if node.kind == GROUP and inside.get(node.id):
                payload = {"nodes": inside[node.id], "name": node.name, "definition": node.definition}
                made = self.act("group", payload)
                if node.parent:
                    inside.setdefault(node.parent, []).append(f"g{made}")
        for node in self.nodes:
            if node.kind == CATEGORY:
                self.category(node, inside.get(node.id, []))
        return TakenIn(len(set(new.values())), len(codes) - len(new), self.acts)

    def category(self, node: NodeDraft, nodes: list[str]) -> None:
        board = board_of(self.taxonomy)
        known = same_category(board, node)
        if known is not None:
            if nodes:
                self.act("promote", {"nodes": nodes, "into": known})
            return
        self.act("promote", {"nodes": nodes or [self.stand_in(node)], **self.made(node)})
        fields = {name: value for name, value in node.words.items() if name in WORDS and value}
        if node.colour:
            fields["colour"] = node.colour
        if fields:
            self.act("describe", {"node": self.key(node), "fields": fields})

    def made(self, node: NodeDraft) -> dict:
        return {"name": node.name, "key": self.key(node), "definition": node.definition}

    def key(self, node: NodeDraft) -> str:
        own = node.id if KEY.fullmatch(node.id) and not NOT_A_KEY.fullmatch(node.id) and not is_guid(node.id) else ""
        return own or key_from(node.name)

    def stand_in(self, node: NodeDraft) -> str:
        """A category without codes is promoted from a code of its own name."""
        code = coin(taxonomy=self.taxonomy, phrase=node.name.strip(), definition=node.definition, by=self.by)
        return code_node(code.pk)

    def act(self, op: str, payload: dict) -> int:
        base = last_event(self.taxonomy)
        event = act(taxonomy=self.taxonomy, op=op, payload=payload, reason=self.reason, base=base, by=self.by)
        self.acts += 1
        return event.number


def same_category(board: Board, node: NodeDraft) -> str | None:
    for each in board.categories():
        if each.id == node.id or folded(each.name) == folded(node.name):
            return each.id
    return None


def is_guid(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
