"""Whatever JSON a file holds, reading ends, and every record is one draft or one refused problem."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.traces.reading import SAMPLES, split
from traces.formats import READERS, read_traces

TEXTS = st.text(st.characters(codec=None), max_size=8)  # lone surrogates and NUL too
KEYS = st.sampled_from(
    [
        "history",
        "role",
        "content",
        "name",
        "question",
        "question_ID",
        "mistake_step",
        "mistake_agent",
        "task_id",
        "traj",
    ]
    + ["tool_calls", "index", "steps", "substeps", "trajectory_id", "info", "reward_info", "trial", "system_prompt"]
)
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.sampled_from(["user", "tool", "Orchestrator"])
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS | TEXTS, inner), max_leaves=20)
FORMATS = st.sampled_from(["auto", *(reader.name for reader in READERS)])
RELAXED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "file.json"


def storable(value) -> bool:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text.encode()
    return "\\u0000" not in text


def check(path: Path, format: str) -> None:
    drafts, problems = split(read_traces([path], format=format))
    assert drafts or problems
    for draft in drafts:
        assert draft.steps
        assert all(step.blocks for step in draft.steps)
        assert all(0 < len(step.role) <= 200 or step.role == "" for step in draft.steps)
        blocks = [[block.text, block.agent, block.arguments] for step in draft.steps for block in step.blocks]
        assert storable([draft.external_id, draft.layers, draft.origin, draft.participants, draft.instruction, blocks])
    for problem in problems:
        assert storable([problem.file, problem.where, problem.message])


@RELAXED
@given(value=VALUES, format=FORMATS)
def test_arbitrary_json_never_raises(path, value, format):
    path.write_text(json.dumps(value))
    check(path, format)


@RELAXED
@given(data=st.binary(max_size=60))
def test_arbitrary_bytes_never_raise(path, data):
    path.write_bytes(data)
    check(path, "auto")


@RELAXED
@given(name=st.sampled_from(sorted(path.name for path in SAMPLES.iterdir())), data=st.data(), format=FORMATS)
def test_a_good_file_with_one_value_replaced_never_raises(path, name, data, format):
    document = json.loads((SAMPLES / name).read_text())
    path.write_text(json.dumps(replaced(document, data)))
    check(path, format)


def replaced(document, data):
    document = copy.deepcopy(document)
    node = document
    while True:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            node[key] = data.draw(VALUES)
            return document
        node = node[key]
