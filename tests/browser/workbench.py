"""The workbench open in Chromium on a small run of Ann's, and what its tests press and ask."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Annotation
from annotate.rows import state_of
from tests.factories import hold, make_project, make_step, make_trajectory, make_user
from traces.formats.drafts import Block, StepDraft

LINES = "first line\r\nsecond 👨🏻‍🚒 line"


@pytest.fixture(autouse=True)
def at_rest(transactional_db, page):
    """No test ends before its requests do: the database is emptied next."""
    open_requests = set()
    page.on("request", lambda request: open_requests.add(request))
    for event in ("requestfinished", "requestfailed"):
        page.on(event, lambda request: open_requests.discard(request))
    yield
    page.unroute_all(behavior="ignoreErrors")
    for _ in range(50):
        page.wait_for_timeout(100)
        if not open_requests:
            break
    page.goto("about:blank")


@pytest.fixture
def ann(transactional_db):
    return make_user("ann")


@pytest.fixture
def project(transactional_db):
    return make_project(runs=0)


@pytest.fixture
def item(project):
    call = Block("tool_call", "", "Assistant", {}, "find_user", "c1", '{"quote": "a\\n\\u00e9 b", "n": 2}')
    steps = [
        make_step(0, "User", "Exchange the lamp, please."),
        StepDraft(None, None, "assistant", "Assistant", (call,)),
        make_step(2, "find_user", LINES),
        *(make_step(n, "Assistant", f"step {n} does something") for n in range(3, 12)),
    ]
    make_trajectory(project, "run-1", steps=steps)
    return project.items.get()


@pytest.fixture
def bench(live_server, page, item, ann, log_in, complaints):
    """The workbench of the item, open and with its first step in sight."""
    hold(item, ann)
    log_in(ann)
    open_bench(page, live_server, item)
    yield page
    assert [each for each in complaints if "Failed to load resource" not in each] == []


def open_bench(page, live_server, item):
    page.goto(live_server.url + reverse("workbench", args=[item.pk]))
    expect(page.locator("#step-0[aria-current=step]")).to_be_visible()


def new_code(page, words, definition=""):
    """Coin a code in the field that `m` puts the cursor in."""
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    expect(page.locator("[data-definition]")).to_be_focused()
    page.keyboard.type(definition)
    page.keyboard.press("Enter")


def keys(page, words):
    for key in words.split():
        page.keyboard.press(key)


def saved(page, revision=None):
    text = "saved · revision" if revision is None else f"saved · revision {revision}"
    expect(page.locator("[data-saved]")).to_contain_text(re.compile(rf"{text}\b"))


def state(item, ann):
    annotation = Annotation.objects.get(item=item, user=ann, is_current=True)
    return state_of(annotation, item.project.taxonomy_version)


def only_failure(item, ann):
    (failure,) = state(item, ann)["failures"].values()
    return failure


def select(page, step, start, end, inside="[data-text]"):
    page.evaluate(
        """([step, start, end, inside]) => {
          const node = document.querySelector(`#step-${step} ${inside}`).firstChild;
          getSelection().setBaseAndExtent(node, start, node, end);
        }""",
        [step, start, end, inside],
    )
