"""Hands faster than the network, and what a key means where the cursor stands."""

import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from taxonomy.models import Code
from tests.browser.workbench import (  # noqa: F401  (fixtures among them)
    ann,
    at_rest,
    bench,
    item,
    keys,
    new_code,
    only_failure,
    open_bench,
    project,
    saved,
    select,
    state,
)
from tests.factories import hold, make_step, make_trajectory

# ruff: noqa: F811  (arguments named like the fixtures they ask for)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slow(bench):
    """Within it codes are proposed a second late."""

    @contextmanager
    def until_answered():
        waiting = []
        bench.route("**/codes?*", lambda route: waiting.append(route))
        yield
        bench.wait_for_timeout(1000)
        for route in waiting:
            route.continue_()
        bench.unroute("**/codes?*")

    return until_answered


def test_keys_pressed_while_enter_waits_for_a_known_code_come_after_it(bench, slow, item, ann):
    keys(bench, "m")
    new_code(bench, "opens the wrong door")
    keys(bench, "Control+Enter j m")
    with slow():
        keys(bench, "o p e Enter 3")
        bench.keyboard.type("because, C")
        keys(bench, "Backspace c Control+Enter")
        expect(bench.locator("[data-code]")).to_have_value("ope")
    saved(bench, 6)
    expect(bench.locator("#step-1")).to_be_focused()
    _, failure = sorted(state(item, ann)["failures"].values(), key=lambda each: each["number"])
    found = (failure["codes"], failure["category"], failure["step_reason"])
    assert found == (["opens the wrong door"], "invalid_invocation", "because, c")


def test_keys_pressed_while_enter_waits_for_a_new_code_define_it(bench, slow, item, ann):
    keys(bench, "m")
    with slow():
        keys(bench, "o p e Enter")
        bench.keyboard.type("3 doors")
        keys(bench, "Enter 3")
    expect(bench.locator("#wb-why")).to_be_focused()
    saved(bench, 3)
    failure = only_failure(item, ann)
    assert (failure["codes"], failure["category"]) == (["ope"], "invalid_invocation")
    assert Code.objects.get(phrase="ope").definition == "3 doors"


def test_a_code_that_is_shown_is_taken_at_once(bench, slow):
    keys(bench, "m")
    new_code(bench, "opens the wrong door")
    keys(bench, "Control+Enter j m o p e")
    expect(bench.get_by_role("listbox", name="Codes").get_by_role("option")).to_have_count(2)
    with slow():
        keys(bench, "Enter")
        assert bench.evaluate("document.activeElement.matches('[data-categories]')")


def test_what_is_typed_after_tapping_the_chosen_radio_is_the_reason(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "slip")
    keys(bench, "Control+Enter v h c Escape")
    bench.get_by_role("radio", name="F1 at step 1").click()
    bench.keyboard.type("because")
    expect(bench.get_by_label("Why this one is critical")).to_have_value("because")
    keys(bench, "Escape")
    saved(bench, 5)
    answers = state(item, ann)["answers"]
    assert (answers["outcome"], answers["reason_for_root_cause"]) == ("critical", "because")


def test_letters_on_an_outcome_move_neither_the_star_nor_an_effect(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "slip")
    keys(bench, "Control+Enter v h o")
    bench.get_by_role("radio", name="I cannot tell").click()
    bench.keyboard.type("because nothing helps")
    expect(bench.locator("#toasts")).to_contain_text("Letters do nothing on a choice.")
    keys(bench, "4")
    saved(bench, 5)
    found = state(item, ann)
    (failure,) = found["failures"].values()
    assert (found["answers"]["outcome"], found["answers"]["confidence"], failure["effect"]) == (
        "cannot_tell",
        0.8,
        "harmless",
    )


@pytest.mark.browser_context_args(has_touch=True, is_mobile=True)
def test_on_a_telephone_words_selected_for_an_open_mark_become_evidence_at_the_foot(bench, item, ann):
    bench.set_viewport_size({"width": 390, "height": 844})
    foot = bench.get_by_role("contentinfo", name="Keys")
    act = foot.get_by_role("button", name="evidence")
    select(bench, 0, 0, 8)
    bench.wait_for_timeout(200)
    expect(act).to_be_hidden()
    keys(bench, "m")
    new_code(bench, "slip")
    before = foot.bounding_box()
    select(bench, 0, 0, 8)
    expect(act).to_be_visible()
    assert foot.bounding_box() == before
    act.tap()
    saved(bench, 3)
    expect(act).to_be_hidden()
    assert [each["text"] for each in only_failure(item, ann)["evidence"]] == ["Exchange"]
    select(bench, 0, 0, 8)
    expect(act).to_be_visible()
    keys(bench, "Control+Enter")
    expect(act).to_be_hidden()


def lines(name):
    script = """each => {
      const { lineHeight, fontSize } = getComputedStyle(each);
      return each.offsetHeight / (parseFloat(lineHeight) || 1.2 * parseFloat(fontSize));
    }"""
    return round(name.evaluate(script))


def test_names_of_200_characters_take_two_lines_until_they_are_opened(bench):
    long = "opens the wrong door and " * 8
    keys(bench, "m")
    new_code(bench, long[:199])
    keys(bench, "Control+Enter")
    saved(bench, 2)
    marked = bench.get_by_role("list").filter(has=bench.get_by_role("button", name="F1 at step 1"))
    name = marked.get_by_title(long[:199])
    assert lines(name) == 2
    keys(bench, "v")
    opened = bench.locator("[data-effects] [title]")
    assert lines(opened) > 2
    keys(bench, "Escape")
    assert lines(opened) == 2
    assert lines(bench.locator("[data-outcomes] label span").first) == 2


def test_the_five_words_of_confidence_stand_on_one_line_at_1024(bench):
    bench.set_viewport_size({"width": 1024, "height": 768})
    keys(bench, "v")
    tops = bench.locator("[data-confidence] button").evaluate_all("all => all.map(each => each.offsetTop)")
    assert len(set(tops)) == 1


def test_step_numbers_of_five_digits_are_whole_on_the_map(live_server, page, project, ann, log_in):
    steps = [make_step(n, native_index=12340 + n) for n in range(30)]
    make_trajectory(project, "long-numbers", steps=steps)
    run = project.items.get()
    hold(run, ann)
    log_in(ann)
    open_bench(page, live_server, run)
    labels = page.locator("[data-map-labels] text")
    expect(labels.last).to_have_text(re.compile(r"^123\d\d$"))
    assert min(labels.evaluate_all("all => all.map(each => each.getBBox().x)")) >= 0
