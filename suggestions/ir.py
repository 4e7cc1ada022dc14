"""A run in AgentRx's shape, which its triggers and python checks are written for."""

import json

from suggestions.runs import Run, RunBlock, RunStep
from traces.formats.agentrx_ir import AgentRxIR

SEVERAL_SPEAKERS = AgentRxIR.name  # the one format whose steps keep their substeps


def as_ir(run: Run) -> dict:
    """One step per message with one substep, tool calls as JSON below the words; a run that came with substeps keeps
    them, each under its speaker, or under the step's role where all share it."""
    steps = [{"index": step.number, "substeps": _substeps(run, step)} for step in run.steps]
    return {"trajectory_id": run.id, "instruction": run.instruction, "steps": steps}


def _substeps(run: Run, step: RunStep) -> list[dict]:
    if run.format == SEVERAL_SPEAKERS:
        contents = [(step.role or block.agent, _content([block])) for block in step.blocks]
    else:
        contents = [(step.role, _content(list(step.blocks)))]
    return [{"sub_index": n, "role": role, "content": content} for n, (role, content) in enumerate(contents, start=1)]


def _content(blocks: list[RunBlock]) -> str:
    words = [_words(block) for block in blocks if block.kind != "tool_call"]
    calls = [_call(block) for block in blocks if block.kind == "tool_call"]
    if calls:
        words.append(json.dumps(calls, indent=2, sort_keys=True, ensure_ascii=False))
    return "\n\n".join(part for part in words if part)


def _words(block: RunBlock) -> str:
    if block.kind != "tool_result":
        return block.text
    try:
        return json.dumps(json.loads(block.text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return block.text


def _call(block: RunBlock) -> dict:
    function = {"name": block.tool_name, "arguments": block.arguments}
    return {"id": block.call_id, "type": "function", "function": function}
