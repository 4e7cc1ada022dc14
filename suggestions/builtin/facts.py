"""What built-in constraints ask about a run, found out once: calls, their results, who said what before."""

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from suggestions.runs import Run, RunStep

LARGEST_JSON = 2_000_000
ADDRESSEE = re.compile(r"\(->\s*([^()]+?)\s*\)\s*$")
# Participants that answer for tools and environment in transcripts without structured calls.
ENVIRONMENT = frozenset({"Computer_terminal", "ComputerTerminal"})
BROWSERS = frozenset({"WebSurfer", "FileSurfer"})


@dataclass(frozen=True)
class Call:
    position: int
    tool: str
    call_id: str
    arguments_text: str
    arguments: dict | None  # None where the text is no JSON object

    @property
    def signature(self) -> str:
        if self.arguments is None:
            return f"{self.tool} {self.arguments_text}"
        return f"{self.tool} {json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)}"


@dataclass(frozen=True)
class ToolResult:
    position: int
    tool: str
    call_id: str
    text: str
    value: Any  # None where the text is no JSON
    is_error: bool


class Facts:
    def __init__(self, run: Run):
        self.run = run
        self.steps = run.steps

    @cached_property
    def calls(self) -> dict[int, list[Call]]:
        found: dict[int, list[Call]] = {}
        for step in self.steps:
            for block in step.blocks:
                if block.kind == "tool_call":
                    text = block.arguments or ""
                    call = Call(step.position, block.tool_name, block.call_id, text, _object(text))
                    found.setdefault(step.position, []).append(call)
        return found

    @cached_property
    def results(self) -> list[ToolResult]:
        return [
            ToolResult(
                step.position,
                block.tool_name or block.agent,
                block.call_id,
                block.text,
                _json(block.text),
                block.is_error,
            )
            for step in self.steps
            for block in step.blocks
            if block.kind == "tool_result"
        ]

    def results_before(self, position: int) -> list[ToolResult]:
        return self.results[: bisect_right(self._result_positions, position - 1)]

    @cached_property
    def _result_positions(self) -> list[int]:
        return [result.position for result in self.results]

    @cached_property
    def _call_positions(self) -> list[int]:
        return sorted(self.calls)

    @cached_property
    def results_by_call(self) -> dict[str, ToolResult]:
        return {result.call_id: result for result in reversed(self.results) if result.call_id}

    def result_of(self, call: Call) -> ToolResult | None:
        """By the call's id; without ids, the first result after it and before the next call."""
        if call.call_id:
            return self.results_by_call.get(call.call_id)
        after = bisect_right(self._result_positions, call.position - 1)
        found = self.results[after] if after < len(self.results) else None
        later = bisect_right(self._call_positions, call.position)
        following = self._call_positions[later] if later < len(self._call_positions) else len(self.steps)
        return found if found is not None and found.position <= following else None

    @cached_property
    def tools(self) -> dict[str, dict]:
        """The declared tools with their parameters' schema, in the shapes tool lists come in."""
        found = {}
        for tool in self.run.toolset:
            function = tool.get("function")
            declared = function if isinstance(function, dict) else tool
            name = declared.get("name")
            schema = declared.get("parameters") or declared.get("input_schema") or declared.get("inputSchema")
            if isinstance(name, str):
                found[name] = schema if isinstance(schema, dict) else {}
        return found

    def was_seen_before(self, words: str, position: int) -> bool:
        """Whether the words stand anywhere before this step: task, policy, earlier texts and results."""
        if words in self.run.instruction or words in self.run.policy:
            return True
        place = self._everything.find(words)
        return 0 <= place < self._starts[position]

    @cached_property
    def _everything(self) -> str:
        return "".join(f"{step.text}\n" for step in self.steps)

    @cached_property
    def _starts(self) -> list[int]:
        starts, total = [], 0
        for step in self.steps:
            starts.append(total)
            total += len(step.text) + 1
        return starts

    def observation(self, step: RunStep) -> str:
        """What tools or environment answered in this step; empty where only people or agents speak."""
        told = "\n".join(block.text for block in step.blocks if block.kind == "tool_result")
        if told or step.agent not in ENVIRONMENT | BROWSERS:
            return told
        return step.text

    def is_by_an_agent(self, step: RunStep) -> bool:
        """Words of an agent: not of the user, the system or a tool."""
        told = any(block.kind == "tool_result" for block in step.blocks)
        return not told and step.agent not in ENVIRONMENT and step.agent not in ("User", "System", "Tool")

    def said_by_the_user_before(self, position: int) -> str:
        return next((s.text for s in reversed(self.steps[:position]) if s.agent == "User"), "")


def addressee(step: RunStep) -> str:
    found = ADDRESSEE.search(step.role)
    return found[1] if found else ""


def _json(text: str) -> Any:
    if len(text) > LARGEST_JSON or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _object(text: str) -> dict | None:
    value = _json(text)
    return value if isinstance(value, dict) else None
