"""The workbench in Chromium: a whole annotation by keys, and nothing lost when the server or the network is away."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from annotate.models import Annotation, Assignment
from tests.browser.workbench import (  # noqa: F401  (fixtures among them)
    LINES,
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
from tests.factories import annotate_and_submit, do, hold, make_step, make_trajectory

# ruff: noqa: F811  (arguments named like the fixtures they ask for)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_whole_annotation_by_keys_alone(bench, live_server, item, ann):
    keys(bench, "j j j m")
    new_code(bench, "guesses the lamp", "Takes a lamp nobody named.")
    keys(bench, "3")
    bench.keyboard.type("It never asked.")
    keys(bench, "Control+Enter g 8 Enter m")
    expect(bench.get_by_role("heading", name="F2 at step 8")).to_be_visible()
    bench.keyboard.type("guesses")
    expect(bench.get_by_role("listbox", name="Codes").get_by_text("guesses the lamp")).to_be_visible()
    keys(bench, "Enter 4")
    bench.keyboard.type("Reads it wrongly.")
    keys(bench, "Control+Enter v h")
    keys(bench, "c")
    bench.keyboard.type("The rest follows from it.")
    keys(bench, "Escape 4 Control+Enter")
    expect(bench.get_by_role("dialog", name="Submit this annotation?")).to_contain_text("★ F1 at step 4")
    bench.keyboard.press("Enter")
    expect(bench).to_have_url(live_server.url + "/")
    found = state(item, ann)
    first, second = sorted(found["failures"].values(), key=lambda each: each["number"])
    assert (first["first_step"], first["codes"], first["category"]) == (3, ["guesses the lamp"], "invalid_invocation")
    assert (first["participant"], first["step_reason"], first["effect"]) == ("Assistant", "It never asked.", "persists")
    assert (second["first_step"], second["codes"], second["effect"]) == (7, ["guesses the lamp"], "harmless")
    assert found["answers"]["outcome"] == "critical"
    assert found["answers"]["reason_for_root_cause"] == "The rest follows from it."
    assert found["answers"]["confidence"] == 0.8
    assert Assignment.objects.get(item=item, user=ann).state == "submitted"


def test_undo_reaches_across_a_reload(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "1")
    saved(bench, 3)
    bench.reload()
    keys(bench, "u")
    saved(bench, 4)
    assert only_failure(item, ann)["category"] is None
    keys(bench, "u u")
    expect(bench.get_by_text("Nothing yet.")).to_be_visible()
    keys(bench, "U")
    expect(bench.get_by_role("button", name="F1 at step 1")).to_be_visible()


def test_keys_pressed_faster_than_they_are_saved_undo_one_change_each(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "1 Escape")
    saved(bench, 3)
    keys(bench, "u u u")
    saved(bench, 6)
    assert state(item, ann)["failures"] == {}
    keys(bench, "U U U")
    saved(bench, 9)
    failure = only_failure(item, ann)
    assert (failure["codes"], failure["category"] is None) == (["too early"], False)


def test_redo_brings_back_what_was_never_sent(bench, item, ann):
    operations = f"**{reverse('operations', args=[item.pk])}"
    bench.route(operations, lambda route: route.abort())
    keys(bench, "m")
    new_code(bench, "made offline")
    keys(bench, "0")
    bench.keyboard.type("Nobody is there to hear it.")
    keys(bench, "Escape u u")
    expect(bench.locator("[data-saved]")).to_contain_text("2 waiting")
    keys(bench, "U U")
    bench.unroute(operations)
    bench.evaluate("dispatchEvent(new Event('online'))")
    saved(bench, 4)
    failure = only_failure(item, ann)
    assert (failure["none_fits"], failure["step_reason"]) == (True, "Nobody is there to hear it.")


def test_the_only_mark_deleted_stays_deleted(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "too early")
    bench.get_by_role("button", name="Delete").click()
    saved(bench, 3)
    bench.reload()
    expect(bench.get_by_text("Nothing yet.")).to_be_visible()
    assert state(item, ann)["failures"] == {}


def test_a_mark_left_empty_takes_itself_back(bench, item, ann):
    keys(bench, "m Escape Escape")
    saved(bench, 2)
    assert state(item, ann)["failures"] == {}


def test_offline_changes_wait_survive_a_reload_and_arrive_in_order(bench, live_server, item, ann):
    operations = f"**{reverse('operations', args=[item.pk])}"
    bench.route(operations, lambda route: route.abort())
    keys(bench, "j m")
    new_code(bench, "made offline")
    keys(bench, "2")
    bench.keyboard.type("Nobody is there to hear it.")
    expect(bench.locator("[data-saved]")).to_contain_text("offline – 4 waiting")
    assert state(item, ann)["failures"] == {}
    bench.on("dialog", lambda dialog: dialog.accept())
    bench.reload()
    expect(bench.get_by_role("button", name="F1 at step 2")).to_be_visible()
    expect(bench.locator("[data-saved]")).to_contain_text("4 waiting")
    bench.unroute(operations)
    bench.evaluate("dispatchEvent(new Event('online'))")
    saved(bench, 4)
    failure = only_failure(item, ann)
    assert (failure["codes"], failure["step_reason"]) == (["made offline"], "Nobody is there to hear it.")


def test_an_answer_that_got_lost_is_not_saved_twice(bench, item, ann):
    lost = []

    def lose(route):
        if not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    bench.route(f"**{reverse('operations', args=[item.pk])}", lose)
    keys(bench, "m")
    new_code(bench, "said once")
    saved(bench, 2)
    assert only_failure(item, ann)["codes"] == ["said once"]


def test_a_change_in_another_tab_is_a_conflict_with_both_sides(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "seen here")
    keys(bench, "1")
    bench.keyboard.type("As I see it here.")
    saved(bench, 4)
    (key,) = state(item, ann)["failures"]
    do(item, ann, "change", {"failures": [key], "fields": {"step_reason": "As I saw it there."}})
    bench.keyboard.type(" And more.")
    dialog = bench.get_by_role("dialog", name="This run was changed elsewhere")
    expect(dialog).to_contain_text("As I see it here. And more.")
    expect(dialog).to_contain_text("As I saw it there.")
    dialog.get_by_role("button", name="Keep what is here").click()
    saved(bench, 6)
    assert only_failure(item, ann)["step_reason"] == "As I see it here. And more."


def test_taking_what_was_saved_elsewhere_drops_what_waits(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "seen here")
    saved(bench, 2)
    (key,) = state(item, ann)["failures"]
    do(item, ann, "change", {"failures": [key], "fields": {"category": "system_failure"}})
    keys(bench, "1")
    bench.get_by_role("button", name="Take what was saved").click()
    saved(bench, 3)
    expect(bench.get_by_role("button", name="9 System Failure")).to_have_attribute("aria-pressed", "true")


def test_words_the_server_turns_down_are_kept(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "far too long")
    keys(bench, "w")
    saved(bench, 2)
    bench.evaluate("document.querySelector('#wb-why').maxLength = 30000")
    bench.locator("#wb-why").fill("x" * 20_001)
    dialog = bench.get_by_role("dialog", name="The server turned a change down")
    expect(dialog.get_by_role("alert")).to_contain_text("20,001 characters")
    expect(dialog.get_by_label("What was to be saved")).to_have_value(re.compile("x{20001}"))
    dialog.get_by_role("button", name="Discard this change").click()
    saved(bench, 2)


def test_an_expired_log_in_keeps_the_changes_and_sends_them_after(bench, live_server, item, ann, log_in):
    bench.context.clear_cookies(name="sessionid")
    keys(bench, "m")
    new_code(bench, "while logged out")
    expect(bench.locator("[data-saved]")).to_contain_text("logged out – 2 waiting")
    log_in(ann)
    bench.evaluate("dispatchEvent(new Event('focus'))")
    # A try that was on its way without the log-in is followed by the next some seconds later.
    expect(bench.locator("[data-saved]")).to_contain_text("saved · revision 2", timeout=15_000)
    assert only_failure(item, ann)["codes"] == ["while logged out"]


def test_evidence_counts_code_points_of_the_block_as_the_source_spells_it(bench, item, ann):
    keys(bench, "m Escape")
    emoji = LINES.index("👨")
    units = len(LINES[:emoji].encode("utf-16-le")) // 2
    select(bench, 2, units, units + 7)
    keys(bench, "e")
    select(bench, 1, 0, 5, inside="[data-raw]")
    keys(bench, "e")
    saved(bench, 3)
    first, second = only_failure(item, ann)["evidence"]
    assert first == {"step": 2, "block": 0, "start": emoji, "end": emoji + 4, "text": "👨🏻‍🚒"}
    assert LINES[first["start"] : first["end"]] == first["text"]
    arguments = '{"quote": "a\\n\\u00e9 b", "n": 2}'
    assert arguments[second["start"] : second["end"]] == second["text"] == "a\\n\\u00e9 b"
    painted = bench.evaluate("[...CSS.highlights.get('evidence')].map(String)")
    assert painted == ["👨🏻‍🚒", "a\né b"]


def test_no_key_fires_while_typing_or_composing(bench, item, ann):
    keys(bench, "m")
    letters = "asdf jkl mcex 123 ?/uUgG"
    bench.keyboard.type(letters)
    expect(bench.locator("[data-code]")).to_have_value(letters)
    keys(bench, "Escape Escape Escape")
    saved(bench, 2)
    bench.evaluate(
        """() => document.activeElement.dispatchEvent(
             new KeyboardEvent('keydown', {key: 'm', isComposing: true, bubbles: true}))"""
    )
    keys(bench, "Control+m Alt+m")
    bench.wait_for_timeout(200)
    assert Annotation.objects.get(item=item, user=ann).revision == 2


def test_digits_count_by_what_they_type_not_where_they_lie(bench, item, ann):
    """On AZERTY a digit needs Shift, and its place has another letter."""
    keys(bench, "m Escape")
    bench.evaluate(
        """() => document.body.dispatchEvent(
             new KeyboardEvent('keydown', {key: '3', code: 'Quote', shiftKey: true, bubbles: true}))"""
    )
    saved(bench, 2)
    assert only_failure(item, ann)["category"] == "invalid_invocation"


def test_recovered_takes_the_step_and_its_agent_when_it_comes_later(bench, item, ann):
    keys(bench, "j m")
    new_code(bench, "slip")
    keys(bench, "j j j x")
    saved(bench, 3)
    failure = only_failure(item, ann)
    assert (failure["effect"], failure["recovered_at"], failure["recovered_by"]) == ("recovered", 4, "Assistant")


def test_the_question_before_submitting_follows_what_is_still_being_saved(bench):
    keys(bench, "m")
    new_code(bench, "too early")
    keys(bench, "0 Escape v c")
    saved(bench, 5)
    held = []
    bench.route("**/operations", lambda route: held.append(route))
    bench.keyboard.type("The rest follows from it.")
    keys(bench, "Control+Enter")
    dialog = bench.get_by_role("dialog", name="Submit this annotation?")
    expect(dialog).to_contain_text("Say why this failure is the critical one.")
    held[0].continue_()
    expect(dialog).not_to_contain_text("Say why this failure is the critical one.")


def test_a_code_that_is_only_near_what_was_typed_is_not_taken_by_enter(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "guesses the lamp")
    keys(bench, "0 Control+Enter j m")
    bench.keyboard.type("guesses prices")
    expect(bench.get_by_role("listbox", name="Codes").get_by_role("option")).to_have_count(2)
    keys(bench, "Enter")
    expect(bench.locator("[data-define-phrase]")).to_have_text("guesses prices")
    keys(bench, "Enter 0 Control+Enter j m")
    bench.keyboard.type("lamp gue")
    expect(bench.get_by_role("option", name="guesses the lamp", selected=True)).to_be_visible()
    keys(bench, "Enter Control+Enter")
    saved(bench, 8)
    codes = [each["codes"] for each in state(item, ann)["failures"].values()]
    assert sorted(codes) == [["guesses prices"], ["guesses the lamp"], ["guesses the lamp"]]


def test_what_was_submitted_shows_no_choice_but_the_one_that_was_saved(live_server, page, item, ann, log_in):
    annotate_and_submit(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    page.get_by_role("button", name="F1 at step 2: wrong call").click()
    page.get_by_text("More: cause, repeats").click()
    for label in ("Stands at", "Caused by", "Something was left out"):
        expect(page.get_by_label(label)).to_be_disabled()
    expect(page.get_by_role("button", name="Remove code")).to_be_hidden()
    keys(page, "v")
    expect(page.get_by_role("radio", name="I cannot tell")).to_be_disabled()
    expect(page.get_by_role("button", name="harmless")).to_be_disabled()


def test_a_closed_project_is_said_before_anything_is_typed(live_server, page, project, item, ann, log_in):
    hold(item, ann)
    type(project).objects.update(closed_at=timezone.now())
    log_in(ann)
    open_bench(page, live_server, item)
    expect(
        page.get_by_text("This project is closed; nothing can be changed until its lead opens it again.")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Mark step")).to_be_hidden()


def test_submitting_with_a_contradiction_is_turned_down_in_words(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "slip")
    keys(bench, "Escape v")
    bench.get_by_role("radio", name="No failure found").check()
    saved(bench, 3)
    expect(bench.locator("[data-warnings]")).to_contain_text("remove them")
    keys(bench, "Escape Control+Enter Enter")
    expect(bench.locator("#toasts")).to_contain_text("remove them")
    assert Annotation.objects.get(item=item, user=ann).state == "draft"


def test_an_insecure_context_works_without_randomuuid(live_server, page, item, ann, log_in):
    page.add_init_script("delete Crypto.prototype.randomUUID")
    hold(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    keys(page, "m")
    new_code(page, "by plain HTTP")
    saved(page, 2)


def test_coming_back_by_the_back_button_shows_what_was_saved_since(bench, live_server, item, ann):
    keys(bench, "m")
    new_code(bench, "seen here")
    keys(bench, "Escape")
    saved(bench, 2)
    bench.goto(live_server.url + "/")
    (key,) = state(item, ann)["failures"]
    do(item, ann, "change", {"failures": [key], "fields": {"category": "system_failure"}})
    bench.go_back()
    saved(bench, 3)


def test_a_long_run_keeps_the_page_small_and_jumps_anywhere(live_server, page, project, ann, log_in):
    steps = [make_step(n, ["User", "Coder", "Surfer"][n % 3], f"step {n} " + "words " * (n % 90)) for n in range(1000)]
    make_trajectory(project, "long", steps=steps)
    item = project.items.get()
    hold(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    keys(page, "g 7 3 2 Enter")
    expect(page.locator("#step-731[aria-current=step]")).to_be_in_viewport()
    page.wait_for_timeout(500)
    expect(page.locator("#step-731")).to_be_in_viewport(ratio=0.9)
    keys(page, "G")
    expect(page.locator("#step-999[aria-current=step]")).to_be_in_viewport()
    assert page.evaluate("document.querySelectorAll('*').length") < 5000
    keys(page, "/")
    page.keyboard.type("step 500 ")
    keys(page, "Enter")
    expect(page.locator("#step-500[aria-current=step]")).to_be_in_viewport()


def test_hostile_words_stay_words(live_server, page, project, ann, log_in, complaints):
    words = "</script><script>window.PWN=1</script><img src=x onerror=window.PWN=1><b hx-get=/logout/ hx-trigger=load>"
    make_trajectory(project, words[:40], steps=[make_step(0, words[:150], words), make_step(1, "‮evil", "abc‮gnp.exe")])
    item = project.items.get()
    hold(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    keys(page, "m")
    page.keyboard.insert_text(words)
    keys(page, "Control+Enter v")
    saved(page)
    expect(page.locator("#step-0 .wb-words")).to_have_text(words)
    assert page.evaluate("window.PWN") is None
    assert complaints == []


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 900), (720, 450)], ids=["wide", "telephone", "200 %"])
def test_the_page_is_accessible_in_both_themes(bench, item, ann, width, height):
    bench.set_viewport_size({"width": width, "height": height})
    keys(bench, "j m")
    new_code(bench, "slip")
    keys(bench, "2")
    saved(bench, 3)
    for theme in ("light", "dark"):
        bench.emulate_media(color_scheme=theme)
        for step in ("", "Control+Enter", "v", "i", "i ?", "Escape t"):
            keys(bench, step)
            bench.wait_for_timeout(150)
            found = Axe().run(bench)
            assert found.violations_count == 0, f"{theme} after {step}: {found.generate_report()}"
        keys(bench, "Escape f o")
    assert bench.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_telephone_the_step_being_marked_stays_in_sight(bench):
    bench.set_viewport_size({"width": 390, "height": 844})
    keys(bench, "j j j m")
    expect(bench.locator("#step-3")).to_be_in_viewport(ratio=0.9)
    tabs = bench.get_by_role("tablist", name="Phases").bounding_box()
    card = bench.locator("#step-3").bounding_box()
    assert card["y"] < tabs["y"]


def test_three_failures_with_known_codes_take_at_most_45_keys_beyond_the_reasons(bench, project, item, ann):
    make_trajectory(project, "other", steps=12)
    other = project.items.exclude(pk=item.pk).get()
    for number, phrase in enumerate(["guesses an id", "skips the question", "reads it wrongly"]):
        do(other, ann, "mark", {"failure": f"m{number}", "fields": {"first_step": 1, "codes": [phrase]}})
    pressed = 0

    def press(words):
        nonlocal pressed
        pressed += len(words.split())
        keys(bench, words)

    for step, letters, digit in [("4", "g u", "3"), ("7", "s k", "2"), ("1 0", "r e", "4")]:
        press(f"g {step} Enter m {letters}")
        expect(bench.get_by_role("listbox", name="Codes").get_by_role("option")).to_have_count(2)
        press("Enter")
        expect(bench.locator("[data-categories]")).to_be_focused()
        press(digit)
        bench.keyboard.type("because")
        press("Control+Enter")
    press("v p p c")
    bench.keyboard.type("the rest follows")
    press("Escape 4 Control+Enter Enter")
    expect(bench).not_to_have_url(re.compile(rf"/items/{item.pk}/"))
    assert pressed <= 45
    found = state(item, ann)
    assert {each["codes"][0]: each["effect"] for each in found["failures"].values()} == {
        "guesses an id": "persists",
        "skips the question": "persists",
        "reads it wrongly": "persists",
    }
    assert found["failures"][found["answers"]["critical"]]["first_step"] == 3
    assert Annotation.objects.get(item=item, user=ann).is_submitted
