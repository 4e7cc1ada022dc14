"""A case of the public labels, settled in Chromium by keyboard alone."""

import pytest
from django.urls import reverse

from adjudication.actions import route
from adjudication.models import Case, Ruling
from annotate.actions import create_project, import_labels, import_traces
from people.actions import system_user
from tests.factories import join, make_user
from tests.shared_data import shared

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]
RATIONALE = "The plan was wrong from #{} on: nothing after it could have led to the answer."


@pytest.fixture
def cases(transactional_db):
    traces, labels = shared("whowhen/Hand-Crafted"), shared("agentrx/ground_truth/magentic_one_ground_truth.json")
    project = create_project(slug="real", by=system_user())
    import_traces(project=project, paths=[traces], by=system_user())
    import_labels(project=project, paths=[labels], annotator="agentrx", format="agentrx", by=system_user())
    import_labels(project=project, paths=[traces], annotator="whowhen", format="whowhen", by=system_user())
    join(project, make_user("ada"), "adjudicator")
    route(project)
    found = list(Case.objects.open().order_by("opened_at", "pk"))
    assert len(found) == 28
    return found


class Keys:
    """Presses keys and counts them; the rationale is typed beside."""

    def __init__(self, page):
        self.page, self.pressed = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1


def test_a_real_case_is_settled_by_few_keys_beside_the_rationale(cases, live_server, page, log_in, complaints):
    log_in(make_user("ada"))
    page.goto(live_server.url + reverse("cases", args=["real"]))
    keys = Keys(page)

    keys.press("n")  # the next case
    page.wait_for_url("**/cases/*/")
    keys.press("1", "w")
    page.keyboard.type(RATIONALE.format(1))
    keys.press("Escape", "g", "Control+Enter")
    page.get_by_text("Ruled: run").wait_for()
    first = Ruling.objects.get()
    assert keys.pressed <= 15
    assert (first.case, first.outcome, first.cause) == (cases[0], "critical", "guideline_unclear")
    assert first.cited_steps == [1]  # this source counts from 0
    assert any(each["from"] for each in first.failures)
    assert complaints == []


def test_another_is_settled_by_writing_a_mark_that_neither_had(cases, live_server, page, log_in, complaints):
    taken, number = free_step(cases[0])
    log_in(make_user("ada"))
    page.goto(live_server.url + reverse("case", args=[cases[0].pk]))
    page.keyboard.press("m")
    page.wait_for_url("**/#written")
    page.get_by_label("Step", exact=True).fill(str(number))
    page.get_by_label("What, in a short phrase").fill("takes the wrong turn")
    page.get_by_label("Category", exact=True).select_option("intent_plan_misalignment")
    page.get_by_label("Why it is a failure").fill("Nothing after it could have led there.")
    page.keyboard.press("Escape")
    page.keyboard.press("3")  # another step …
    page.keyboard.type(str(number))
    page.get_by_label("Why w").fill(RATIONALE.format(number))
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.keyboard.press("Control+Enter")
    page.get_by_text("Ruled: run").wait_for()

    (critical,) = [each for each in Ruling.objects.get().failures if each["is_critical"]]
    assert (critical["first_step"], critical["from"], critical["codes"]) == (taken, [], ["takes the wrong turn"])
    assert complaints == []


def free_step(case) -> tuple[int, int]:
    """Position and number of a step that nobody marked."""
    marked = {
        failure["first_step"]
        for annotation in case.item.annotations.all()
        for failure in annotation.submissions.latest("number").state["failures"].values()
    }
    steps = case.item.trajectory.steps.order_by("position").values_list("position", "native_index")
    return next(
        (position, position + 1 if native is None else native)
        for position, native in steps
        if position > 0 and position not in marked
    )
