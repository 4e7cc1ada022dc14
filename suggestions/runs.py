"""A run in memory, as constraints read it: steps and blocks, the task, the policy and the tools."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from traces.formats.drafts import Block, StepDraft, TrajectoryDraft
from traces.models import Blob, Trajectory
from traces.numbering import agentrx_number


@dataclass(frozen=True)
class RunBlock:
    kind: str
    text: str
    agent: str
    tool_name: str = ""
    call_id: str = ""
    arguments: str | None = None
    is_error: bool = False


@dataclass(frozen=True)
class RunStep:
    """`number` is AgentRx's: what triggers, logs and judges of that benchmark count by."""

    position: int
    number: int
    role: str
    agent: str
    blocks: tuple[RunBlock, ...]

    @cached_property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks if block.text)

    @property
    def spoken(self) -> str:
        """The words said aloud: no thoughts, no results, no calls."""
        return "\n".join(block.text for block in self.blocks if block.kind == "text" and block.text)


@dataclass(frozen=True)
class Run:
    id: str
    format: str
    instruction: str
    policy: str
    steps: tuple[RunStep, ...]
    toolset: tuple[dict, ...] = ()
    roster: frozenset[str] = field(default_factory=frozenset)  # the agents set up for the run, where the source says so

    @property
    def numbers(self) -> dict[int, int]:
        """From AgentRx's step number to the position."""
        return {step.number: step.position for step in self.steps}


def run_of(trajectory: Trajectory) -> Run:
    """The stored run, with texts that lie outside their step's row."""
    rows = list(trajectory.steps.all())
    outside = _texts_outside(block["blob"] for row in rows for block in row.blocks if "blob" in block)
    return Run(
        id=trajectory.external_id,
        format=trajectory.format,
        instruction=trajectory.instruction,
        policy=bytes(trajectory.policy.content).decode() if trajectory.policy else "",
        toolset=_tools(json.loads(bytes(trajectory.toolset.content)) if trajectory.toolset else None),
        roster=_roster(trajectory.layers),
        steps=tuple(
            RunStep(
                row.position,
                agentrx_number(trajectory.format, row.position, row.native_index),
                row.role,
                row.agent,
                tuple(_stored_block(block, outside) for block in row.blocks),
            )
            for row in rows
        ),
    )


def run_of_draft(draft: TrajectoryDraft) -> Run:
    """The same run before it is stored: for measurements that need no database."""
    format = draft.origin["format"]
    return Run(
        id=str(draft.external_id),
        format=format,
        instruction=draft.instruction,
        policy=draft.policy or "",
        toolset=_tools(draft.toolset),
        roster=_roster(draft.layers),
        steps=tuple(_drafted_step(format, position, step) for position, step in enumerate(draft.steps)),
    )


def _drafted_step(format: str, position: int, step: StepDraft) -> RunStep:
    number = agentrx_number(format, position, step.native_index)
    return RunStep(position, number, step.role, step.agent, tuple(map(_drafted_block, step.blocks)))


def _drafted_block(block: Block) -> RunBlock:
    return RunBlock(
        kind=block.kind,
        text=block.text,
        agent=block.agent,
        tool_name=block.tool_name or "",
        call_id=block.call_id or "",
        arguments=block.arguments,
        is_error=block.is_error,
    )


def _stored_block(block: dict, outside: dict[str, str]) -> RunBlock:
    return RunBlock(
        kind=block["kind"],
        text=outside.get(block.get("blob", ""), block["text"]),
        agent=block["agent"],
        tool_name=block.get("tool_name", ""),
        call_id=block.get("call_id", ""),
        arguments=block.get("arguments"),
        is_error=block.get("is_error", False),
    )


def _texts_outside(keys: Iterable[str]) -> dict[str, str]:
    wanted = set(keys)
    found = Blob.objects.filter(pk__in=wanted).values_list("pk", "content") if wanted else ()
    return {pk: bytes(content).decode("utf-8", "replace") for pk, content in found}


def _tools(listed: object) -> tuple[dict, ...]:
    return tuple(tool for tool in listed if isinstance(tool, dict)) if isinstance(listed, list) else ()


def _roster(layers: dict) -> frozenset[str]:
    prompts = (layers.get("task") or {}).get("system_prompt")
    return frozenset(prompts) if isinstance(prompts, dict) else frozenset()
