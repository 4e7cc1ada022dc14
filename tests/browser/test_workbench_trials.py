"""The workbench under what has broken other tools: two tabs, late suggestions, composed input, plain HTTP, long runs."""

import json
import re
from base64 import b64encode

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.actions import import_traces
from annotate.models import Annotation, ItemMemo, Project
from people.actions import system_user
from suggestions.models import Judgement
from tests.annotate.test_run_views import picture_step
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
from tests.factories import do, hold, make_step, make_trajectory
from tests.shared_data import shared

# ruff: noqa: F811  (arguments named like the fixtures they ask for)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PIXEL = b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
    )
).decode()


def test_a_run_of_130_steps_takes_at_most_45_keys_beyond_the_reasons(
    live_server, page, project, ann, log_in, complaints
):
    """By keyboard alone: three failures with codes that exist, the critical one, and the submission."""
    import_traces(project=project, paths=[shared("whowhen/Hand-Crafted/46.json")], by=system_user())
    run = project.items.get()
    assert run.trajectory.n_steps == 130
    make_trajectory(project, "earlier", steps=12)
    earlier = project.items.exclude(pk=run.pk).get()
    for number, phrase in enumerate(["guesses an id", "skips the question", "reads it wrongly"]):
        do(earlier, ann, "mark", {"failure": f"m{number}", "fields": {"first_step": 1, "codes": [phrase]}})
    hold(run, ann)
    log_in(ann)
    open_bench(page, live_server, run)
    pressed = 0

    def press(words):
        nonlocal pressed
        pressed += len(words.split())
        keys(page, words)

    for number, letters, digit in [("4", "g u", "3"), ("3 7", "s k", "2"), ("1 1 2", "r e", "4")]:
        press(f"g {number} Enter m {letters}")
        expect(page.get_by_role("listbox", name="Codes").get_by_role("option")).to_have_count(2)
        press("Enter")
        expect(page.locator("[data-categories]")).to_be_focused()
        press(digit)
        page.keyboard.type("because the page said otherwise")
        press("Control+Enter")
    press("v p p c")
    page.keyboard.type("the rest follows")
    press("Escape 4 Control+Enter Enter")
    expect(page).not_to_have_url(re.compile(rf"/items/{run.pk}/"))
    assert pressed <= 45
    found = state(run, ann)
    assert sorted(each["first_step"] for each in found["failures"].values()) == [4, 37, 112]
    assert found["failures"][found["answers"]["critical"]]["first_step"] == 4
    assert Annotation.objects.get(item=run, user=ann).is_submitted
    assert [each for each in complaints if "Failed to load resource" not in each] == []


def test_two_tabs_end_with_what_both_wrote(bench, live_server, item, ann):
    other = bench.context.new_page()
    open_bench(other, live_server, item)
    keys(other, "m")
    new_code(other, "guesses the lamp")
    keys(other, "Escape Escape")
    saved(other, 2)
    saved(bench, 2)  # this tab has heard of it
    bench.bring_to_front()
    keys(bench, "j j m")
    new_code(bench, "answers too early")
    saved(bench, 4)
    codes = {each["first_step"]: each["codes"] for each in state(item, ann)["failures"].values()}
    assert codes == {0: ["guesses the lamp"], 2: ["answers too early"]}
    other.close()


def test_a_late_save_of_another_tab_does_not_revive_the_last_mark(bench, live_server, item, ann):
    keys(bench, "m")
    new_code(bench, "only one")
    keys(bench, "Escape")
    saved(bench, 2)
    other = bench.context.new_page()
    open_bench(other, live_server, item)
    operations = f"**{reverse('operations', args=[item.pk])}"
    other.route(operations, lambda route: route.abort())
    keys(other, "o w")
    other.keyboard.type("typed while offline")
    expect(other.locator("[data-saved]")).to_contain_text("offline – 1 waiting")
    keys(bench, "o")
    bench.get_by_role("button", name="Delete").click()
    saved(bench, 3)
    other.unroute(operations)
    other.evaluate("dispatchEvent(new Event('online'))")
    other.get_by_role("button", name="Keep what is here").click()
    refused = other.get_by_role("dialog", name="The server turned a change down")
    expect(refused.get_by_label("What was to be saved")).to_have_value(re.compile("typed while offline"))
    assert state(item, ann)["failures"] == {}
    other.close()


@pytest.mark.parametrize("rule", ["never", "always"])
def test_a_late_suggestion_leaves_human_work_as_it_is(bench, live_server, item, ann, rule):
    Project.objects.update(reveal=rule)
    keys(bench, "j j m")
    new_code(bench, "what Ann saw")
    bench.keyboard.press("1")
    bench.keyboard.type("Her own words.")
    keys(bench, "Escape")
    saved(bench, 4)
    before = state(item, ann)
    Judgement.objects.create(
        trajectory=item.trajectory,
        source="made",
        model="late-model",
        protocol="all_at_once",
        critical_step=1,
        ranking=[1],
    )
    bench.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    keys(bench, "w End")
    bench.keyboard.type(" And more.")
    keys(bench, "Escape")
    saved(bench, 5)
    bench.reload()
    expect(bench.get_by_role("button", name="F1 at step 3")).to_be_visible()
    (key,) = before["failures"]
    before["failures"][key]["step_reason"] = "Her own words. And more."
    assert state(item, ann) == before
    assert rule == "always" or "late-model" not in bench.content()


def test_composing_fires_nothing_and_takes_no_half_word(bench, item, ann):
    """An input method: Enter ends the composition, and only the next Enter takes the code."""
    protocol = bench.context.new_cdp_session(bench)
    keys(bench, "m")
    protocol.send("Input.imeSetComposition", {"text": "すいそく", "selectionStart": 4, "selectionEnd": 4})
    bench.evaluate(
        """() => document.activeElement.dispatchEvent(
             new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))"""
    )
    expect(bench.locator("[data-define]")).to_be_hidden()
    protocol.send("Input.insertText", {"text": "推測"})
    expect(bench.locator("[data-code]")).to_have_value("推測")
    keys(bench, "Shift+Enter")
    expect(bench.locator("[data-definition]")).to_be_focused()
    keys(bench, "Enter")
    keys(bench, "Escape")
    saved(bench, 2)
    assert only_failure(item, ann)["codes"] == ["推測"]


def test_a_name_that_is_no_secure_context(live_server, page, item, ann, complaints):
    from django.conf import settings
    from django.test import Client

    hold(item, ann)
    client = Client()
    client.force_login(ann)
    address = live_server.url.replace("localhost", "assay.test").replace("127.0.0.1", "assay.test")
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": address}])
    page.goto(address + reverse("workbench", args=[item.pk]))
    expect(page.locator("#step-0[aria-current=step]")).to_be_visible()
    assert page.evaluate("[isSecureContext, typeof crypto.randomUUID]") == [False, "undefined"]
    keys(page, "m")
    new_code(page, "by plain HTTP")
    keys(page, "Escape t")
    page.keyboard.type("noted by plain HTTP")
    keys(page, "Control+Enter")
    expect(page.get_by_role("dialog", name="A word beside the run")).to_contain_text("Noted.")
    keys(page, "Escape")
    saved(page, 2)
    assert only_failure(item, ann)["codes"] == ["by plain HTTP"]
    unheard = ("Cross-Origin-Opener-Policy", "Failed to load resource")  # the browser's own word on plain HTTP
    assert [each for each in complaints if not any(words in each for words in unheard)] == []


def test_evidence_in_text_of_two_directions_counts_code_points(live_server, page, project, ann, log_in):
    words = "يقول user ‮abc‬ 👩‍👩‍👧‍👦 e\u0301 שלום"
    make_trajectory(project, "both", steps=[make_step(0, "User", words)])
    both = project.items.get(trajectory__external_id="both")
    hold(both, ann)
    log_in(ann)
    open_bench(page, live_server, both)
    keys(page, "m Escape")
    start = words.index("👩")
    units = len(words[:start].encode("utf-16-le")) // 2
    select(page, 0, units, units + len("👩‍👩‍👧‍👦 e\u0301".encode("utf-16-le")) // 2)
    keys(page, "e")
    saved(page, 2)
    (span,) = only_failure(both, ann)["evidence"]
    assert words[span["start"] : span["end"]] == span["text"] == "👩‍👩‍👧‍👦 e\u0301"


def test_a_memo_survives_a_closed_tab_and_is_saved_once(bench, live_server, item, ann):
    keys(bench, "j t")
    bench.keyboard.type("half a thought")
    bench.reload()
    keys(bench, "t")
    expect(bench.locator("[data-memo-text]")).to_have_value("half a thought")
    bench.get_by_role("radio", name="the guideline does not say").check()
    dialog = bench.get_by_role("dialog", name="A word beside the run")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Sent to the lead.")
    expect(dialog.get_by_role("list", name="Your words on this run")).to_contain_text("half a thought")
    memo = ItemMemo.objects.get()
    assert (memo.kind, memo.step, memo.text) == ("guideline", 1, "half a thought")


def test_a_half_typed_code_outlives_the_tab(bench, live_server, item, ann):
    keys(bench, "m")
    bench.keyboard.type("half a co")
    saved(bench, 1)
    bench.reload()
    keys(bench, "o")
    expect(bench.locator("[data-code]")).to_have_value("half a co")


def leave_field(page):
    page.evaluate("document.activeElement.blur()")


def test_the_last_mark_is_copied_with_one_key(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "slip")
    bench.keyboard.press("2")
    bench.keyboard.type("As before.")
    keys(bench, "Control+Enter j j m")
    leave_field(bench)
    keys(bench, "y")
    saved(bench, 6)
    first, second = sorted(state(item, ann)["failures"].values(), key=lambda each: each["number"])
    copied = ("codes", "category", "step_reason")
    assert [second[name] for name in copied] == [first[name] for name in copied]
    assert second["first_step"] == 2


def test_a_cause_is_drawn_on_the_map(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "cause")
    keys(bench, "Control+Enter G m")
    new_code(bench, "effect")
    bench.locator("[data-more] summary").click()
    bench.locator("#wb-cause").select_option(index=1)
    expect(bench.locator(".wb-link-arc")).to_have_count(1)
    expect(bench.locator(".wb-link-arc title")).to_have_text("F1 caused F2")


MARKDOWN = "# Title\n\n- one **bold**\n- two\n\n![x](https://elsewhere.example/x.png) <img src=x onerror=alert(1)>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


READ = """async (text) => {
    const { rendered } = await import("/static/js/workbench/markdown.js");
    const started = performance.now();
    rendered(text);
    return performance.now() - started;
}"""


def test_markdown_whose_marks_never_end_keeps_no_page_busy(live_server, page, project, ann, log_in):
    make_trajectory(project, "any")
    item = project.items.get(trajectory__external_id="any")
    hold(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    for unit in ("[a](", "*a ", "[", "` "):
        assert page.evaluate(READ, unit * 3400) < 1000  # milliseconds


def test_markdown_on_request_fetches_nothing_and_gives_the_words_back(
    live_server, page, project, ann, log_in, complaints
):
    picture = json.dumps({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}})
    make_trajectory(project, "rich", steps=[make_step(0, "User", MARKDOWN), picture_step(picture)])
    rich = project.items.get(trajectory__external_id="rich")
    hold(rich, ann)
    log_in(ann)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    open_bench(page, live_server, rich)
    page.get_by_role("button", name="as Markdown").click()
    card = page.locator("#step-0")
    expect(card.locator("strong", has_text="bold")).to_be_visible()
    expect(card.locator("table td").first).to_have_text("1")
    assert card.locator("img, script, [href^=http]").count() == 0
    page.get_by_role("button", name="as it came").click()
    expect(card.locator("[data-text]")).to_have_text(MARKDOWN)
    page.locator("#step-1 img").scroll_into_view_if_needed()
    expect(page.locator("#step-1 img")).to_have_js_property("naturalWidth", 1)
    assert [url for url in asked if not url.startswith((live_server.url, "data:,"))] == []
    assert complaints == []


def test_an_address_leads_to_a_block(live_server, page, project, ann, log_in):
    from traces.formats.drafts import Block, StepDraft

    long = tuple(Block("text", f"block {n}\n" + "word\n" * 60, "Assistant", {}) for n in range(5))
    steps = [make_step(n) for n in range(30)]
    steps[25] = StepDraft(None, None, "assistant", "Assistant", long)
    make_trajectory(project, "deep", steps=steps)
    deep = project.items.get(trajectory__external_id="deep")
    hold(deep, ann)
    log_in(ann)
    page.goto(live_server.url + reverse("workbench", args=[deep.pk]) + "#step-25-block-3")
    expect(page.locator("#step-25-block-3")).to_be_in_viewport()


def test_the_focus_is_seen_wherever_it_goes(bench, item, ann):
    keys(bench, "m")
    new_code(bench, "slip")
    keys(bench, "Escape Escape")
    bench.evaluate("document.activeElement.blur()")
    unseen, met = [], set()
    for _ in range(70):
        bench.keyboard.press("Tab")
        name, is_seen = bench.evaluate(
            """() => {
              const element = document.activeElement;
              const style = getComputedStyle(element);
              const marks = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
              return [element.outerHTML.slice(0, 90), element === document.body || marks || style.boxShadow !== 'none'];
            }"""
        )
        met.add(name)
        if not is_seen:
            unseen.append(name)
    assert unseen == []
    assert len(met) > 20


def test_time_is_told_by_phase_and_step(bench, item, ann):
    sent = []
    bench.route("**/heartbeat", lambda route: (sent.append(route.request.post_data_json), route.continue_()))
    bench.clock.install()
    bench.reload()
    expect(bench.locator("#step-0[aria-current=step]")).to_be_visible()
    keys(bench, "j j")
    for _ in range(7):
        keys(bench, "k j")
        bench.clock.run_for(5_000)
    bench.wait_for_timeout(500)
    told = {tuple(part[:2]) for body in sent for part in body["spent"]}
    assert (1, 2) in told and {phase for phase, _ in told} == {1}


def test_an_answer_older_than_a_save_does_not_take_the_page_back(bench, live_server, item, ann):
    """The state is asked for, then something is saved, then the state arrives as it was before."""
    old = bench.evaluate("url => fetch(url).then(answer => answer.text())", reverse("item_state", args=[item.pk]))
    asked = []
    bench.route("**/state", lambda route: asked.append(route))
    bench.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    keys(bench, "m")
    new_code(bench, "made meanwhile")
    saved(bench, 2)
    for route in asked:
        route.fulfill(body=old, content_type="application/json")
    bench.unroute("**/state")
    keys(bench, "Escape")
    expect(bench.get_by_text("made meanwhile").first).to_be_visible()
    saved(bench, 2)
    assert len(asked) == 1
