"""The page of a case in Chromium: settled by keyboard, nothing lost, accessible in both themes."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.models import Case, Ruling
from tests.adjudication.worlds import RULED, disagree
from tests.factories import make_project, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(transactional_db):
    project = make_project("shop", runs=2, steps=40)
    first, second = project.items.order_by("pk")
    disagree(project, first, ann=12, ben=30, category="system_failure")
    disagree(project, second, ann=5, ben=None)
    return project


@pytest.fixture
def case(world):
    return Case.objects.order_by("opened_at", "pk").first()


@pytest.fixture
def at_case(live_server, page, case, log_in):
    log_in(make_user("ada"))
    page.goto(live_server.url + reverse("case", args=[case.pk]))
    return page


def drafts():
    return [draft for case in Case.objects.all() for draft in case.draft.values()]


def saved(page):
    page.get_by_text("✓ saved").wait_for()


def test_a_case_is_settled_by_a_handful_of_keys_beyond_the_rationale(at_case, complaints, case):
    keys = ["2", "w"]
    for key in keys:
        at_case.keyboard.press(key)
    at_case.keyboard.type("The date is what the answer states: 1, g and n are only letters here.")
    for key in ["Escape", "g", "Control+Enter"]:
        at_case.keyboard.press(key)
    at_case.get_by_text("Ruled: run").wait_for()
    ruling = Ruling.objects.get()
    assert (ruling.case, ruling.outcome, ruling.cause) == (case, "critical", "guideline_unclear")
    assert ruling.rationale.endswith("only letters here.")
    assert len(ruling.failures) == 1
    assert Case.objects.exclude(pk=case.pk).get().held_by.username == "ada"  # the next one, taken already
    assert complaints == []


def test_another_is_settled_by_writing_a_mark_that_neither_had(at_case, complaints, case):
    at_case.keyboard.press("3")
    at_case.keyboard.type("21")
    saved(at_case)
    at_case.keyboard.press("Escape")
    at_case.keyboard.press("m")
    at_case.get_by_label("Step", exact=True).fill("21")
    at_case.get_by_label("What, in a short phrase").fill("stops too early")
    at_case.get_by_label("Category", exact=True).select_option("system_failure")
    at_case.get_by_label("Why it is a failure").fill("No answer is given.")
    at_case.get_by_label("Why w").fill("Neither saw it.")
    at_case.keyboard.press("Escape")
    at_case.keyboard.press("t")
    at_case.keyboard.press("Control+Enter")
    at_case.get_by_text("Ruled: run").wait_for()
    (failure,) = Ruling.objects.get().failures
    assert (failure["first_step"], failure["codes"], failure["from"]) == (20, ["stops too early"], [])
    assert complaints == []


def test_what_is_written_is_kept_over_a_reload(at_case, case):
    at_case.get_by_label("Why w").fill("Half a thou")
    saved(at_case)
    at_case.reload()
    assert at_case.get_by_label("Why w").input_value() == "Half a thou"
    assert at_case.get_by_text("held for you until").is_visible()


def test_what_is_written_while_the_server_is_away_comes_back(at_case, case):
    at_case.context.set_offline(True)
    at_case.get_by_label("Why w").fill("Written in a tunnel")
    at_case.get_by_text("offline: kept in this browser").wait_for()
    at_case.context.set_offline(False)
    at_case.reload()
    expect(at_case.locator("#rationale")).to_have_value("Written in a tunnel")
    assert drafts()[0]["rationale"] == ["Written in a tunnel"]


def test_a_refusal_keeps_the_text_and_says_what_is_missing(at_case):
    at_case.get_by_label("Why w").fill("My reason")
    at_case.keyboard.press("Control+Enter")
    at_case.get_by_role("alert").wait_for()
    assert "choose why they differed" in at_case.get_by_role("alert").inner_text()
    assert at_case.get_by_label("Why w").input_value() == "My reason"


def test_no_failure_lets_go_of_the_marks_and_another_answer_brings_them_back(at_case):
    box = at_case.locator("input[name=keep]").first
    box.check()
    at_case.get_by_label("No failure found").check()
    assert not box.is_checked()
    assert at_case.get_by_text("0 of 2 kept").is_visible()
    at_case.get_by_label("Cannot tell from the run").check()
    assert box.is_checked()


def test_a_stretch_opens_in_place(at_case, complaints):
    at_case.get_by_text("steps 1–12 · no marks").click()
    at_case.get_by_label("Step 7").wait_for()
    assert at_case.get_by_label("Step 7").inner_text().count("step 6 says something") == 1
    at_case.get_by_text("read step 13").click()
    at_case.get_by_text("step 12 says something").first.wait_for()
    assert complaints == []


def test_the_page_works_without_javascript(live_server, browser, world, case):
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(make_user("ada"))
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": client.cookies[settings.SESSION_COOKIE_NAME].value}
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([{**cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + reverse("case", args=[case.pk]))
    page.locator("input[name=choice]").first.check()
    page.get_by_label("Why w").fill("Plain")
    page.get_by_label("slip").check()
    page.get_by_role("button", name="Rule and next").click()
    assert Ruling.objects.get().rationale == "Plain"
    context.close()


@pytest.mark.parametrize("state", ["queue", "fresh", "refused", "ruled", "again", "superseded", "to read"])
def test_the_pages_are_accessible_in_both_themes_and_fit_a_telephone(live_server, page, world, case, log_in, state):
    from adjudication.actions import rule, rule_again

    ada = make_user("ada")
    if state in ("ruled", "again", "superseded"):
        rule(case=case, by=ada, **RULED)
    if state in ("again", "superseded"):
        again = rule_again(case=Case.objects.get(pk=case.pk), by=ada, why="I pressed the wrong key.")
    if state == "again":
        case = again
    if state == "superseded":
        rule(case=again, by=ada, **RULED)
    log_in(make_user("mia" if state == "to read" else "ada"))
    path = "/projects/shop/cases/" if state == "queue" else reverse("case", args=[case.pk])
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(live_server.url + path)
        if state == "refused":
            page.locator("#rationale").press("Control+Enter")
            page.get_by_role("alert").wait_for()
        found = Axe().run(page)
        assert found.violations_count == 0, f"{theme}: {json.dumps(found.response['violations'], indent=1)[:3000]}"
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_ruling_is_made_again_by_keyboard(at_case, complaints, case, live_server):
    for key in ["2", "w"]:
        at_case.keyboard.press(key)
    at_case.keyboard.type("It begins here.")
    for key in ["Escape", "g", "Control+Enter"]:
        at_case.keyboard.press(key)
    at_case.get_by_text("Ruled: run").wait_for()
    first = Ruling.objects.get()

    at_case.wait_for_load_state()
    at_case.goto(live_server.url + reverse("case", args=[case.pk]))
    at_case.get_by_label("Why you rule again").focus()
    at_case.keyboard.type("n, w and 1 are only letters here: the wrong key.")
    at_case.keyboard.press("Tab")
    at_case.keyboard.press("Enter")
    at_case.get_by_text("being ruled again").wait_for()
    at_case.wait_for_load_state()
    assert at_case.get_by_label("Why w").input_value() == "It begins here."
    assert at_case.locator("[name=cause]:checked").input_value() == "guideline_unclear"
    assert at_case.locator("[name=choice]:checked").get_attribute("data-key") == "2"
    at_case.keyboard.press("1")
    at_case.keyboard.press("Control+Enter")
    at_case.get_by_text("Ruled: run").wait_for()

    second = Ruling.objects.exclude(pk=first.pk).get()
    assert (second.case.revises, second.rationale, second.cause) == (first, first.rationale, first.cause)
    assert [len(each.failures) for each in (first, second)] == [1, 1]
    assert second.failures[0]["first_step"] != first.failures[0]["first_step"]
    assert complaints == []


def test_reject_all_lets_go_of_the_chosen_mark_too_and_undo_brings_it_back(at_case):
    at_case.keyboard.press("Shift+A")
    expect(at_case.get_by_text("1 of 2 kept")).to_be_visible()
    at_case.keyboard.press("Shift+X")
    expect(at_case.get_by_text("0 of 2 kept")).to_be_visible()
    expect(at_case.locator("[name=choice]:checked")).to_have_count(0)
    at_case.keyboard.press("u")
    expect(at_case.get_by_text("1 of 2 kept")).to_be_visible()


def opened_stretch(page):
    """The first stretch without marks, opened, with what its steps say."""
    stretch = page.locator("#marks .aligned__stretch").first
    stretch.locator("summary").click()
    stretch.locator("article").first.wait_for()
    return stretch


def test_ruling_leads_to_the_next_case_whose_steps_are_there_without_asking(at_case, complaints, case):
    following = Case.objects.exclude(pk=case.pk).get()
    asked = []
    at_case.on("request", lambda request: asked.append(request.url))
    at_case.locator("[data-looked-ahead]").wait_for()
    following.refresh_from_db()
    assert following.held_by is None  # looking ahead claims nothing
    for key in ["2", "w"]:
        at_case.keyboard.press(key)
    at_case.keyboard.type("The date is what the answer states.")
    for key in ["Escape", "g", "Control+Enter"]:
        at_case.keyboard.press(key)
    at_case.wait_for_url(f"**{reverse('case', args=[following.pk])}")
    opened = opened_stretch(at_case)
    expect(opened.locator("article").first).to_contain_text("step 0 says something")
    assert [url for url in asked if "/steps" in url] == []
    assert complaints == []


def test_steps_that_were_not_looked_ahead_for_are_asked_for(at_case, complaints):
    with at_case.expect_response(lambda response: "/steps" in response.url):
        opened_stretch(at_case)
    assert complaints == []
