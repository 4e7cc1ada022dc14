import pytest

from annotate.formats import read_labels
from tests.annotate.reading import split, written
from tests.shared_data import shared
from tests.traces.reading import SAMPLES, places


def test_the_one_mistake_is_the_critical_failure_at_a_position():
    [label], problems = split(read_labels([SAMPLES / "whowhen_hand_crafted.json"], "whowhen"))
    [failure] = label.failures
    assert problems == []
    assert (failure.number, failure.base, failure.participant, failure.category_raw) == (
        3,
        "position",
        "WebSurfer",
        None,
    )
    assert failure.raw == {
        "mistake_agent": "WebSurfer",
        "mistake_step": "3",
        "mistake_reason": "Read the row for Saturday.",
        "mistake_type": "Reading slip",
    }
    assert (label.critical_key, label.outcome, label.exhaustive) == (failure.key, "critical", False)
    assert (label.critical_definition, label.source) == ("decisive", "whowhen-hand-crafted")
    assert label.reason_for_root_cause == failure.step_reason == "Read the row for Saturday."
    assert label.raw == failure.raw | {
        "is_corrected": False,
        "question_id": "7d1c0f0e-0000-4000-8000-000000000007",
    }


def test_labels_of_algorithm_generated_runs_name_their_source():
    [label], _ = split(read_labels([SAMPLES / "whowhen_algorithm_generated.json"], "whowhen"))
    assert label.source == "whowhen-algorithm-generated"
    assert label.raw["labels"] == "Miscount"


@pytest.mark.parametrize("step", ["4", 4, 4.0])
def test_a_step_may_be_a_text_or_a_number(tmp_path, step):
    record = {"question_ID": "q", "mistake_agent": "A", "mistake_step": step, "mistake_reason": ""}
    [label], problems = written(tmp_path, record, "whowhen")
    assert (label.failures[0].number, label.source, problems) == (4, None, [])


@pytest.mark.parametrize("step", [None, "", "-1", "4a", "٤", True, -1, [4], "9" * 5000])
def test_a_step_that_is_no_whole_number_is_refused(tmp_path, step):
    record = {"question_ID": "q", "mistake_agent": "A", "mistake_step": step}
    labels, problems = written(tmp_path, record, "whowhen")
    assert (labels, places(problems)) == ([], [("refused", "bad_step", "/mistake_step")])


def test_a_label_that_blames_nobody_is_read_with_a_warning(tmp_path):
    [_], problems = written(tmp_path, {"question_ID": "q", "mistake_step": "1"}, "whowhen")
    assert places(problems) == [("warning", "missing_agent", "/mistake_agent")]


@pytest.mark.parametrize(
    ("folder", "count", "typed"), [("Hand-Crafted", 58, "mistake_type"), ("Algorithm-Generated", 126, "labels")]
)
def test_the_public_labels_are_all_read(folder, count, typed):
    labels, problems = split(read_labels([shared(f"whowhen/{folder}")], "whowhen"))
    assert len(labels) == len({label.external_id for label in labels}) == count
    assert [problem for problem in problems if problem.severity == "refused"] == []
    assert sum(typed in label.raw for label in labels) == {"mistake_type": 4, "labels": 1}[typed]
    assert {failure.category_raw for label in labels for failure in label.failures} == {None}
