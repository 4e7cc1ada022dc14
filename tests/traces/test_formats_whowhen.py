import json

import pytest

from tests.shared_data import shared
from tests.traces.reading import places, sample, split, written
from traces.formats import read_traces


def test_hand_crafted_keeps_the_speakers_and_counts_from_0():
    [run], problems = sample("whowhen_hand_crafted.json")
    assert problems == []
    assert [(step.native_index, step.role, step.agent, step.blocks[0].kind) for step in run.steps] == [
        (0, "human", "User", "text"),
        (1, "Orchestrator (thought)", "Orchestrator", "thought"),
        (2, "Orchestrator (-> WebSurfer)", "Orchestrator", "text"),
        (3, "WebSurfer", "WebSurfer", "text"),
        (4, "Orchestrator (termination condition)", "Orchestrator", "text"),
    ]
    assert run.steps[3].blocks[0].source_ref == {"pointer": "/history/3", "index": 3}
    assert (run.external_id, run.task_cluster) == ("7d1c0f0e-0000-4000-8000-000000000007",) * 2
    assert (run.source, run.participants) == ("whowhen-hand-crafted", ("User", "Orchestrator", "WebSurfer"))


def test_old_spellings_of_keys_are_read_and_remembered():
    [run], _ = sample("whowhen_hand_crafted.json")
    assert run.layers == {
        "task": {"question": "When does the harbour museum in Lund open on Sundays?"},
        "expected": {"answer": "It is closed"},
        "outcome": {"is_correct": False},
    }
    assert run.origin == {
        "format": "whowhen",
        "file": "whowhen_hand_crafted.json",
        "where": "file",
        "split": "hand-crafted",
        "number": None,
        "keys": ["history", "question", "groundtruth", "is_corrected", "question_id", "level"],
        "extras": {"level": 2},
    }


def test_algorithm_generated_names_agents_by_name_and_warns_of_empty_words():
    [run], problems = sample("whowhen_algorithm_generated.json")
    assert [(step.role, step.agent) for step in run.steps] == [
        ("assistant", "Kite-Count_Expert"),
        ("user", "Computer_terminal"),
        ("assistant", "Kite-Count_Expert"),
    ]
    assert run.participants == ("Kite-Count_Expert", "Computer_terminal", "User", "Colour_Expert")
    assert places(problems) == [("warning", "empty_content", "/history/1")]


@pytest.mark.parametrize("name", ["whowhen_hand_crafted.json", "whowhen_algorithm_generated.json"])
def test_nothing_the_label_says_leaves_the_raw_bytes(name):
    [run], _ = sample(name)
    told = json.dumps([run.layers, run.origin, [str(step) for step in run.steps], run.instruction, run.participants])
    for label in ("mistake", "Read the row for Saturday", "Reading slip", "Counted the orange one", "Miscount"):
        assert label not in told
    assert b"mistake_reason" in run.raw


def test_the_number_of_the_file_is_kept(tmp_path):
    record = {"question": "?", "question_ID": "q", "history": [{"role": "human", "content": "hi"}]}
    [run], _ = written(tmp_path, "17.json", json.dumps(record))
    assert run.origin["number"] == 17
    assert run.raw == json.dumps(record).encode()


def test_a_run_without_an_id_is_called_after_its_file(tmp_path):
    record = {"question": "?", "history": [{"role": "human", "content": "hi"}]}
    [run], problems = written(tmp_path, "17.json", json.dumps(record))
    assert run.external_id == "17"
    assert run.task_cluster.startswith("question:")
    assert places(problems) == [("warning", "missing_id", "file")]


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ({"role": "human"}, "/history/1"),
        ({"content": "hi"}, "/history/1"),
        ({"role": "", "content": "hi"}, "/history/1"),
        ({"role": None, "content": "hi"}, "/history/1"),
        ("hi", "/history/1"),
    ],
)
def test_a_message_that_is_no_step_costs_its_run_only(tmp_path, message, where):
    good = {"question": "?", "question_ID": "a", "history": [{"role": "human", "content": "hi"}]}
    bad = {"question": "?", "question_ID": "b", "history": [{"role": "human", "content": "hi"}, message]}
    drafts, problems = written(tmp_path, "runs.json", json.dumps([bad, good]))
    assert [draft.external_id for draft in drafts] == ["a"]
    assert places(problems) == [("refused", "bad_message", f"/0{where}")]


@pytest.mark.parametrize("history", [None, [], "text", {}])
def test_a_labelled_record_without_a_run_is_refused(tmp_path, history):
    record = {"question_ID": "a", "mistake_agent": "X", "mistake_step": "1", "history": history}
    drafts, problems = written(tmp_path, "1.json", json.dumps(record))
    assert (drafts, places(problems)) == ([], [("refused", "no_steps", "/history")])


@pytest.mark.parametrize(("folder", "count"), [("Hand-Crafted", 58), ("Algorithm-Generated", 126)])
def test_the_public_runs_are_all_read(folder, count):
    drafts, problems = split(read_traces([shared(f"whowhen/{folder}")]))
    assert len(drafts) == len({(draft.source, draft.external_id) for draft in drafts}) == count
    assert {draft.origin["number"] for draft in drafts} == set(range(1, count + 1))
    assert [problem for problem in problems if problem.severity == "refused"] == []


def test_suspicious_texts_of_the_public_runs_are_warned_of():
    _, problems = split(read_traces([shared("whowhen")]))
    assert [(problem.file.split("/", 1)[1], problem.code, problem.where) for problem in problems] == [
        ("Algorithm-Generated/36.json", "empty_content", "/history/7"),
        ("Algorithm-Generated/95.json", "bidi_controls", "/history/8/content"),
        ("Algorithm-Generated/99.json", "empty_content", "/history/5"),
    ]
