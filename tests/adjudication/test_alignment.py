"""Annotations side by side: a published figure is not to be had, so each rule is shown on the smallest case."""

import pytest

from adjudication.alignment import Row, StepLine, Stretch, align, lettered
from adjudication.ruling_draft import RulingDraft, begun, data_of, taken
from annotate.fold import empty_state, new_failure

STEPS = [StepLine(position, position + 5, "Assistant", f"step {position}") for position in range(10)]
CATEGORIES = {"a": "Category A", "b": "Category B"}


def state(*failures, critical=None, outcome=None):
    found = empty_state()
    for number, (step, category) in enumerate(failures, start=1):
        anchor = {"anchor": step} if isinstance(step, str) else {"first_step": step, "last_step": step}
        fields = {"participant": "Assistant", "category": category, "effect": "persists", "codes": [f"code {step}"]}
        found["failures"][f"m{number}"] = new_failure(number=number, **anchor, **fields)
    found["answers"] |= {
        "critical": critical,
        "outcome": outcome or ("critical" if critical else "no_failure"),
        "reason_for_root_cause": "the reason",
    }
    return found


def aligned(*annotations):
    """Each given as (state, exhaustive); their letters are random, so they are found by annotation id 1, 2, …"""
    given = [(pk, exhaustive, each) for pk, (each, exhaustive) in enumerate(annotations, start=1)]
    return align(lettered(given, "secret"), STEPS, CATEGORIES)


def column(alignment, annotation):
    return next(each for each in alignment.columns if each.annotation == annotation)


def said(chips):
    return [f"{chip.sign} {chip.kind}" for chip in chips]


def shape(alignment):
    return [
        (each.first.position, each.last.position) if isinstance(each, Stretch) else each.place
        for each in alignment.segments
    ]


def test_only_marked_steps_are_rows_and_nothing_of_the_run_is_lost():
    alignment = aligned((state((2, "a"), ("task", "b")), True), (state((7, "a"), (2, "a")), True))
    assert shape(alignment) == ["task", (0, 1), 2, (3, 6), 7, (8, 9)]


def test_letters_stay_and_do_not_follow_the_order_of_submission():
    first = [(pk, True, state()) for pk in range(1, 9)]
    columns = lettered(first, "secret")
    assert columns == lettered(first, "secret")
    assert [each.letter for each in columns] == list("ABCDEFGH")
    assert [each.annotation for each in columns] != list(range(1, 9))
    assert [each.annotation for each in columns] != [each.annotation for each in lettered(first, "another")]


def test_a_handle_stands_for_its_annotation_also_when_another_comes():
    before = {each.annotation: each.handle for each in lettered([(1, True, state()), (2, True, state())], "s")}
    after = {each.annotation: each.handle for each in lettered([(pk, True, state()) for pk in (1, 2, 3)], "s")}
    assert before.items() <= after.items()


@pytest.mark.parametrize(
    ("second", "exhaustive", "chips"),
    [
        (state((2, "a")), True, ["= category", "= agent"]),
        (state((2, "b")), True, ["≠ category", "= agent"]),
        (state((3, "a")), True, ["≠ mark"]),
        (state(), True, ["≠ mark"]),
        (state((3, "a"), critical="m1"), False, []),  # was asked for the critical failure only
    ],
)
def test_a_row_says_in_what_its_marks_differ(second, exhaustive, chips):
    alignment = aligned((state((2, "a")), True), (second, exhaustive))
    assert said(alignment.at(2).chips) == chips


def test_the_critical_mark_of_one_only_is_a_difference_at_both_places():
    alignment = aligned((state((2, "a"), critical="m1"), True), (state((2, "a"), (4, "a"), critical="m2"), True))
    assert said(alignment.at(2).chips) == ["≠ critical", "= category", "= agent"]
    assert said(alignment.at(4).chips) == ["≠ mark", "≠ critical"]
    assert said(alignment.chips) == ["= outcome", "≠ step", "= agent", "= category"]
    assert "2 apart" in alignment.chips[1].text
    assert {"7", "9"} <= set(alignment.chips[1].text.replace(":", "").split())


def test_what_became_of_a_failure_may_be_the_difference():
    harmless = state((2, "a"))
    harmless["failures"]["m1"]["effect"] = "harmless"
    assert said(aligned((state((2, "a")), True), (harmless, True)).at(2).chips) == ["= category", "= agent", "≠ effect"]


def test_marks_that_all_agree_on_fold_unless_one_is_critical():
    same = state((2, "a"), (4, "a"), critical="m2")
    alignment = aligned((same, True), (same, True))
    assert {row.place: row.folds for row in alignment.segments if isinstance(row, Row)} == {2: True, 4: False}


def test_different_outcomes_come_first():
    alignment = aligned((state((2, "a"), critical="m1"), True), (state(), True))
    assert said(alignment.chips) == ["≠ outcome"]


# The ruling made from it


def draft(alignment, **fields):
    return RulingDraft({**begun(alignment), **{name: list(value) for name, value in fields.items()}}, alignment)


def value(alignment, annotation, key):
    return f"{column(alignment, annotation).handle}:{key}"


@pytest.fixture
def two():
    """Both mark 2 alike; 4 is the first one's critical step, 6 the second one's; they differ in the category of 8."""
    return aligned(
        (state((2, "a"), (4, "a"), (8, "a"), critical="m2"), True),
        (state((2, "a"), (6, "b"), (8, "b"), critical="m2"), True),
    )


def test_what_all_mark_is_kept_from_the_start_and_the_rest_is_for_the_adjudicator_to_say(two):
    kept = draft(two).kept
    assert sorted(kept) == sorted(value(two, pk, key) for pk in (1, 2) for key in ("m1", "m3"))


def test_equal_marks_are_one_failure_and_different_ones_two_unless_merged(two):
    chosen = [f"mark:{value(two, 1, 'm2')}"]
    failures = draft(two, choice=chosen).failures()
    assert [(each["first_step"], len(each["from"]), each["is_critical"]) for each in failures] == [
        (2, 2, False),
        (4, 1, True),
        (8, 1, False),
        (8, 1, False),
    ]
    merged = draft(two, choice=chosen, merge=["8"]).failures()
    assert [(each["first_step"], each["category"], len(each["from"])) for each in merged][2:] == [(8, "a", 2)]


def test_choosing_a_step_keeps_its_mark_and_takes_the_words_with_it(two):
    ruling = draft(two, choice=[f"mark:{value(two, 2, 'm2')}"], keep=[])
    (failure,) = ruling.failures()
    assert (failure["first_step"], failure["category"], failure["is_critical"]) == (6, "b", True)
    assert ruling.words("reason_for_root_cause") == "the reason"
    assert draft(two, choice=["no_failure"]).words("reason_for_root_cause") == ""


def test_an_annotation_without_a_category_does_not_empty_that_of_another():
    alignment = aligned((state((2, None), critical="m1"), False), (state((2, "b"), critical="m1"), True))
    (failure,) = draft(
        alignment, choice=[f"mark:{value(alignment, 1, 'm1')}"], keep=[value(alignment, 2, "m1")], merge=["2"]
    ).failures()
    assert (failure["category"], len(failure["from"])) == ("b", 2)


def test_another_step_is_given_in_the_numbers_of_the_page(two):
    ruling = draft(two, choice=["other"], other_step=["13"])
    assert [each["first_step"] for each in ruling.failures() if each["is_critical"]] == [8]
    assert ruling.errors == {}
    for missing in ("3", "x", ""):
        ruling = draft(two, choice=["other"], other_step=[missing])
        ruling.failures()
        assert list(ruling.errors) == ["other_step"]


def test_a_mark_of_another_case_is_not_taken(two):
    assert draft(two, keep=["ffffffffff:m1"], choice=["mark:ffffffffff:m1"]).failures() == []
    assert draft(two, choice=["mark:ffffffffff:m1"]).outcome == ""


@pytest.mark.parametrize("take", ["", "all:nobody", "rewrite:nothing", "drop:7", "sing"])
def test_a_button_that_is_none_changes_nothing(two, take):
    data = {"rationale": ["x"], "keep": []}
    assert taken(data, take, two) == data


def test_reject_all_lets_go_of_a_chosen_mark_and_of_no_other_answer(two):
    (value, *_) = two.marks
    assert taken({"keep": [value], "choice": [f"mark:{value}"]}, "none", two) == {"keep": [], "choice": []}
    assert taken({"keep": [value], "choice": ["cannot_tell"]}, "none", two) == {"keep": [], "choice": ["cannot_tell"]}


def test_reject_all_and_drop_take_away_and_write_adds(two):
    data = {"keep": ["x"], "w0-step": ["3"]}
    assert taken(data, "none", two)["keep"] == []
    assert taken(data, "drop:0", two) == {"keep": ["x"]}
    assert "w1-step" in taken(data, "write", two)


def test_a_draft_holds_only_what_the_form_has():
    sent = [
        ("keep", ["a"]),
        ("w3-code", ["b"]),
        ("w3-evil", ["c"]),
        ("w77-code", ["d"]),
        ("x", ["e"]),
        ("cause", "slip"),
    ]
    assert data_of(sent) == {"keep": ["a"], "w3-code": ["b"]}
