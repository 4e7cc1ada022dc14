"""The models page in Chromium, with a model connected and calls behind it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from suggestions.llm.actions import suggest_by_model
from tests.factories import make_project, make_user
from tests.suggestions.llm.conftest import connect, plan, servers_of_models  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_models_page_is_accessible_and_fits_a_telephone(live_server, page, log_in, complaints, connect, plan):  # noqa: F811
    project = make_project("shop", runs=2)
    connect(cap=2)
    suggest_by_model(dataset=project.dataset, plan=plan("all_at_once"))
    log_in(make_user("mia"))
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.goto(live_server.url + reverse("spend", args=["shop"]))
        found = Axe().run(page)
        assert found.violations_count == 0, f"{theme}: {found.generate_report()}"
    page.get_by_role("button", name="Save only").click()
    assert page.get_by_text("Saved.").is_visible()
    assert page.get_by_text("its worker died").count() == 0
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints == []
