"""What the card of a step shows: blocks in order, calls joined to their results, long words folded. Pure.

Offsets count code points of a block's words: its text, or for a tool call its arguments, as the source spells them.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json import JSONDecoder
from typing import Any

LONG = {"tool_result": (2400, 30), "raw": (2400, 30)}  # characters and lines shown before a fold
LONG_SPEECH = (6000, 70)
KINDS = {
    "text": "message",
    "thought": "thought",
    "tool_call": "tool call",
    "tool_result": "tool result",
    "image": "image",
    "raw": "raw record",
}
BLANKS = " \t\r\n"
READ = {"text", "thought", "tool_result"}
MARKDOWN = re.compile(r"^(?:#{1,6} \S|\s*[-*+] \S|\s*\d+[.)] \S|\s*```|\|.+\|)|\*\*\S.*?\S\*\*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a call. `spelling` is its JSON as it stands at `offset`; `shown` reads without escapes."""

    name: str
    spelling: str
    offset: int

    @property
    def shown(self) -> str:
        return printable(json.loads(self.spelling)) if self.is_decoded else self.spelling

    @property
    def is_decoded(self) -> bool:
        return self.spelling.startswith('"') and "\\" in self.spelling


@dataclass(frozen=True, slots=True)
class BlockCard:
    index: int
    kind: str
    agent: str
    words: str
    characters: int  # of all its words, shown or not
    is_error: bool = False
    tool_name: str = ""
    call_id: str = ""
    arguments: tuple[Argument, ...] | None = None
    partner: int | None = None  # the number of the step that holds the result of this call, or the call of this result
    is_stored_apart: bool = False

    @property
    def label(self) -> str:
        return KINDS.get(self.kind, self.kind)

    @property
    def is_folded(self) -> bool:
        return self.kind != "image" and len(self.words) < self.characters

    @property
    def is_json(self) -> bool:
        return self.kind != "image" and self.words.lstrip()[:1] in {"{", "["} and len(self.words) > 80

    @property
    def is_markdown(self) -> bool:
        return self.kind in READ and not self.is_json and MARKDOWN.search(self.words) is not None

    @property
    def has_picture(self) -> bool:
        return "data:image/" in self.words or "base64" in self.words


@dataclass(frozen=True, slots=True)
class StepCard:
    position: int
    number: int
    agent: str
    role: str
    hue: int
    kinds: str
    characters: int
    has_error: bool
    blocks: tuple[BlockCard, ...]


def number_of(step) -> int:
    """The number pages show: the source's own, else the place counted from 1."""
    return step.position + 1 if step.native_index is None else step.native_index


def cards(steps: list, shown: range, hue_of: Callable[[str], int]) -> list[StepCard]:
    """The cards of the `shown` positions; the steps around them are only looked at for pairs of call and result."""
    partners = pairs(steps)
    return [card(step, partners, hue_of(step.agent)) for step in steps if step.position in shown]


def card(step, partners: dict[tuple[int, int], int], hue: int) -> StepCard:
    blocks = tuple(
        block_card(index, block, step.agent, partners.get((step.position, index)))
        for index, block in enumerate(step.blocks)
    )
    kinds = ", ".join(KINDS.get(kind, kind) for kind in step.kinds)
    return StepCard(
        step.position, number_of(step), step.agent, step.role, hue, kinds, step.characters, step.has_error, blocks
    )


def block_card(index: int, block: dict[str, Any], agent: str, partner: int | None) -> BlockCard:
    words = words_of(block)
    kind = block["kind"]
    return BlockCard(
        index=index,
        kind=kind,
        agent=block["agent"] if block["agent"] != agent else "",
        words=words if block.get("arguments") else folded(words, *LONG.get(kind, LONG_SPEECH)),
        characters=block.get("characters", len(words)),
        is_error=block.get("is_error", False),
        tool_name=block.get("tool_name", ""),
        call_id=block.get("call_id", ""),
        arguments=members(words) if kind == "tool_call" else None,
        partner=partner,
        is_stored_apart="blob" in block,
    )


def words_of(block: dict[str, Any]) -> str:
    """What offsets count in."""
    return block["text"] or block.get("arguments", "")


def folded(words: str, characters: int, lines: int) -> str:
    """The beginning of long words; what exceeds the bounds by little is not worth a fold."""
    if len(words) <= characters * 1.25 and words.count("\n") <= lines * 1.25:
        return words
    beginning = "".join(words[:characters].splitlines(keepends=True)[:lines])
    return beginning


def members(words: str) -> tuple[Argument, ...] | None:
    """The members of a JSON object, each as it is spelt there; None where the words are no such object."""
    try:
        return tuple(scan(words))
    except (ValueError, IndexError, RecursionError):
        return None


def scan(words: str) -> Iterable[Argument]:
    decoder = JSONDecoder()
    at = expect(words, 0, "{")
    if words[at] == "}":
        ends(words, at + 1)
        return
    while True:
        name, at = decoder.raw_decode(words, at)
        start = expect(words, past_blanks(words, at), ":")
        _, end = decoder.raw_decode(words, start)
        yield Argument(printable(str(name)), words[start:end], start)
        at = past_blanks(words, end)
        if words[at] == "}":
            ends(words, at + 1)
            return
        at = expect(words, at, ",")


def printable(decoded: str) -> str:
    """What an escape may stand for but no page can hold, each as one U+FFFD."""
    return "".join("\ufffd" if char == "\0" or 0xD800 <= ord(char) <= 0xDFFF else char for char in decoded)


def expect(words: str, at: int, sign: str) -> int:
    at = past_blanks(words, at)
    if words[at] != sign:
        raise ValueError(f"expected {sign} at {at}")
    return past_blanks(words, at + 1)


def past_blanks(words: str, at: int) -> int:
    while at < len(words) and words[at] in BLANKS:
        at += 1
    return at


def ends(words: str, at: int) -> None:
    if past_blanks(words, at) < len(words):
        raise ValueError(f"more follows at {at}")


def pairs(steps: list) -> dict[tuple[int, int], int]:
    """From (position, block) of a call or a result to the number of the step with the other one of the pair.

    Ids may be used again in a run: a result belongs to the nearest call before it that has none yet.
    """
    waiting: dict[str, tuple[int, int, int]] = {}
    found: dict[tuple[int, int], int] = {}
    for step in steps:
        for index, block in enumerate(step.blocks):
            call_id = block.get("call_id")
            if not call_id:
                continue
            if block["kind"] == "tool_call":
                waiting[call_id] = (step.position, index, number_of(step))
            elif block["kind"] == "tool_result" and call_id in waiting:
                position, other, number = waiting.pop(call_id)
                found[position, other] = number_of(step)
                found[step.position, index] = number
    return found
