import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from taxonomy.codebook.board import CATEGORY, CODE, GROUP, Board

KINDS = (CODE, GROUP, CATEGORY)
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class BadCodebook(ValueError):
    """A file that is no codebook; the message says where and what was expected."""


@dataclass(frozen=True)
class NodeDraft:
    """A card in a file: parents stand before what lies in them."""

    id: str
    kind: str
    name: str
    definition: str = ""
    parent: str | None = None
    colour: int = 0
    words: dict[str, Any] = field(default_factory=dict, compare=False)


class Format:
    name: ClassVar[str]
    title: ClassVar[str]
    media_type: ClassVar[str]

    @staticmethod
    def write(taxonomy: str, nodes: list[NodeDraft]) -> bytes:
        raise NotImplementedError

    @staticmethod
    def read(content: bytes) -> list[NodeDraft]:
        raise NotImplementedError


def drafts_of(board: Board, shown: Iterable[str]) -> list[NodeDraft]:
    """The living cards among `shown`, categories first, each before what lies in it."""
    allowed = set(shown)
    found: list[NodeDraft] = []

    def add(parent: str | None, kinds: tuple[str, ...]) -> None:
        for node in board.living():
            if node.kind in kinds and node.id in allowed and (node.parent == parent or node.kind == CATEGORY):
                inside = parent if node.kind != CATEGORY else None
                colour = node.words.get("colour", 0)
                found.append(
                    NodeDraft(node.id, node.kind, node.name, node.definition, inside, colour, dict(node.words))
                )
                if node.kind != CODE:
                    add(node.id, (GROUP,))
                    add(node.id, (CODE,))

    add(None, (CATEGORY,))
    add(None, (GROUP,))
    add(None, (CODE,))
    return found


def text_of(content: bytes) -> str:
    try:
        return str(storable(content.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise BadCodebook(f"the file is not UTF-8: byte {error.start}") from error


def storable(value: Any) -> Any:
    """The same with each character that the database could not keep as one U+FFFD."""
    if isinstance(value, str):
        return UNSTORABLE.sub("\ufffd", value)
    if isinstance(value, list):
        return [storable(each) for each in value]
    if isinstance(value, dict):
        return {storable(name): storable(each) for name, each in value.items()}
    return value


def checked(node: NodeDraft, where: str) -> NodeDraft:
    if node.kind not in KINDS:
        raise BadCodebook(f"{where}: “{node.kind}” is no kind; expected {', '.join(KINDS)}")
    if not node.name.strip() or len(node.name) > 200:
        raise BadCodebook(f"{where}: a name has 1 to 200 characters")
    if not 0 <= node.colour <= 8:
        raise BadCodebook(f"{where}: colours are numbered 1 to 8")
    if len(node.words.get("group", "")) > 200 or len(node.words.get("hotkey", "")) > 1:
        raise BadCodebook(f"{where}: a group has at most 200 characters, a hotkey one")
    return node
