import json

import pytest

from exports.formats import AgentRx, CannotExpress
from exports.formats.base import Entry, as_list
from exports.rows import Layout, layout_of
from tests.exports.builders import ONE_SOURCE, make_mark, make_row


def written(row, layout=ONE_SOURCE, **options):
    return AgentRx(layout, **options).entry(row).value


def refusal(row, writer=None):
    with pytest.raises(CannotExpress) as caught:
        (writer or AgentRx(ONE_SOURCE)).entry(row)
    return str(caught.value)


def test_an_entry_has_the_keys_of_the_benchmark_in_their_order():
    late = make_mark(1, first_step=5)
    early = make_mark(2, first_step=2, native_step=7, participant="User", is_critical=False)

    entry = written(make_row(late, early, format="agentrx-ir"))

    assert json.dumps(entry) == json.dumps(
        {
            "trajectory_id": "run-1",
            "failures": [
                {
                    "failure_id": 1,
                    "step_number": 6,
                    "step_reason": late.step_reason,
                    "failure_category": "Invalid Invocation",
                    "category_reason": late.category_reason,
                    "failed_agent": "Assistant",
                },
                {
                    "failure_id": 2,
                    "step_number": 7,
                    "step_reason": late.step_reason,
                    "failure_category": "Invalid Invocation",
                    "category_reason": late.category_reason,
                    "failed_agent": "User",
                },
            ],
            "root_cause": {"failure_id": 1, "reason_for_root_cause": "never undone"},
            "failure_summary": "the lamp was not exchanged",
        }
    )


def test_flat_lists_count_from_one_whatever_their_own_index_says():
    assert written(make_row(make_mark(native_step=3), format="whowhen"))["failures"][0]["step_number"] == 4


def test_imported_ids_and_spellings_are_kept_and_a_text_id_becomes_a_number():
    raw = {"failure_id": "31", "failure_category": "Invalid invocation", "failed_agent": "assistant "}

    entry = written(make_row(make_mark(raw=raw)))
    raw_entry = written(make_row(make_mark(raw=raw)), raw_names=True)

    assert (entry["failures"][0]["failure_id"], entry["root_cause"]["failure_id"]) == (31, 31)
    assert entry["failures"][0]["failed_agent"] == "assistant "
    assert entry["failures"][0]["failure_category"] == "Invalid Invocation"
    assert raw_entry["failures"][0]["failure_category"] == "Invalid invocation"


def test_ids_that_are_no_numbers_of_their_own_are_counted_anew():
    marks = (
        make_mark(1, raw={"failure_id": "a"}),
        make_mark(2, first_step=4, is_critical=False, raw={"failure_id": 9}),
    )

    assert [each["failure_id"] for each in written(make_row(*marks))["failures"]] == [1, 2]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (make_row(make_mark(is_critical=False), outcome="no_failure"), "no root cause: the outcome is no_failure"),
        (make_row(make_mark(category=None, category_name="")), "failure F1 has no category"),
        (
            make_row(make_mark(category="x", category_name="Bad Luck")),
            "the category “Bad Luck” of F1 is none of AgentRx's",
        ),
        (
            make_row(make_mark(), make_mark(2, anchor="policy", first_step=None, is_critical=False)),
            "failure F2 is anchored to the policy and has no step",
        ),
    ],
)
def test_a_row_without_its_parts_is_left_out_with_the_reason(row, why):
    assert refusal(row) == why


def test_a_second_run_of_the_same_id_is_left_out():
    writer = AgentRx(Layout(("one", "two")))
    writer.entry(make_row(source="one"))

    assert "same id" in refusal(make_row(source="two"), writer)


def test_ids_keep_their_type_unless_the_file_would_mix_them():
    assert written(make_row(trajectory_id=12))["trajectory_id"] == 12
    mixed = layout_of([("one", 12), ("one", "run-1")])
    zero = layout_of([("one", 0), ("one", 5)])
    assert written(make_row(trajectory_id=12), mixed)["trajectory_id"] == "12"
    assert written(make_row(trajectory_id=0), zero)["trajectory_id"] == "0"
    assert layout_of([("one", 3), ("one", 5)]) == Layout(("one",), ids_as_text=False)


def test_the_file_is_what_one_dump_of_the_whole_list_would_be():
    values = [{"a": ["x\ny", "é\u2028"]}, {"b": []}]

    text = "".join(as_list(Entry(value) for value in values))

    assert text == json.dumps(values, indent=4) + "\n"
    assert "".join(as_list([])) == "[]\n"
