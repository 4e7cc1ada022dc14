"""Codebooks in files. To add a format, write a module beside `qdc` and enter it in `FORMATS`."""

from taxonomy.formats.comma_separated import CommaSeparated
from taxonomy.formats.drafts import BadCodebook, Format, NodeDraft
from taxonomy.formats.plain_json import PlainJson
from taxonomy.formats.qdc import Qdc

__all__ = ["FORMATS", "BadCodebook", "Format", "NodeDraft", "format_of", "read"]

FORMATS: tuple[type[Format], ...] = (Qdc, PlainJson, CommaSeparated)
MAX_NODES, MAX_BYTES = 5000, 5_000_000


def format_of(name: str) -> type[Format]:
    for each in FORMATS:
        if each.name == name:
            return each
    raise BadCodebook(f"“{name}” is no codebook format; known are {', '.join(each.name for each in FORMATS)}")


def read(content: bytes) -> list[NodeDraft]:
    """The cards in a file, told by its content. Raises BadCodebook with the place."""
    if len(content) > MAX_BYTES:
        raise BadCodebook(f"the file is larger than {MAX_BYTES // 10**6} MB")
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    chosen = Qdc if start == b"<" or content[:2] in (b"\xff\xfe", b"\xfe\xff") else CommaSeparated
    nodes = (PlainJson if start in (b"{", b"[") else chosen).read(content)
    if len(nodes) > MAX_NODES:
        raise BadCodebook(f"the file has more than {MAX_NODES:,} codes")
    check_parents(nodes)
    return nodes


def check_parents(nodes: list[NodeDraft]) -> None:
    seen: set[str] = set()
    for node in nodes:  # parents come first, so that no card lies inside itself
        if node.parent and node.parent not in seen:
            raise BadCodebook(f"“{node.name}” lies in a card that does not stand before it")
        if node.id in seen:
            raise BadCodebook(f"two cards have the id {node.id}")
        seen.add(node.id)
