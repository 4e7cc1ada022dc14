"""From an empty home to an export: bin/serve, two annotators who differ, an adjudicator, a real case, a file."""

import json
import tempfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.shared_data import shared
from tests.trials.serving import PASSWORD, Serve, words

pytestmark = [pytest.mark.slow, pytest.mark.browser]
CAST = {"ann": "annotator", "ben": "annotator", "ada": "adjudicator", "mia": "lead"}
PEOPLE = f"""
from annotate.actions import add_member
from annotate.models import Project
from people.actions import system_user
from people.models import User
for name, role in {CAST!r}.items():
    user = User.objects.get(username=name)
    user.set_password({PASSWORD!r})
    user.save()
    for project in Project.objects.exclude(slug="demo"):
        add_member(project=project, user=user, role=role, by=system_user())
"""
RULED_STEP = """
from adjudication.models import Ruling
ruling = Ruling.objects.get(case__item__project__slug="magentic")
print("ruled", *[each["first_step"] for each in ruling.failures if each["is_critical"]])
"""
RUN = [
    {"role": "human", "content": "Book the cheapest room in Brig."},
    {"role": "Assistant", "content": "I look for rooms."},
    {"role": "Assistant", "content": "The first offer is the cheapest; I do not compare."},
    {"role": "Assistant", "content": "Booked for 310."},
    {"role": "human", "content": "There was one for 90."},
]


@pytest.fixture(scope="module")
def serve():
    with tempfile.TemporaryDirectory(prefix="assay-session-") as folder:
        Path(folder).chmod(0o711)
        home = Path(folder) / "home"
        home.mkdir(mode=0o711)
        with Serve(home) as running:
            yield running


@pytest.fixture
def log_in(serve, browser):
    """`log_in(name)` is a page of its own in which that person has logged in through the form."""

    def start(name):
        page = browser.new_context(accept_downloads=True).new_page()
        page.goto(f"{serve.base}/login/")
        page.fill("[name=username]", name)
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
        page.wait_for_url(f"{serve.base}/")
        return page

    return start


def keys(page, words):
    for key in words.split():
        page.keyboard.press(key)


def annotate(page, slug, step, reason):
    """Take the next run of the project, mark the step, call it critical, and submit."""
    page.locator(f"form[action$='/projects/{slug}/next'] button").click()
    expect(page.locator("[aria-current=step]")).to_be_visible()
    keys(page, f"g {step} Enter m")
    page.keyboard.type("books without comparing")
    page.keyboard.press("Enter")
    expect(page.locator("[data-definition]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-categories]")).to_be_focused()
    page.keyboard.press("1")
    page.keyboard.type(reason)
    keys(page, "Control+Enter v p c")
    page.keyboard.type("the booking rests on it")
    keys(page, "Escape 4 Control+Enter")
    expect(page.get_by_role("dialog", name="Submit this annotation?")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Submit this annotation?")).to_be_hidden()
    page.wait_for_url(lambda url: "/items/" not in url)


def settle(page, base, slug, rationale, *, open_case):
    """Rule the open case as the first annotation that names a category has it."""
    page.goto(f"{base}/projects/{slug}/cases/")
    open_case(page)
    page.wait_for_url("**/cases/*/")
    first = page.get_by_role("radio").first.locator("xpath=ancestor::label")
    keys(page, "2 w" if "no category" in first.inner_text() else "1 w")
    page.keyboard.type(rationale)
    keys(page, "Escape p Control+Enter")
    page.get_by_text("Ruled: run").wait_for()


def exported(page, base, slug, folder):
    page.goto(f"{base}/projects/{slug}/releases/")
    with page.expect_download() as caught:
        page.locator("#gold ~ p a", has_text="AgentRx").first.click()
    path = folder / f"{slug}.json"
    caught.value.save_as(path)
    return json.loads(path.read_text())


def test_two_people_differ_a_third_settles_it_and_the_export_holds_the_ruling(serve, log_in, tmp_path):
    run = tmp_path / "room.json"
    run.write_text(json.dumps(RUN))
    serve.manage("create_project", "hotel", "--lead", "mia")
    serve.manage("import_traces", str(run), "--project", "hotel")
    serve.manage("shell", "-v", "0", given=PEOPLE)
    annotate(log_in("ann"), "hotel", 3, "It takes the first offer.")
    annotate(log_in("ben"), "hotel", 4, "It books the dear one.")

    ada = log_in("ada")
    ada.goto(f"{serve.base}/projects/hotel/cases/")
    for _ in range(60):  # the worker routes within a second or two; the page is asked as a person would
        if ada.get_by_role("link", name="room", exact=True).count():
            break
        ada.wait_for_timeout(500)
        ada.reload()
    settle(
        ada,
        serve.base,
        "hotel",
        "At 3 nobody compares.",
        open_case=lambda page: page.get_by_role("link", name="room", exact=True).click(),
    )

    (record,) = exported(log_in("mia"), serve.base, "hotel", tmp_path)
    (failure,) = record["failures"]
    assert (record["trajectory_id"], record["root_cause"]["failure_id"]) == ("room", failure["failure_id"])
    assert failure["step_number"] in {3, 4}
    assert failure["failure_category"] == "Instruction/Plan Adherence Failure"


def test_a_real_case_is_settled_and_exported(serve, log_in, tmp_path):
    runs = shared("whowhen/Hand-Crafted")
    labels = shared("agentrx/ground_truth/magentic_one_ground_truth.json")
    serve.manage("create_project", "magentic", "--lead", "mia")
    serve.manage("import_traces", str(runs), "--project", "magentic")
    serve.manage("import_labels", str(runs), "--project", "magentic", "--format", "whowhen", "--annotator", "whowhen")
    serve.manage("import_labels", str(labels), "--project", "magentic", "--format", "agentrx", "--annotator", "agentrx")
    serve.manage("route", "--project", "magentic")
    serve.manage("shell", "-v", "0", given=PEOPLE)

    ada = log_in("ada")
    settle(ada, serve.base, "magentic", "The later one is where it could not recover.", open_case=next_case)

    (record,) = exported(log_in("mia"), serve.base, "magentic", tmp_path)
    (step,) = words(serve.manage("shell", "-v", "0", given=RULED_STEP), "ruled")
    root = {each["failure_id"]: each for each in record["failures"]}[record["root_cause"]["failure_id"]]
    assert root["step_number"] == int(step) + 1
    assert record["trajectory_id"] in {each["trajectory_id"] for each in json.loads(labels.read_text())}


def next_case(page):
    page.get_by_role("button", name="Next case").first.click()
