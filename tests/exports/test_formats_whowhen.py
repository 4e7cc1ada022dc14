import pytest

from exports.formats import CannotExpress, WhoWhen
from exports.formats.whowhen import folders_of, safe_name
from exports.rows import Layout
from tests.exports.builders import ONE_SOURCE, make_mark, make_row

ORIGIN = {
    "number": 7,
    "split": "algorithm-generated",
    "keys": ["is_correct", "question", "question_ID", "level", "groundtruth", "history"],
    "extras": {"level": "2"},
}
OWN = {
    "format": "whowhen",
    "origin": ORIGIN,
    "layers": {"expected": {"answer": "42"}, "outcome": {"is_correct": False}},
}


def test_a_run_that_came_as_whowhen_keeps_its_number_keys_and_raw_label():
    raw = {"mistake_agent": "assistant", "mistake_step": "3", "mistake_reason": "why", "labels": "Other"}

    entry = WhoWhen(ONE_SOURCE).entry(make_row(make_mark(raw=raw), **OWN))

    assert entry.name == "7.json"
    assert entry.value == {
        "is_correct": False,
        "question": "Exchange the lamp.",
        "question_ID": "run-1",
        "level": "2",
        "groundtruth": "42",
        "history": [
            {"content": "Hello", "role": "user", "name": "User"},
            {"content": "Done", "role": "assistant", "name": "Assistant"},
        ],
        "mistake_agent": "assistant",
        "mistake_step": "3",
        "mistake_reason": "why",
        "labels": "Other",
    }


def test_a_run_from_elsewhere_takes_the_hand_crafted_shape():
    entry = WhoWhen(ONE_SOURCE).entry(make_row())

    assert (entry.name, list(entry.value)) == (
        "1.json",
        ["history", "question", "ground_truth", "is_corrected", "question_ID"]
        + ["mistake_agent", "mistake_step", "mistake_reason"],
    )
    assert entry.value["history"][0] == {"content": "Hello", "role": "User"}
    assert (entry.value["mistake_agent"], entry.value["mistake_step"]) == ("Assistant", "3")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (
            make_row(make_mark(is_critical=False), outcome="cannot_tell"),
            "no decisive mistake: the outcome is cannot_tell",
        ),
        (make_row(make_mark(participant="")), "the critical failure names no participant"),
        (
            make_row(make_mark(anchor="task", first_step=None)),
            "the critical failure is anchored to the task and has no step",
        ),
    ],
)
def test_a_row_without_a_placed_mistake_is_left_out_with_the_reason(row, why):
    with pytest.raises(CannotExpress) as caught:
        WhoWhen(ONE_SOURCE).entry(row)
    assert str(caught.value) == why


def test_several_sources_get_a_folder_each_and_one_number_is_never_used_twice():
    writer = WhoWhen(Layout(("a", "b/../c")))

    names = [writer.entry(make_row(source=source, **OWN)).name for source in ("a", "a", "b/../c")]

    assert names == ["a/7.json", "a/7-2.json", "b___c/7.json"]


@pytest.mark.parametrize("text", ["../../etc/passwd", "..", "", "/", "a\0b", "C:\\x", ".hidden", "CON", "x" * 300, "é"])
def test_a_folder_name_never_leaves_its_folder(text):
    name = safe_name(text)

    assert name and len(name) <= 90 and not name.startswith(".") and not set(name) & set('/\\\0:"')
    assert name.casefold() != "con"


def test_sources_with_one_safe_name_get_different_folders():
    assert sorted(folders_of(("a/b", "a_b", "A_b")).values()) == ["A_b-3", "a_b", "a_b-2"]
