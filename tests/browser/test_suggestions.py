"""Suggestions in the workbench: asked for after phase 1, taken over as a mark, dismissed with a reason."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.actions import route
from adjudication.actions.scoring import declare_contrast, score_suggestions
from annotate.actions import show_suggestions
from annotate.models import Failure, Item, Project, SuggestionEvent
from suggestions.models import Constraint, Judgement, Violation
from tests.browser.test_workbench import at_rest  # noqa: F401
from tests.factories import annotate_and_submit, hold, make_project, make_user, only_item

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOSTILE = "<img src=x onerror=alert(1)> repeats step 1"


@pytest.fixture
def item(transactional_db):
    item = only_item(make_project(steps=6))
    constraint = Constraint.objects.create(
        name="repeated_action", kind="TEMPORAL", check_type="log", taxonomy_targets=["Invalid Invocation"], digest="d"
    )
    about = {"trajectory": item.trajectory, "constraint": constraint, "source": "builtin"}
    Violation.objects.create(step=2, evidence={"text": HOSTILE}, **about)
    Violation.objects.create(step=3, evidence={"text": "repeats step 2"}, **about)
    Judgement.objects.create(
        trajectory=item.trajectory, source="made", model="m-1", protocol="all_at_once", critical_step=1
    )
    return item


def test_asked_for_taken_over_and_dismissed(live_server, page, item, log_in, complaints):
    ann = make_user("ann")
    Project.objects.update(reveal="after_phase_1")
    hold(item, ann)
    log_in(ann)
    page.goto(live_server.url + reverse("workbench", args=[item.pk]))
    page.keyboard.press("v")
    page.get_by_role("button", name="Show suggestions").click()
    page.keyboard.press("f")
    expect(page.get_by_role("heading", name="Suggestions · 3")).to_be_visible()

    at_2 = page.locator('[data-step="2"] [data-suggestion]')
    expect(at_2).to_contain_text(HOSTILE)
    at_2.get_by_role("button", name="Take over as a mark").click()
    expect(at_2).to_contain_text("your F1")
    at_3 = page.locator('[data-step="3"] [data-suggestion]')
    at_3.get_by_role("button", name="Dismiss…").click()
    page.keyboard.type("the user asked twice")
    page.keyboard.press("Enter")
    expect(at_3).to_contain_text("dismissed: the user asked twice")
    expect(page.locator("[data-saved]")).to_contain_text("saved")
    page.reload()

    expect(page.locator('[data-step="3"] [data-suggestion]')).to_contain_text("dismissed: the user asked twice")
    expect(page.locator('[data-step="2"] [data-suggestion]')).to_contain_text("your F1")
    failure = Failure.objects.get()
    assert (failure.first_step, failure.step_reason) == (2, HOSTILE)
    assert failure.suggested_by.startswith("violation:")
    assert sorted(SuggestionEvent.objects.values_list("kind", flat=True)) == [
        "accepted", "dismissed", "opened", "shown", "shown", "shown",
    ]  # fmt: skip
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert complaints == []


def test_under_never_the_page_asks_for_none(live_server, page, item, log_in):
    ann = make_user("ann")
    hold(item, ann)
    log_in(ann)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(live_server.url + reverse("workbench", args=[item.pk]))
    expect(page.locator('[data-step="3"]')).to_be_visible()

    assert not [url for url in asked if url.endswith("/suggestions")]
    expect(page.get_by_text("Suggestions")).to_have_count(0)


@pytest.fixture
def scored(transactional_db):
    """Ann and Ben agree on two runs, on one of them with a model's answer in sight; two models to compare."""
    project = make_project(
        "shop", runs=2, reveal="randomised", name="A shop with a name that is longer than a telephone"
    )
    for number, item in enumerate(
        Item.objects.select_related("project__taxonomy_version", "trajectory").order_by("pk")
    ):
        for model in ("model-with-a-rather-long-name", "m-2"):
            Judgement.objects.create(
                trajectory=item.trajectory, source="made", model=model, protocol="all_at_once", critical_step=number
            )
        for name in ("ann", "ben"):
            hold(item, make_user(name))
            if number:
                show_suggestions(item=item, user=make_user(name))
            annotate_and_submit(item, make_user(name))
    declare_contrast(
        project=project,
        a="made/model-with-a-rather-long-name/all_at_once",
        b="made/m-2/all_at_once",
        by=make_user("mia"),
    )
    route(project)
    score_suggestions(project=project, by=make_user("mia"))
    return project


@pytest.mark.parametrize("name", ["arms", "scoreboard"])
def test_the_pages_of_figures_are_accessible_and_fit_a_telephone(
    live_server, page, scored, log_in, complaints, name, monkeypatch
):
    monkeypatch.setattr("adjudication.arm_turns.is_drawn", lambda item, user_id: item.pk % 2 == 0)
    log_in(make_user("mia"))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.goto(live_server.url + reverse(name, args=["shop"]) + "?labels=gold")
        expect(page.get_by_role("table").first).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []
