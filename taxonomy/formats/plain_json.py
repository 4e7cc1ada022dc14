"""Our own JSON: every card with everything it says."""

import json

from taxonomy.codebook.board import CATEGORY, WORDS
from taxonomy.formats.drafts import BadCodebook, Format, NodeDraft, checked, storable, text_of

FORMAT = "assay-codebook/1"


class PlainJson(Format):
    name = "json"
    title = "JSON"
    media_type = "application/json"

    @staticmethod
    def write(taxonomy: str, nodes: list[NodeDraft]) -> bytes:
        cards = [
            {
                "id": node.id,
                "kind": node.kind,
                "parent": node.parent,
                "name": node.name,
                "definition": node.definition,
                **({**node.words, "colour": node.colour} if node.kind == CATEGORY else {}),
            }
            for node in nodes
        ]
        document = {"format": FORMAT, "taxonomy": taxonomy, "cards": cards}
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()

    @staticmethod
    def read(content: bytes) -> list[NodeDraft]:
        try:
            document = storable(json.loads(text_of(content)))
        except (ValueError, RecursionError) as error:
            raise BadCodebook("the file is not JSON") from error
        cards = document.get("cards") if isinstance(document, dict) else document
        if not isinstance(cards, list):
            raise BadCodebook("expected an object with a list “cards”")
        return [card(each, f"card {n}") for n, each in enumerate(cards, start=1)]


def card(each: object, where: str) -> NodeDraft:
    if not isinstance(each, dict):
        raise BadCodebook(f"{where}: expected an object")
    texts = {name: each.get(name) or "" for name in ("id", "kind", "name", "definition")}
    parent = each.get("parent")
    if not all(isinstance(value, str) for value in texts.values()) or not isinstance(parent, str | None):
        raise BadCodebook(f"{where}: id, kind, name, definition and parent are text")
    words = {name: each[name] for name, value in WORDS.items() if isinstance(each.get(name), type(value))}
    node = NodeDraft(
        texts["id"], texts["kind"], texts["name"], texts["definition"], parent, words.get("colour", 0), words
    )
    return checked(node, where)
