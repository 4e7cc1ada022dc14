import json

import pytest

from annotate.formats import read_labels
from annotate.formats.drafts import FailureDraft, LabelDraft
from tests.annotate.reading import SAMPLES, split, written
from tests.shared_data import shared
from tests.traces.reading import places


def entry(**changes):
    failure = {"failure_id": 1, "step_number": 2, "failed_agent": "A", "failure_category": "System Failure"}
    return {"trajectory_id": "t", "failures": [failure], "root_cause": {"failure_id": 1}} | changes


def failure(**changes):
    return entry()["failures"][0] | changes


def test_a_label_keeps_raw_spellings_beside_what_was_understood():
    labels, problems = split(read_labels([SAMPLES / "agentrx.json"], "agentrx"))
    raw = json.loads((SAMPLES / "agentrx.json").read_text())[0]
    assert labels == [
        LabelDraft(
            external_id="ferry-1",
            source=None,
            failures=(
                FailureDraft(
                    key="3",
                    number=2,
                    base="native_index",
                    participant_raw="Websurfer",
                    participant="Websurfer",
                    category_raw="Intent Plan Misalignment",
                    step_reason="",
                    category_reason="",
                    raw=raw["failures"][0],
                ),
                FailureDraft(
                    key="4",
                    number=4,
                    base="native_index",
                    participant_raw="Orchestrator",
                    participant="Orchestrator",
                    category_raw="Misinterpretation of Tool Output",
                    step_reason="Read last year's timetable.",
                    category_reason="The year stood in the title.",
                    raw=raw["failures"][1],
                ),
            ),
            critical_key="4",
            outcome="critical",
            reason_for_root_cause="Nobody looked again.",
            summary="",
            exhaustive=True,
            critical_definition="first_unrecoverable",
            raw=raw,
            file="agentrx.json",
            where="/0",
        )
    ]
    assert places(problems) == [
        ("warning", "root_id_type", "/0/root_cause/failure_id"),
        ("refused", "bad_root_cause", "/1/root_cause/failure_id"),
    ]


def test_no_failure_and_no_root_cause_is_an_answer(tmp_path):
    [label], problems = written(tmp_path, entry(failures=[], root_cause=None), "agentrx")
    assert (label.outcome, label.critical_key, label.failures, problems) == ("no_failure", None, (), [])


def test_an_equal_failure_given_twice_is_kept_once(tmp_path):
    [label], problems = written(tmp_path, entry(failures=[failure(), failure()]), "agentrx")
    assert len(label.failures) == 1
    assert places(problems) == [("warning", "duplicate_failure", "/failures/1")]


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"failures": [failure(), failure(step_number=3)]}, "ambiguous_failure", "/failures/1"),
        ({"root_cause": None}, "bad_root_cause", "/root_cause/failure_id"),
        ({"root_cause": {"failure_id": 2}}, "bad_root_cause", "/root_cause/failure_id"),
        ({"root_cause": {"failure_id": True}}, "bad_root_cause", "/root_cause/failure_id"),
        ({"root_cause": "1"}, "bad_root_cause", "/root_cause"),
        ({"failures": []}, "bad_root_cause", "/root_cause/failure_id"),
        ({"failures": {}}, "bad_failure", "/failures"),
        ({"failures": [1]}, "bad_failure", "/failures/0"),
        ({"failures": [failure(failure_id=None)]}, "bad_failure", "/failures/0/failure_id"),
        ({"failures": [failure(step_number=None)]}, "bad_step", "/failures/0/step_number"),
        ({"failures": [failure(step_number=-1)]}, "bad_step", "/failures/0/step_number"),
        ({"failures": [failure(step_number=True)]}, "bad_step", "/failures/0/step_number"),
        ({"failures": [failure(step_number="two")]}, "bad_step", "/failures/0/step_number"),
        ({"failures": [failure(step_number=1.5)]}, "bad_step", "/failures/0/step_number"),
        ({"trajectory_id": None}, "missing_id", "/trajectory_id"),
        ({"trajectory_id": [1]}, "bad_id", "/trajectory_id"),
    ],
)
def test_a_label_that_cannot_be_read_costs_itself_only(tmp_path, changes, code, where):
    labels, problems = written(tmp_path, [entry(**changes), entry(trajectory_id=5)], "agentrx")
    assert [label.external_id for label in labels] == [5]
    assert places(problems) == [("refused", code, f"/0{where}")]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"step_number": "5"}, "step_from_text"),
        ({"step_number": 5.0}, "step_from_text"),
        ({"failed_agent": ""}, "missing_agent"),
        ({"failed_agent": None}, "missing_agent"),
        ({"step_reason": ["x"]}, "unusual_content"),
    ],
)
def test_odd_fields_are_read_with_a_warning(tmp_path, changes, code):
    [_], problems = written(tmp_path, entry(failures=[failure(**changes)]), "agentrx")
    assert [(problem.severity, problem.code) for problem in problems] == [("warning", code)]


def test_a_category_may_be_missing(tmp_path):
    [label], problems = written(tmp_path, entry(failures=[failure(failure_category=None)]), "agentrx")
    assert (label.failures[0].category_raw, problems) == (None, [])


def test_the_public_labels_are_all_read():
    magentic, problems = split(read_labels([shared("agentrx/ground_truth/magentic_one_ground_truth.json")], "agentrx"))
    tau, _ = split(read_labels([shared("agentrx/ground_truth/tau_ground_truth.json")], "agentrx"))
    assert [(len(labels), sum(len(label.failures) for label in labels)) for labels in (magentic, tau)] == [
        (44, 295),
        (29, 39),
    ]
    assert {type(label.external_id) for label in magentic} == {str}
    assert {type(label.external_id) for label in tau} == {int}
    assert [(problem.code, problem.where) for problem in problems] == [("root_id_type", "/7/root_cause/failure_id")]


def test_traces_given_for_labels_are_one_refusal_per_file(tmp_path):
    labels, problems = written(tmp_path, [{"task_id": 1, "traj": []}, {"task_id": 2, "traj": []}], "agentrx")
    assert (labels, places(problems)) == ([], [("refused", "unknown_format", "file")])
