"""Chat messages to blocks: the one place that knows the shapes in which content and tool calls occur."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from traces.formats.drafts import Block, Refused, StepDraft
from traces.formats.records import Record, kind_of


def note_order(record: Record, steps: Sequence[StepDraft], pointer: str) -> None:
    indexes = [step.native_index or 0 for step in steps]
    if any(later <= earlier for earlier, later in pairwise(indexes)):
        record.note("index_mismatch", pointer, "the steps' own indexes do not rise; a label may point at two of them")


def as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def expect_messages(value: object, pointer: str) -> list[dict]:
    """The messages of one run; a run with one that is no object is refused, since every later number would shift."""
    if not isinstance(value, list):
        raise Refused("no_steps", pointer, f"the run's messages must be a list, not {kind_of(value)}")
    if not value:
        raise Refused("no_steps", pointer, "the run holds no message, so there is nothing to annotate")
    for position, message in enumerate(value):
        if not isinstance(message, dict):
            where = f"{pointer}/{position}"
            raise Refused("bad_message", where, f"a message must be an object, not {kind_of(message)}")
    return value


def content_blocks(
    record: Record,
    message: dict,
    pointer: str,
    *,
    kind: str,
    agent: str,
    ref: dict,
    calls: bool = False,
    **more: Any,
) -> Iterator[Block]:
    """The blocks of `content`. `calls` says that the message acts by tool calls and may do without words."""
    if "content" not in message and not calls:
        raise Refused("bad_message", pointer, "a message needs content; here the key is missing")
    content = message.get("content")
    if isinstance(content, str):
        if content.strip() or not calls:
            yield Block(kind, content, agent, ref, **more)
        if not content.strip() and not calls and kind != "tool_result":
            _note_empty(record, pointer)
    elif content is None:
        if not calls:
            _note_empty(record, pointer)
            yield Block(kind, "", agent, ref, **more)
    elif isinstance(content, list):
        for number, part in enumerate(content):
            yield _part(record, part, f"{pointer}/content/{number}", kind, agent, ref, more)
        if not content and not calls:
            _note_empty(record, pointer)
            yield Block(kind, "", agent, ref, **more)
    else:
        _note_unusual(record, f"{pointer}/content", content)
        yield Block(kind if kind == "tool_result" else "raw", as_text(content), agent, ref, **more)


def _part(record: Record, part: object, pointer: str, kind: str, agent: str, ref: dict, more: dict) -> Block:
    ref = {**ref, "pointer": record.pointer + pointer}
    if isinstance(part, str):
        return Block(kind, part, agent, ref, **more)
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return Block(kind, part["text"], agent, ref, **more)
    if isinstance(part, dict) and "image" in str(part.get("type")):
        return Block("image", as_text(part), agent, ref, **more)
    _note_unusual(record, pointer, part)
    return Block("raw", as_text(part), agent, ref, **more)


def call_blocks(record: Record, calls: object, pointer: str, *, agent: str, ref: dict) -> Iterator[Block]:
    """One block per call of `tool_calls`; a lone object counts as a list of one."""
    if calls is None:
        return
    if isinstance(calls, dict):
        _note_unusual(record, pointer, calls)
        calls = [calls]
    if not isinstance(calls, list):
        _note_unusual(record, pointer, calls)
        yield Block("raw", as_text(calls), agent, ref)
        return
    for number, call in enumerate(calls):
        yield _call(record, call, f"{pointer}/{number}", agent, ref)


def _call(record: Record, call: Any, pointer: str, agent: str, ref: dict) -> Block:
    ref = {**ref, "pointer": record.pointer + pointer}
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        _note_unusual(record, pointer, call)
        return Block("raw", as_text(call), agent, ref)
    call_id, name = call.get("id"), function.get("name")
    return Block(
        "tool_call",
        "",
        agent,
        {**ref, "id": call_id},
        tool_name=name if isinstance(name, str) else None,
        call_id=call_id if isinstance(call_id, str) else None,
        arguments=_arguments(record, function.get("arguments"), pointer),
    )


def _arguments(record: Record, arguments: object, pointer: str) -> str | None:
    if arguments is None or isinstance(arguments, str):
        return arguments
    record.note("arguments_not_text", pointer, f"tool arguments are {kind_of(arguments)}; kept as JSON text")
    return as_text(arguments)


def _note_empty(record: Record, pointer: str) -> None:
    record.note("empty_content", pointer, "the message holds no words; check that none were lost")


def _note_unusual(record: Record, pointer: str, value: object) -> None:
    record.note(
        "unusual_content", pointer, f"{kind_of(value)} stands where this format has something else; kept as it is"
    )
