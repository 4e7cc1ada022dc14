"""The codebook in Chromium: by hand, by keyboard, accessible in both themes, no wider than a telephone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from taxonomy.actions import coin, propose
from taxonomy.codebook import code_node
from taxonomy.models import Code, CodeEvent
from taxonomy.queries import board_of
from tests.factories import annotate_and_submit, make_project, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = (
    ("mia", "codebook"),
    ("ann", "codebook"),
    ("mia", "codebook_history"),
    ("mia", "codebook_proposals"),
    ("mia", "codebook_versions"),
    ("mia", "codebook_recode"),
    ("mia", "codebook_statistics"),
    ("mia", "codebook_print"),
    ("mia", "codebook_card"),
    ("mia", "codebook_split"),
)


@pytest.fixture
def shop(transactional_db):
    project = make_project(runs=3)
    words = ("asks twice", "guesses an id", "gives up " + "early " * 20)
    for item, code in zip(project.items.order_by("pk"), words, strict=True):
        annotate_and_submit(item, make_user("ann"), codes=[code], step_reason="an_unbroken_word_" * 20)
    cards = [code_node(pk) for pk in Code.objects.order_by("pk").values_list("pk", flat=True)]
    payload = {"nodes": cards, "name": "slips", "definition": "Something was overlooked."}
    propose(taxonomy=project.taxonomy, op="group", payload=payload, reason="all overlook", by=make_user("mia"))
    return project


def node(project, phrase):
    return code_node(Code.objects.get(taxonomy=project.taxonomy, phrase=phrase).pk)


def test_dragging_merges_and_moves_and_says_so(live_server, page, shop, log_in, complaints):
    log_in(make_user("mia"))
    asks, guesses = node(shop, "asks twice"), node(shop, "guesses an id")
    page.goto(live_server.url + reverse("codebook", args=["shop"]))
    page.locator(f"[data-card={guesses}]").drag_to(page.locator(f"[data-card={asks}]"))
    expect(page.locator(".message")).to_contain_text("Merged.")
    page.locator(f"[data-card={asks}]").drag_to(page.locator("[data-card=invalid_invocation]"))
    expect(page.locator(".message")).to_contain_text("Moved.")
    board = board_of(shop.taxonomy)
    assert (board.nodes[guesses].to, board.nodes[asks].parent) == ((asks,), "invalid_invocation")
    assert complaints == []


def test_a_group_is_made_and_undone_by_keys_alone(live_server, page, shop, log_in, complaints):
    log_in(make_user("mia"))
    page.goto(live_server.url + reverse("codebook", args=["shop"]))
    for key in ("j", "x", "j", "x", "g"):
        page.keyboard.press(key)
    expect(page.locator("[data-name]")).to_be_focused()  # a group needs a name first
    page.keyboard.type("slips")
    page.keyboard.press("Enter")
    expect(page.locator(".message")).to_contain_text("Grouped.")
    assert CodeEvent.objects.get(op="group").payload["name"] == "slips"
    page.keyboard.press("u")
    expect(page.locator(".message")).to_contain_text("Undid act")
    assert page.url.endswith(reverse("codebook", args=["shop"]))
    assert not list(board_of(shop.taxonomy).living("group"))
    assert complaints == []


def test_enter_on_the_board_does_nothing_that_nobody_chose(live_server, page, shop, log_in):
    log_in(make_user("mia"))
    page.goto(live_server.url + reverse("codebook", args=["shop"]))
    for key in ("j", "x"):
        page.keyboard.press(key)
    page.fill("[data-name]", "slips")
    page.press("[data-name]", "Enter")
    page.fill("[name=reason]", "they slip")
    page.press("[name=reason]", "Enter")
    page.press("[data-find]", "Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("[data-chosen]")).to_have_text("0")
    assert not CodeEvent.objects.filter(op="group").exists()


def test_what_is_found_is_chosen_and_dragged_together(live_server, page, shop, log_in, complaints):
    log_in(make_user("mia"))
    asks, guesses = node(shop, "asks twice"), node(shop, "guesses an id")
    page.goto(live_server.url + reverse("codebook", args=["shop"]))
    page.fill("[data-find]", "es")
    page.click("[data-choose-found]")
    expect(page.locator("[data-chosen-names]")).to_have_text("gives up " + "early " * 20 + "· guesses an id")
    page.locator(f"[data-card={asks}]").wait_for(state="hidden")
    page.locator(f"[data-card={guesses}]").drag_to(page.locator("[data-card=invalid_invocation]"))
    expect(page.locator(".message")).to_contain_text("Moved.")
    expect(page.locator("[data-find]")).to_have_value("es")  # it stays for the next act
    inside = {child.name for child in board_of(shop.taxonomy).children("invalid_invocation")}
    assert inside == {"guesses an id", "gives up " + ("early " * 20).strip()}
    assert complaints == []


def test_an_act_leaves_the_board_where_it_was(live_server, page, shop, log_in):
    for n in range(60):
        coin(taxonomy=shop.taxonomy, phrase=f"slip {n:02}", definition="", by=make_user("mia"))
    log_in(make_user("mia"))
    page.goto(live_server.url + reverse("codebook", args=["shop"]))
    box = page.locator(f"#card-{node(shop, 'slip 40')}")
    box.focus()
    page.keyboard.press("x")
    expect(box).to_be_checked()
    before = page.evaluate("document.querySelector('[data-drop]').scrollTop")
    page.keyboard.press("t")
    expect(page.locator(".message")).to_contain_text("Retired.")
    assert before > 0
    assert page.evaluate("document.querySelector('[data-drop]').scrollTop") == before
    assert page.evaluate("document.activeElement.name") == "nodes"
    expect(page.locator(f"#card-{node(shop, 'slip 41')}")).to_be_focused()
    expect(page.locator("[data-card=instruction_plan_adherence]")).to_be_in_viewport()


@pytest.mark.parametrize(("who", "name"), PAGES)
def test_page_is_accessible_in_both_themes_and_fits_a_telephone(live_server, page, shop, log_in, complaints, who, name):
    log_in(make_user(who))
    more = ["invalid_invocation"] if name in ("codebook_card", "codebook_split") else []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.goto(live_server.url + reverse(name, args=["shop", *more]))
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []
