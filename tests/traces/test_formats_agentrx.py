"""AgentRx's own shapes: Magentic-One lists, τ wrappers, the intermediate representation."""

import json

import pytest

from tests.shared_data import shared
from tests.traces.reading import places, sample, split, written
from traces.formats import read_traces
from traces.formats.drafts import Block


def test_a_magentic_list_is_one_run_named_after_its_file_and_counts_from_1():
    [run], problems = sample("magentic.json")
    assert problems == []
    assert (run.external_id, run.source, run.task_cluster) == ("magentic", "agentrx-magentic", "magentic")
    assert [step.native_index for step in run.steps] == [1, 2, 3, 4]
    assert run.instruction == "Which ferry leaves first?"
    assert run.participants == ("User", "Orchestrator", "WebSurfer", "FileSurfer")


def test_tau_keeps_its_own_index_and_one_step_per_message():
    [run, _], problems = sample("tau.json")
    assert [(step.native_index, step.role, step.agent) for step in run.steps] == [
        (1, "system", "System"),
        (2, "user", "User"),
        (3, "assistant", "Assistant"),
        (4, "tool", "get_order"),
        (5, "tool", "think"),
        (6, "assistant", "Assistant"),
    ]
    ref = {"index": 3}
    assert run.steps[2].blocks == (
        Block("text", "Let me look.", "Assistant", {"pointer": "/0/traj/2", **ref}),
        Block(
            "tool_call",
            "",
            "Assistant",
            {"pointer": "/0/traj/2/tool_calls/0", **ref, "id": "c1"},
            tool_name="get_order",
            call_id="c1",
            arguments='{"order_id":  "#A1"}',
        ),
        Block(
            "tool_call",
            "",
            "Assistant",
            {"pointer": "/0/traj/2/tool_calls/1", **ref, "id": "c2"},
            tool_name="think",
            call_id="c2",
            arguments='{"thought": "hm"}',
        ),
    )
    assert [(block.kind, block.call_id, block.is_error) for block in run.steps[3].blocks] == [
        ("tool_result", "c1", True)
    ]
    assert places(problems) == [
        ("warning", "arguments_not_text", "/0/traj/2/tool_calls/1"),
        ("warning", "empty_content", "/0/traj/5"),
        ("refused", "bad_message", "/1/traj/0"),
    ]


def test_tau_keeps_answers_out_of_the_outcome():
    [run, plain], _ = sample("tau.json")
    assert run.layers == {
        "task": {"instruction": "Cancel my lamp, please."},
        "user_script": {"user_id": "ines_moor_11", "instruction": "You are Ines Moor. Cancel the lamp."},
        "expected": {
            "actions": [{"name": "cancel_order", "kwargs": {"order_id": "#A1"}}],
            "outputs": ["12"],
            "reward_actions": [{"name": "cancel_order", "kwargs": {"order_id": "#A1"}}],
            "reward_outputs": {"12": False},
        },
        "outcome": {"reward": 0.0, "source": "user", "reward_info": {"reward": 0.0, "r_outputs": 0.0}},
    }
    assert plain.layers == {"task": {"instruction": "Hello"}, "outcome": {"reward": 1.0}}


def test_tau_ids_keep_their_type_and_name_the_task():
    [run, _], _ = sample("tau.json")
    assert (run.external_id, run.task_cluster, run.domain) == (7, "tau-retail:7", "tau-retail")
    assert run.policy == "# Retail agent policy\n\nHelp people."
    assert run.origin["extras"] == {"trial": 7, "records": {}, "user_cost": None}
    assert json.loads(run.raw)["task_id"] == 7


def test_an_area_too_long_for_a_domain_is_none(tmp_path):
    runs = [
        {"task_id": "t" * 250, "traj": [{"role": "system", "content": f"# {area} agent policy"}]}
        for area in ("a" * 40, "a" * 41)
    ]
    drafts, _ = written(tmp_path, "runs.json", json.dumps(runs))
    assert [draft.domain for draft in drafts] == ["tau-" + "a" * 40, "tau"]
    assert max(len(draft.task_cluster) for draft in drafts) <= 300


def test_raw_tau_bench_tells_the_trials_of_a_task_apart(tmp_path):
    run = {"task_id": 3, "reward": 0.0, "info": {}, "traj": [{"role": "user", "content": "hi"}]}
    drafts, _ = written(tmp_path, "airline.json", json.dumps([run | {"trial": 0}, run | {"trial": 1}]))
    assert [(draft.external_id, draft.task_cluster) for draft in drafts] == [
        ("3/0", "tau-airline:3"),
        ("3/1", "tau-airline:3"),
    ]
    assert [step.native_index for step in drafts[0].steps] == [1]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([{"index": 1}, {"index": 3}], [("warning", "index_mismatch", "/traj/1")]),
        ([{"index": 2}, {"index": 2}], [("warning", "index_mismatch", "/traj/0")]),
        ([{"index": 1}, {}], [("refused", "bad_index", "/traj/1/index")]),
        ([{"index": 1}, {"index": "2"}], [("refused", "bad_index", "/traj/1/index")]),
        ([{"index": 1}, {"index": True}], [("refused", "bad_index", "/traj/1/index")]),
        ([{"role": "tool", "tool_call_id": "c"}], [("warning", "orphan_tool_result", "/traj/0")]),
        ([{"tool_calls": {"id": "c"}, "content": None}], [("warning", "unusual_content", "/traj/0/tool_calls")]),
        ([{"content": {"a": 1}}], [("warning", "unusual_content", "/traj/0/content")]),
        ([{"content": [{"type": "image_url", "image_url": {"url": "data:"}}, {"text": "hi"}]}], []),
        ([], [("refused", "no_steps", "/traj")]),
    ],
)
def test_odd_messages_of_tau_are_reported(tmp_path, messages, expected):
    run = {"task_id": 1, "traj": [{"role": "user", "content": "hi"} | message for message in messages]}
    _, problems = written(tmp_path, "t.json", json.dumps(run))
    assert places(problems) == expected


@pytest.mark.parametrize(
    ("task_id", "code"),
    [(None, "missing_id"), ("", "missing_id"), (True, "bad_id"), (1.5, "bad_id"), ("x" * 300, "bad_id")],
)
def test_an_id_that_is_none_is_refused(tmp_path, task_id, code):
    run = {"task_id": task_id, "traj": [{"role": "user", "content": "hi"}]}
    _, problems = written(tmp_path, "t.json", json.dumps(run))
    assert places(problems) == [("refused", code, "/task_id")]


def test_ir_indexes_may_skip_and_substeps_are_blocks_with_their_own_agents():
    [run], problems = sample("agentrx_ir.json")
    assert problems == []
    assert [(step.native_index, step.role, step.agent) for step in run.steps] == [(1, "", "Orchestrator"), (4, "", "")]
    assert [[(block.kind, block.agent) for block in step.blocks] for step in run.steps] == [
        [("thought", "Orchestrator"), ("text", "Orchestrator")],
        [("text", "Restarter"), ("tool_result", "Tool")],
    ]
    assert run.steps[1].blocks[0].source_ref == {"pointer": "/steps/1/substeps/0", "index": 4, "sub_index": 1}
    assert (run.external_id, run.instruction) == ("incident-12", "Restore the mail queue.")
    assert run.participants == ("Orchestrator", "Restarter", "Tool", "User")


@pytest.mark.parametrize(
    ("steps", "code", "where"),
    [
        ([], "no_steps", "/steps"),
        ([{"index": -1, "substeps": []}], "bad_index", "/steps/0/index"),
        ([{"index": 0, "substeps": []}], "bad_message", "/steps/0/substeps"),
        ([{"index": 0, "substeps": [{"role": "a"}]}], "bad_message", "/steps/0/substeps/0"),
        ([{"index": 0, "substeps": [1]}], "bad_message", "/steps/0/substeps/0"),
    ],
)
def test_a_broken_ir_record_is_refused_with_its_place(tmp_path, steps, code, where):
    _, problems = written(tmp_path, "ir.json", json.dumps({"trajectory_id": "a", "instruction": "", "steps": steps}))
    assert places(problems) == [("refused", code, where)]


@pytest.mark.parametrize(("path", "count"), [("agentrx/magentic", 44), ("agentrx/tau_retail", 29)])
def test_the_public_runs_are_all_read(path, count):
    drafts, problems = split(read_traces([shared(path)]))
    assert len(drafts) == len({draft.external_id for draft in drafts}) == count
    assert problems == []
    assert all(step.native_index == position + 1 for draft in drafts for position, step in enumerate(draft.steps))


def test_magentic_and_hand_crafted_runs_are_the_same_tasks():
    magentic, _ = split(read_traces([shared("agentrx/magentic")]))
    crafted, _ = split(read_traces([shared("whowhen/Hand-Crafted")]))
    texts = {run.task_cluster: [(step.agent, step.blocks[0].text) for step in run.steps] for run in crafted}
    assert all(texts[run.task_cluster] == [(s.agent, s.blocks[0].text) for s in run.steps] for run in magentic)


def test_files_beside_the_public_runs_are_refused_by_what_they_are():
    _, problems = split(read_traces([shared("agentrx")]))
    assert [(problem.file, problem.code) for problem in problems] == [
        ("agentrx/ground_truth/magentic_one_ground_truth.json", "label_file"),
        ("agentrx/ground_truth/tau_ground_truth.json", "label_file"),
        ("agentrx/ground_truth/tau_retail.json", "label_file"),
        ("agentrx/policies/magentic_policy.txt", "not_json"),
        ("agentrx/policies/retail_policy.txt", "unknown_format"),
        ("agentrx/tool_schemas/tools_structure.json", "unknown_format"),
    ]
