"""What can be done on the board. Each act checks everything before it changes anything."""

import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from taxonomy.codebook.board import (
    CATEGORY,
    CODE,
    DEMOTED,
    GROUP,
    MERGED,
    RETIRED,
    SPLIT,
    WORDS,
    Board,
    Node,
)
from taxonomy.codebook.refusal import Refused

KEY = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}")
MAX_NAME, MAX_TEXT, MAX_PARTS = 200, 5000, 12
NOT_A_KEY = re.compile(r"none_fits|[cgs]\d+(\.\d+)?")  # an answer, and the names of codes, groups and parts


def start(board: Board, number: int, payload: dict) -> None:
    """The categories a preset begins with."""
    for each in listed(payload, "categories"):
        words = {name: deepcopy(each.get(name, value)) for name, value in WORDS.items()}
        board.nodes[each["key"]] = Node(each["key"], CATEGORY, each["name"], each.get("definition", ""), words=words)


def group(board: Board, number: int, payload: dict) -> None:
    nodes = chosen(board, payload, kinds={CODE})
    name = name_in(payload)
    made = Node(f"g{number}", GROUP, name, text_in(payload, "definition"), parent=shared_parent(board, nodes))
    board.nodes[made.id] = made
    for node in nodes:
        node.parent = made.id


def shared_parent(board: Board, nodes: list[Node]) -> str | None:
    """Codes grouped inside one category stay in it. A group holds no groups."""
    parents = {board.category_over(node.parent) for node in nodes}
    return parents.pop() if len(parents) == 1 else None


def merge(board: Board, number: int, payload: dict) -> None:
    into = one(board, payload, "into")
    sources = [node for node in chosen(board, payload, kinds={into.kind}) if node is not into]
    if not sources:
        raise Refused("choose at least one other card to merge", "nodes")
    name = payload.get("name")
    if name is not None:
        into.name = name_in(payload)
    for node in sources:
        node.state, node.to = MERGED, (into.id,)
        for child in children(board, node.id):
            child.parent = into.id
        if into.kind == CATEGORY:
            known = into.words.setdefault("aliases", [])
            spellings = (node.name, *node.words.get("aliases", ()))
            into.words["aliases"] = [*known, *(each for each in spellings if each not in known)]


def split(board: Board, number: int, payload: dict) -> None:
    node = one(board, payload, "node")
    parts = parts_of(board, node, number, payload)
    ids = [part.id for part in parts]
    rest = part_at(ids, payload.get("rest"), "rest")
    if rest is None and node.kind != CATEGORY:
        raise Refused("say which part takes the marks that nobody assigns", "rest")
    assigned = {str(mark): part_at(ids, part, "assign") for mark, part in table(payload, "assign").items()}
    codes = {child: part_at(ids, part, "codes") for child, part in table(payload, "codes").items()}
    rule = text_in(payload, "rule")
    kept = {mark: part for mark, part in assigned.items() if part is not None}
    node.state, node.to, node.assigned, node.rest, node.rule = SPLIT, tuple(ids), kept, rest, rule
    for part in parts:
        board.nodes[part.id] = part
    for child in children(board, node.id):
        child.parent = codes.get(child.id) or rest or None


def parts_of(board: Board, node: Node, number: int, payload: dict) -> list[Node]:
    given = listed(payload, "parts")
    if not 2 <= len(given) <= MAX_PARTS:
        raise Refused(f"a split makes 2 to {MAX_PARTS} parts", "parts")
    parts = []
    for n, each in enumerate(given, start=1):
        name, definition = name_in(each), text_in(each, "definition")
        if node.kind == CATEGORY:
            key = free_key(board, each.get("key") or key_from(name), [part.id for part in parts])
            words = {
                **deepcopy(WORDS),
                "group": node.words.get("group", ""),
                "names": dict(node.words.get("names", {})),
            }
            parts.append(Node(key, CATEGORY, name, definition, words=words))
        else:
            parts.append(Node(f"s{number}.{n}", node.kind, name, definition, parent=node.parent))
    return parts


def rename(board: Board, number: int, payload: dict) -> None:
    node, name = one(board, payload, "node"), name_in(payload)
    if node.kind == CATEGORY and name != node.name:
        known = node.words.setdefault("aliases", [])
        node.words["aliases"] = [*known, *([node.name] if node.name not in known else [])]
    node.name = name


def describe(board: Board, number: int, payload: dict) -> None:
    """Sharpen the words of a card: its definition, and of a category when to use it, its checklist and so on."""
    node, fields = one(board, payload, "node"), table(payload, "fields")
    allowed = {"definition"} | (set(WORDS) if node.kind == CATEGORY else set())
    unknown = sorted(set(fields) - allowed)
    if unknown or not fields:
        raise Refused(f"expected some of {', '.join(sorted(allowed))}", unknown[0] if unknown else "fields")
    clean = {name: words_of(name, value) for name, value in fields.items()}
    node.definition = clean.pop("definition", node.definition)
    node.words = {**node.words, **clean}


def words_of(name: str, value: Any) -> Any:
    expected = type(WORDS.get(name, ""))
    if not isinstance(value, expected) or isinstance(value, bool):
        raise Refused(f"{name} is written as {expected.__name__}", name)
    if len(str(value)) > 4 * MAX_TEXT:
        raise Refused(f"{name} is too long", name)
    if name in {"checklist", "aliases"} and not all(isinstance(each, str) for each in value):
        raise Refused(f"{name} is a list of lines", name)
    return deepcopy(value)


def promote(board: Board, number: int, payload: dict) -> None:
    """Codes or groups become what a category is made of; a category of its own, or one that is there."""
    nodes = chosen(board, payload, kinds={CODE, GROUP})
    if payload.get("into"):
        target = one(board, payload, "into", kind=CATEGORY)
    else:
        name = name_in(payload)
        key = free_key(board, payload.get("key") or key_from(name))
        definition = text_in(payload, "definition")
        target = Node(key, CATEGORY, name, definition, words=deepcopy(WORDS))
        board.nodes[key] = target
    for node in nodes:
        node.parent = target.id


def move(board: Board, number: int, payload: dict) -> None:
    """Codes and groups to another category, codes to another group, or out of all."""
    nodes = chosen(board, payload, kinds={CODE, GROUP})
    to = payload.get("to")
    if to is not None:
        target = one(board, payload, "to")
        if target.kind == CODE or target.kind == GROUP and any(node.kind == GROUP for node in nodes):
            raise Refused("codes go into groups and categories, groups into categories", "to")
    for node in nodes:
        node.parent = to


def demote(board: Board, number: int, payload: dict) -> None:
    """A category is none any more; its codes stay together in a group."""
    node = one(board, payload, "node", kind=CATEGORY)
    inside = children(board, node.id)
    node.state = DEMOTED
    codes = [child for child in inside if child.kind == CODE]
    for child in inside:
        child.parent = None
    if codes:
        made = Node(f"g{number}", GROUP, node.name, node.definition)
        board.nodes[made.id] = made
        for child in codes:
            child.parent = made.id


def retire(board: Board, number: int, payload: dict) -> None:
    """A code keeps its marks and is not offered any more; a group dissolves; a category leaves the next version."""
    for node in chosen(board, payload, kinds={CODE, GROUP, CATEGORY}):
        if node.kind == CODE:
            node.offered = False
            continue
        node.state = RETIRED
        for child in children(board, node.id):
            child.parent = node.parent


def freeze(board: Board, number: int, payload: dict) -> None:
    """Nothing moves; the log says here that a version was made."""


ACTS: dict[str, Callable[[Board, int, dict], None]] = {
    "start": start,
    "group": group,
    "merge": merge,
    "split": split,
    "rename": rename,
    "describe": describe,
    "promote": promote,
    "move": move,
    "demote": demote,
    "retire": retire,
    "freeze": freeze,
}
OF_PEOPLE = frozenset(ACTS) - {"start", "freeze"}


def children(board: Board, node_id: str) -> list[Node]:
    return [node for node in board.nodes.values() if node.parent == node_id and node.kind != CATEGORY]


def one(board: Board, payload: dict, field: str, kind: str | None = None) -> Node:
    node = board.nodes.get(str(payload.get(field)))
    if node is None or not node.is_living:
        raise Refused("this card is not on the board any more", field)
    if kind is not None and node.kind != kind:
        raise Refused(f"expected a {kind}, and “{node.name}” is a {node.kind}", field)
    return node


def chosen(board: Board, payload: dict, *, kinds: Iterable[str]) -> list[Node]:
    ids = payload.get("nodes")
    if not isinstance(ids, list) or not ids:
        raise Refused("choose one or more cards", "nodes")
    nodes = [one(board, {"nodes": each}, "nodes") for each in dict.fromkeys(map(str, ids))]
    for node in nodes:
        if node.kind not in kinds:
            raise Refused(f"“{node.name}” is a {node.kind}; expected {' or '.join(sorted(kinds))}", "nodes")
    return nodes


def name_in(payload: dict) -> str:
    name = payload.get("name")
    if not isinstance(name, str) or not name.strip():
        raise Refused("a name is missing", "name")
    if len(name.strip()) > MAX_NAME:
        raise Refused(f"a name has at most {MAX_NAME} characters", "name")
    return name.strip()


def text_in(payload: dict, field: str) -> str:
    value = payload.get(field) or ""
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise Refused(f"{field} is text of at most {MAX_TEXT:,} characters", field)
    return value.strip()


def listed(payload: dict, field: str) -> list[dict]:
    value = payload.get(field)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Refused("expected a list of objects", field)
    return value


def table(payload: dict, field: str) -> dict:
    value = payload.get(field) or {}
    if not isinstance(value, dict):
        raise Refused("expected an object", field)
    return value


def part_at(ids: list[str], part: Any, field: str) -> str | None:
    """The part of this number, counted from 0; None for none."""
    if part is None:
        return None
    if not isinstance(part, int) or isinstance(part, bool) or not 0 <= part < len(ids):
        raise Refused(f"the parts are numbered 0 to {len(ids) - 1}", field)
    return ids[part]


def key_from(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")[:80] or "category"


def free_key(board: Board, key: Any, taken: Iterable[str] = ()) -> str:
    """A category's key is its identity through all versions and is never used twice."""
    if not isinstance(key, str) or not KEY.fullmatch(key) or NOT_A_KEY.fullmatch(key):
        raise Refused("a key has 1 to 80 of a–z, 0–9, point, dash and underscore", "key")
    if key in taken or key in board.nodes:
        raise Refused(f"the key “{key}” is taken; give another", "key")
    return key
