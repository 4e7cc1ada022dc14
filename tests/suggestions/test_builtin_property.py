"""Whatever a run holds, an evaluation comes to an end, says something of every pair and has no accident."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suggestions.builtin import BUILTINS
from suggestions.engine import evaluate
from suggestions.runs import Run, RunBlock, RunStep
from suggestions.verdicts import Verdict

words = st.text(max_size=40) | st.sampled_from(
    ["Error: x", "3 items:\n1. a", '{"a": [1, {"b": 2}]}', "[[[[", "Yes", "404 Not Found", "TERMINATE", "A-77"]
)
names = st.sampled_from(["User", "Assistant", "WebSurfer", "Computer_terminal", "find", "Orchestrator", ""])
blocks = st.builds(
    RunBlock,
    kind=st.sampled_from(["text", "thought", "tool_call", "tool_result", "image", "raw"]),
    text=words,
    agent=names,
    tool_name=st.sampled_from(["", "find", "cancel_order"]),
    call_id=st.sampled_from(["", "c1", "c2"]),
    arguments=st.none() | words,
    is_error=st.booleans(),
)
lists_of_blocks = st.lists(st.tuples(names, st.lists(blocks, max_size=3)), min_size=1, max_size=8)
SCHEMAS = ({"name": "find", "parameters": {"type": 5, "required": "x", "properties": []}}, {"name": 7}, {"function": 1})


@settings(max_examples=150, deadline=None)
@given(lists_of_blocks, st.sampled_from(["", "confirm; one tool call at a time"]))
def test_any_run_can_be_evaluated(steps, policy):
    told = tuple(RunStep(n, n + 1, agent, agent, tuple(held)) for n, (agent, held) in enumerate(steps))
    tally = evaluate(Run("r", "tau", "", policy, told, toolset=SCHEMAS), BUILTINS)
    assert sum(tally.counts.values()) == len(told) * len(BUILTINS)
    assert tally.counts[Verdict.NOT_EVALUATED] == 0, tally.not_evaluated


@pytest.mark.parametrize("unit", ["\n", " ", "1 ", "a ", ":\n", "1 a: \n", "**", "[", '"', "Error"])
def test_a_long_text_of_one_sign_is_no_long_evaluation(unit):
    text = unit * (100_000 // len(unit))
    kinds = [RunBlock(kind, text, "Assistant") for kind in ("tool_result", "text")]
    steps = tuple(RunStep(n, n + 1, "assistant", "Assistant", (block,)) for n, block in enumerate(kinds))
    started = time.monotonic()
    evaluate(Run("r", "tau", "", "", steps), BUILTINS)
    assert time.monotonic() - started < 10
