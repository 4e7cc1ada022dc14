"""Where the cursor stands in the workbench: never lost, never out of sight; and a key that does nothing says why."""

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import (  # noqa: F401  (fixtures among them)
    ann,
    at_rest,
    bench,
    item,
    keys,
    new_code,
    only_failure,
    project,
    saved,
)

# ruff: noqa: F811  (arguments named like the fixtures they ask for)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_questions_of_a_category_do_not_push_the_reason_out_of_sight(bench):
    bench.set_viewport_size({"width": 1440, "height": 900})
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "3")
    expect(bench.locator("[data-checklist=invalid_invocation]")).to_be_visible()
    reason, foot = (bench.locator(each).bounding_box() for each in ("#wb-why", ".wb-form__foot"))
    assert reason["y"] + reason["height"] <= foot["y"]


def test_the_cursor_goes_from_where_it_was_recovered_to_by_whom(bench, item, ann):
    keys(bench, "j j j m")
    new_code(bench, "too early")
    keys(bench, "0 Escape v x")
    bench.keyboard.type("6")
    keys(bench, "Tab")
    expect(bench.get_by_label("Recovered by")).to_be_focused()
    expect(bench.get_by_label("Recovered by")).to_have_value("Assistant")
    saved(bench, 5)
    expect(bench.get_by_label("Recovered by")).to_be_focused()
    failure = only_failure(item, ann)
    assert (failure["recovered_at"], failure["recovered_by"]) == (5, "Assistant")


def test_the_cursor_is_back_on_the_step_after_a_search_and_after_deleting(bench):
    step = bench.locator("#step-0")
    keys(bench, "/ Escape")
    expect(step).to_be_focused()
    keys(bench, "m Escape")
    bench.get_by_role("button", name="Delete").press("Enter")
    expect(step).to_be_focused()


def test_escape_leaves_an_empty_code_field_also_while_it_proposes(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "Control+Enter j m")
    expect(bench.get_by_role("listbox", name="Codes")).to_be_visible()
    keys(bench, "Escape")
    expect(bench.locator("#step-1")).to_be_focused()


def test_escape_closes_the_proposals_then_leaves_the_field_and_the_words_stay(bench):
    field, proposals = bench.locator("[data-code]"), bench.get_by_role("listbox", name="Codes")
    keys(bench, "m")
    bench.keyboard.type("opens the wrong")
    expect(proposals).to_be_visible()
    keys(bench, "Escape")
    expect(proposals).to_be_hidden()
    expect(field).to_be_focused()
    keys(bench, "ArrowDown")
    expect(proposals).to_be_visible()
    keys(bench, "Escape Escape")
    expect(bench.locator("#step-0")).to_be_focused()
    bench.reload()
    keys(bench, "o c")
    expect(field).to_be_focused()
    expect(field).to_have_value("opens the wrong")


def three_failures(bench):
    for number in range(3):
        keys(bench, "m")
        new_code(bench, f"slip {number}")
        keys(bench, "Control+Enter j")


def test_the_focus_follows_the_step_whose_effect_is_asked_for(bench):
    three_failures(bench)
    keys(bench, "v")
    expect(bench.locator("#step-2")).to_be_focused()
    keys(bench, "h")
    expect(bench.locator("#step-1")).to_be_focused()
    keys(bench, "p")
    expect(bench.locator("#step-0")).to_be_focused()


def test_the_focus_stays_in_the_panel_while_the_effects_are_clicked(bench):
    three_failures(bench)
    bench.get_by_role("tab", name="2 · The critical one").click()
    bench.get_by_role("button", name="h harmless").click()
    expect(bench.locator("#step-1[aria-current=step]")).to_be_visible()
    assert bench.evaluate("Boolean(document.activeElement.closest('[data-effects]'))")


def test_escape_closes_the_search_from_inside_it_or_last(bench, item, ann):
    search = bench.get_by_role("search")
    keys(bench, "/ Escape")
    expect(search).to_be_hidden()
    keys(bench, "m")
    new_code(bench, "slip")
    keys(bench, "0 Escape /")
    bench.get_by_label("Why it is a failure").focus()
    bench.keyboard.type("as the page said")
    keys(bench, "Escape")
    expect(bench.locator("#step-0")).to_be_focused()
    expect(bench.get_by_label("Why it is a failure")).to_be_visible()
    expect(search).to_be_visible()
    keys(bench, "Escape")
    expect(bench.get_by_label("Why it is a failure")).to_be_hidden()
    expect(search).to_be_visible()
    keys(bench, "Escape")
    expect(search).to_be_hidden()
    expect(bench.locator("#step-0")).to_be_focused()


def test_a_key_that_can_do_nothing_says_why(bench):
    notes = bench.locator("#toasts")
    keys(bench, "e")
    expect(notes).to_have_text("Select words in a step first, then press e.")
    keys(bench, "g 9 9 Enter")
    expect(notes).to_have_text("There is no step 99.")
    keys(bench, "m Escape w")
    bench.keyboard.insert_text("p" * 25_000)
    expect(notes).to_have_text("This field is full: it holds 20000 characters.")
