"""The pages on which suggestions are measured, set and opened: accessible in both themes, no wider than a telephone."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.actions import route
from adjudication.actions.scoring import declare_contrast
from annotate.actions import show_suggestions
from annotate.models import Item, Project
from jobs.actions import run
from suggestions.llm.actions import ASK_MODEL, ESTIMATE, ask_model
from suggestions.models import Constraint, Judgement, Violation
from tests.adjudication.worlds import disagree
from tests.factories import annotate_and_submit, hold, make_project, make_user, only_item
from tests.suggestions.llm.conftest import connect, plan, servers_of_models  # noqa: F401
from tests.suggestions.llm.server import Reply, in_turn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "model-with-a-rather-long-name"
NAME = "A shop with a name that is longer than a telephone"


@pytest.fixture
def is_accessible(page, complaints):
    """Asserts it of what is at this address, after `act` if that is given."""

    def check(url: str, act=lambda: None):
        for theme in ("light", "dark"):
            page.set_viewport_size({"width": 1440, "height": 900})
            page.emulate_media(color_scheme=theme)
            page.goto(url)
            act()
            found = Axe().run(page)
            assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert complaints == []

    return check


def say(item, step: int) -> None:
    """Two models and a constraint on an item."""
    for model in (LONG, "m-2"):
        Judgement.objects.create(
            trajectory=item.trajectory,
            source="made",
            model=model,
            protocol="all_at_once",
            critical_step=step,
            reason="The lamp was never exchanged. " * 9,
            category="Invalid Invocation",
            participant="Assistant",
        )
    rule, _ = Constraint.objects.get_or_create(
        digest="d",
        defaults={"name": "repeated_action", "check_type": "log", "taxonomy_targets": ["Invalid Invocation"]},
    )
    text = {"text": "repeats step 1 " * 20}
    Violation.objects.create(trajectory=item.trajectory, constraint=rule, step=step, evidence=text, source="builtin")


@pytest.fixture
def judged(transactional_db):
    """Ann and Ben agree on two runs, on one of them with what models say in sight; two models to compare."""
    project = make_project("shop", runs=2, reveal="randomised", name=NAME)
    for number, item in enumerate(
        Item.objects.select_related("project__taxonomy_version", "trajectory").order_by("pk")
    ):
        say(item, number)
        for name in ("ann", "ben"):
            hold(item, make_user(name))
            if number:
                show_suggestions(item=item, user=make_user(name))
            annotate_and_submit(item, make_user(name))
    route(project)
    return project


@pytest.mark.parametrize("who", ["mia", "vic"])
def test_the_scoreboard_before_anything_is_scored(live_server, page, judged, log_in, is_accessible, who):
    log_in(make_user(who))
    is_accessible(live_server.url + reverse("scoreboard", args=["shop"]))
    expect(page.get_by_role("heading", name="Nothing has been scored yet")).to_be_visible()
    expect(page.get_by_role("button", name="Score against gold")).to_have_count(int(who == "mia"))


def test_the_scoreboard_is_scored_by_a_button(live_server, page, judged, log_in, is_accessible):
    declare_contrast(project=judged, a=f"made/{LONG}/all_at_once", b="made/m-2/all_at_once", by=make_user("mia"))
    log_in(make_user("mia"))
    page.goto(live_server.url + reverse("scoreboard", args=["shop"]))
    page.get_by_role("button", name="Score against gold").click()
    expect(page.get_by_role("heading", name="Sources against gold")).to_be_visible()
    is_accessible(page.url)
    for region in ("Sources, table", "Declared contrasts, table", "Violations, table"):
        expect(page.get_by_role("region", name=region)).to_be_visible()


def test_the_scoreboard_of_an_empty_project(live_server, page, log_in, is_accessible):
    make_project("shop")
    log_in(make_user("mia"))
    is_accessible(live_server.url + reverse("scoreboard", args=["shop"]))
    expect(page.get_by_text("No model has judged these runs")).to_be_visible()


def test_the_arms(live_server, page, judged, log_in, is_accessible, monkeypatch):
    monkeypatch.setattr("adjudication.arm_turns.is_drawn", lambda item, user_id: item.pk % 2 == 0)
    log_in(make_user("mia"))
    is_accessible(live_server.url + reverse("arms", args=["shop"]))
    expect(page.get_by_role("region", name="Arms, table")).to_be_visible()


@pytest.mark.parametrize("begun", [True, False])
def test_the_page_on_which_the_rule_is_set(live_server, page, log_in, is_accessible, begun):
    project = make_project("shop", reveal="randomised", name=NAME)
    if begun:
        hold(only_item(project), make_user("ann"))
    log_in(make_user("mia"))
    is_accessible(live_server.url + reverse("reveal", args=["shop"]))
    expect(page.get_by_role("button", name="Save")).to_have_count(int(not begun))
    if not begun:
        page.get_by_label("Always").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Saved. The rule holds from now on.")).to_be_visible()
        assert Project.objects.get().reveal == "always"


def test_a_case_with_its_suggestions_opened(live_server, page, log_in, is_accessible):
    case = disagree(make_project("shop", steps=6, name=NAME))
    say(case.item, 1)
    log_in(make_user("ada"))
    address = live_server.url + reverse("case", args=[case.pk])
    page.goto(address)
    page.get_by_role("button", name="Open suggestions").click()
    is_accessible(address, act=lambda: expect(page.locator("#suggestions li")).to_have_count(3))


def test_the_models_page_after_a_failure(live_server, page, log_in, is_accessible, connect, plan):  # noqa: F811
    project = make_project("shop", runs=2, name=NAME)
    server = connect(in_turn(Reply(status=400)), cap=2)
    wanted = plan("all_at_once")
    for kind in (ESTIMATE, ASK_MODEL):
        told = {"dataset": project.dataset, "plan": wanted, "version": project.taxonomy_version}
        assert run(ask_model(kind=kind, **told).pk).state == "done"
    assert len(server.requests) == 2
    log_in(make_user("mia"))
    is_accessible(live_server.url + reverse("spend", args=["shop"]))
    expect(page.get_by_text("2 runs got no answer")).to_be_visible()
    expect(page.get_by_role("heading", name="Last estimate")).to_be_visible()
