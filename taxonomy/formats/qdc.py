"""REFI-QDA codebook (.qdc): names, descriptions, hierarchy, colours; categories are the members of one set."""

import uuid
from dataclasses import dataclass, field, replace
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from taxonomy.codebook.board import CATEGORY, CODE, GROUP
from taxonomy.formats.drafts import BadCodebook, Format, NodeDraft, checked

NAMESPACE = "urn:QDA-XML:codebook:1.0"
CATEGORIES = "Categories"
COLOURS = ("", "#3d4fd6", "#0d7482", "#b4501f", "#8445b0", "#5a7317", "#b5306f", "#1d6fb0", "#7a5c2e")
MAX_DEPTH = 40
# What XML cannot hold at all.
UNFIT = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), "�")


class Qdc(Format):
    name = "qdc"
    title = "REFI-QDA (.qdc)"
    media_type = "application/xml"

    @staticmethod
    def write(taxonomy: str, nodes: list[NodeDraft]) -> bytes:
        space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{taxonomy}")
        inside: dict[str | None, list[NodeDraft]] = {}
        for node in nodes:
            inside.setdefault(node.parent, []).append(node)

        def code(node: NodeDraft, depth: int) -> list[str]:
            pad = "  " * depth
            colour = f" color={quoteattr(COLOURS[node.colour])}" if node.colour else ""
            codable = "false" if node.kind == GROUP else "true"
            guid = uuid.uuid5(space, node.id)
            lines = [f'{pad}<Code guid="{guid}" name={attribute(node.name)} isCodable="{codable}"{colour}>']
            if node.definition:
                lines.append(f"{pad}  <Description>{text(node.definition)}</Description>")
            for child in inside.get(node.id, ()):
                lines += code(child, depth + 1)
            return [*lines, f"{pad}</Code>"]

        body = [line for node in inside.get(None, ()) for line in code(node, 2)]
        members = [
            f'      <MemberCode guid="{uuid.uuid5(space, node.id)}"/>' for node in nodes if node.kind == CATEGORY
        ]
        sets = [
            "  <Sets>",
            f'    <Set guid="{uuid.uuid5(space, CATEGORIES)}" name="{CATEGORIES}">',
            *members,
            "    </Set>",
            "  </Sets>",
        ]
        head = ['<?xml version="1.0" encoding="utf-8"?>', f'<CodeBook xmlns="{NAMESPACE}" origin="Assay">', "  <Codes>"]
        lines = [*head, *body, "  </Codes>", *(sets if members else []), "</CodeBook>"]
        return ("\n".join(lines) + "\n").encode()

    @staticmethod
    def read(content: bytes) -> list[NodeDraft]:
        reader = Reader()
        reader.parse(content)
        if not reader.nodes:
            raise BadCodebook("the file has no codes")
        if reader.sets:
            members = reader.members
        else:  # another tool's file: what has codes in it is a category
            members = {node.parent for node in reader.nodes if node.parent}
            members &= {node.id for node in reader.nodes if node.parent is None}
        parents = {node.parent for node in reader.nodes}
        return [settled(node, members, parents) for node in reader.nodes]


def settled(node: NodeDraft, members: set, parents: set) -> NodeDraft:
    kind = CATEGORY if node.id in members else GROUP if node.kind == GROUP or node.id in parents else CODE
    return checked(replace(node, kind=kind), f"code {node.id}")


def attribute(value: str) -> str:
    return quoteattr(value.translate(UNFIT), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


def text(value: str) -> str:
    return escape(value.translate(UNFIT), {"\r": "&#13;"})


@dataclass
class Reader:
    """Walks the XML without entities or anything outside the file."""

    nodes: list[NodeDraft] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    sets: bool = False
    stack: list[str] = field(default_factory=list)
    open: list[int] = field(default_factory=list)  # places in nodes of the codes around
    words: list[str] | None = None
    set_name: str = ""

    def parse(self, content: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self.start, self.end
        parser.CharacterDataHandler = lambda data: self.words.append(data) if self.words is not None else None
        parser.StartDoctypeDeclHandler = refuse_doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise BadCodebook(f"line {error.lineno}: not well-formed XML") from error
        except BadCodebook:
            raise
        except (ValueError, LookupError) as error:
            raise BadCodebook("line 1: the encoding is none that is read; write UTF-8") from error

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        self.stack.append(name)
        if len(self.stack) > MAX_DEPTH:
            raise BadCodebook("codes are nested too deeply")
        if len(self.stack) == 1 and name not in {"CodeBook", "Project"}:
            raise BadCodebook(f"expected a CodeBook, found {name}")
        if name == "Code":
            self.add(attributes)
        elif name == "Description" and self.open:
            self.words = []
        elif name == "Set":
            self.set_name = attributes.get("name", "")
            self.sets |= self.set_name == CATEGORIES
        elif name == "MemberCode" and self.set_name == CATEGORIES:
            self.members.add(attributes.get("guid", "").casefold())

    def add(self, attributes: dict[str, str]) -> None:
        guid = attributes.get("guid", "").casefold()
        if not guid:
            raise BadCodebook(f"the code “{attributes.get('name', '')}” has no guid")
        parent = self.nodes[self.open[-1]].id if self.open else None
        kind = GROUP if attributes.get("isCodable", "true") in {"false", "0"} else CODE
        colour = attributes.get("color", "").casefold()
        number = COLOURS.index(colour) if colour in COLOURS else 0
        self.open.append(len(self.nodes))
        self.nodes.append(NodeDraft(guid, kind, attributes.get("name", ""), "", parent, number))

    def end(self, tag: str) -> None:
        name = self.stack.pop()
        if name == "Code":
            self.open.pop()
        elif name == "Description" and self.words is not None:
            at = self.open[-1]
            self.nodes[at] = replace(self.nodes[at], definition="".join(self.words))
            self.words = None


def refuse_doctype(*_: object) -> None:
    raise BadCodebook("a codebook has no DOCTYPE")
