"""Small runs in memory, as constraints read them."""

import json

from suggestions.runs import Run, RunBlock, RunStep


def said(position: int, agent: str, text: str, role: str | None = None) -> RunStep:
    role = agent if role is None else role
    return RunStep(position, position + 1, role, agent, (RunBlock("text", text, agent),))


def called(position: int, tool: str, arguments: object, call_id: str = "", text: str = "") -> RunStep:
    words = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = RunBlock("tool_call", "", "Assistant", tool, call_id, words)
    blocks = (RunBlock("text", text, "Assistant"), call) if text else (call,)
    return RunStep(position, position + 1, "assistant", "Assistant", blocks)


def answered(position: int, tool: str, result: object, call_id: str = "", is_error: bool = False) -> RunStep:
    words = result if isinstance(result, str) else json.dumps(result)
    block = RunBlock("tool_result", words, tool, tool, call_id, is_error=is_error)
    return RunStep(position, position + 1, "tool", tool, (block,))


def a_run(*steps: RunStep, **fields) -> Run:
    values = {"id": "run-1", "format": "tau", "instruction": "Exchange the lamp.", "policy": ""}
    return Run(steps=tuple(steps), **{**values, **fields})


def talk(*texts: str) -> Run:
    """A conversation in which the user and the assistant take turns."""
    return a_run(*(said(n, "User" if n % 2 == 0 else "Assistant", text) for n, text in enumerate(texts)))
