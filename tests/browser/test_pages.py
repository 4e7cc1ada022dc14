"""The plain pages in Chromium: what their scripts do, silent under the strict policy."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.models import AgreementFigures, Case, Routing
from annotate.models import Item
from jobs.models import Job
from tests.adjudication.test_overview_page import FIGURES
from tests.factories import annotate_and_submit, hold, make_project, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REASONS = [{"kind": "agent", "size": 1, "text": "agent differs: Assistant and User"}]


@pytest.fixture
def world(transactional_db):
    project = make_project("shop", runs=3, name="A shop with a name that is longer than a telephone is wide")
    first, second, third = Item.objects.of(project).order_by("pk")
    annotate_and_submit(first, make_user("ann"))
    hold(second, make_user("ann"))
    Routing.objects.create(item=third, decision="adjudicate", reasons=REASONS)
    Case.objects.create(item=third, reasons=REASONS)
    AgreementFigures.objects.create(project=project, figures=FIGURES)
    now = timezone.now()
    Job.objects.create(kind="release", state="failed", project="shop", errors=[{"error": "ValueError: line 3"}])
    Job.objects.create(
        kind="item_changed", state="running", project="shop", progress=2, total=9, lease_until=now + timedelta(hours=1)
    )
    Job.objects.create(kind="import_traces", project="shop", due_at=now - timedelta(minutes=2))


def address(live_server, name):
    takes_slug = name not in ("home", "login")
    return live_server.url + reverse(name, args=["shop"] if takes_slug else [])


def test_the_chosen_theme_holds_on_the_next_page(live_server, page, world, log_in, complaints):
    log_in(make_user("mia"))
    page.goto(address(live_server, "home"))
    page.get_by_label("Menu of mia").click()
    page.get_by_role("button", name="Dark").click()
    page.goto(address(live_server, "project"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 22, 26)"
    assert complaints == []


def test_the_key_n_takes_the_next_run(live_server, page, world, log_in):
    log_in(make_user("ben"))
    page.goto(address(live_server, "home"))
    page.keyboard.press("n")
    page.wait_for_url("**/items/*/")


def test_the_key_c_continues_the_run_that_is_held(live_server, page, world, log_in):
    log_in(make_user("ann"))
    page.goto(address(live_server, "home"))
    page.keyboard.press("c")
    page.wait_for_url("**/items/*/")


def test_the_list_of_jobs_renews_itself(live_server, page, world, log_in, complaints):
    log_in(make_user("mia"))
    page.goto(address(live_server, "project_jobs"))
    assert page.get_by_text("2 of 9").is_visible()
    Job.objects.filter(state="running").update(progress=5)
    page.get_by_text("5 of 9").wait_for(timeout=8000)
    assert complaints == []


def test_logging_in_and_out_by_hand(live_server, page, world):
    make_user("ann")
    page.goto(address(live_server, "project"))
    page.get_by_label("User name").fill("ann")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/projects/shop/")
    page.get_by_label("Menu of ann").click()
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login/")
