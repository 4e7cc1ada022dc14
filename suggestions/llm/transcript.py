"""A run as a model reads it: every part after a line that text of the run cannot forge, shortened where it must be."""

import hashlib
from dataclasses import dataclass

from suggestions.llm.tokens import estimated_text
from suggestions.runs import Run, RunBlock, RunStep

LIMITS = (20_000, 8_000, 4_000, 2_000, 1_000, 500, 200)  # characters of a step, tried in this order
SHORTEST = LIMITS[-1]
HEADS = 400  # characters of task, policy and tools that stay when even the shortest steps do not fit


@dataclass(frozen=True)
class Record:
    """`mark` begins each of its parts; `note` says what was left out."""

    text: str
    mark: str
    note: str = ""


def record(run: Run, *, room: int, first: int = 0, last: int | None = None) -> Record:
    """The steps from position `first` to `last`, both included, within `room` tokens."""
    steps = run.steps[first : None if last is None else last + 1]
    mark = _mark(run)
    heads, bodies = _heads(run), [_body(step) for step in steps]
    whole = _text(mark, heads, steps, bodies)
    if estimated_text(whole) <= room:
        return Record(whole, mark)
    for limit in LIMITS:
        text = _text(mark, heads, steps, [_clipped(body, limit) for body in bodies])
        if estimated_text(text) <= room:
            return Record(text, mark, f"steps longer than {limit} characters were shortened in their middle")
    return _with_steps_left_out(mark, heads, steps, bodies, room)


def _with_steps_left_out(
    mark: str, heads: list[tuple[str, str]], steps: tuple[RunStep, ...], bodies: list[str], room: int
) -> Record:
    heads = [(name, _clipped(text, HEADS)) for name, text in heads]
    short = [_clipped(body, SHORTEST) for body in bodies]
    kept = len(steps)
    while kept > 2:
        kept = kept * 3 // 4
        start, end = kept - kept // 2, len(steps) - kept // 2
        chosen = steps[:start] + steps[end:]
        text = _text(mark, heads, chosen, short[:start] + short[end:])
        if estimated_text(text) <= room:
            break
    note = (
        f"{len(steps) - len(chosen)} steps in the middle were left out, the others shortened to {SHORTEST} characters"
    )
    return Record(text, mark, note)


def _mark(run: Run) -> str:
    """Depends on all of the text, so no text can hold it on purpose."""
    digest = hashlib.sha256()
    for step in run.steps:
        digest.update(step.text.encode("utf-8", "replace"))
    return digest.hexdigest()[:10]


def _heads(run: Run) -> list[tuple[str, str]]:
    tools = ", ".join(str(tool.get("function", tool).get("name", "")) for tool in run.toolset if _is_named(tool))
    return [
        (name, text) for name, text in (("task", run.instruction), ("policy", run.policy), ("tools", tools)) if text
    ]


def _is_named(tool: dict) -> bool:
    return isinstance(tool.get("function", tool), dict)


def _text(mark: str, heads: list[tuple[str, str]], steps: tuple[RunStep, ...], bodies: list[str]) -> str:
    parts = [f"=== {mark} {name}\n{text}" for name, text in heads]
    for step, body in zip(steps, bodies, strict=True):
        parts.append(f"=== {mark} step {step.number} · {_line(step.role or step.agent)}\n{body}")
    return "\n".join([*parts, f"=== {mark} end"])


def _line(name: str) -> str:
    return " ".join(name.split())[:100]


def _body(step: RunStep) -> str:
    return "\n".join(filter(None, map(_words, step.blocks)))


def _words(block: RunBlock) -> str:
    if block.kind == "tool_call":
        return f"calls {block.tool_name}({block.arguments or ''})"
    if block.kind == "image":
        return "(an image)"
    error = " (error)" if block.is_error else ""
    return f"result of {block.tool_name}{error}: {block.text}" if block.kind == "tool_result" else block.text


def _clipped(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n(… {len(text) - 2 * half} characters left out …)\n{text[-half:]}"
