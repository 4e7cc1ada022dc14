"""Suggestions in the workbench: asked for after phase 1, taken over as a mark, dismissed with a reason."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Failure, Project, SuggestionEvent
from suggestions.models import Constraint, Judgement, Violation
from tests.browser.test_workbench import at_rest  # noqa: F401
from tests.factories import hold, make_project, make_user, only_item

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
    expect(page.get_by_text("3 found: they stand at their steps")).to_be_visible()
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
