import pytest

from adjudication.actions import route, rule
from adjudication.models import Case
from annotate.codebook.evidence import evidence_for
from tests.factories import annotate_and_submit, join, make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop(db):
    """Ann and Ben name two categories for the critical failure of one run, and agree on the other run."""
    project = make_project(runs=2)
    first, second = project.items.order_by("pk")
    for who, category in (("ann", "invalid_invocation"), ("ben", "system_failure")):
        annotate_and_submit(first, make_user(who), category=category)
        annotate_and_submit(second, make_user(who))
    route(project)
    return project


def told(who, project):
    return [(each.categories, each.text) for each in evidence_for(make_user(who), project)]


CONFUSED = (
    ("invalid_invocation", "system_failure"),
    "On 1 run one said “Invalid Invocation” and another “System Failure” of the critical failure.",
)


def test_confused_categories_are_told_to_leads_with_the_cases(shop):
    assert told("mia", shop) == [CONFUSED]
    (found,) = evidence_for(make_user("mia"), shop)
    assert [words for words, _ in found.links] == [f"case {Case.objects.get().pk}"]
    assert told("ann", shop) == told("vic", shop) == []


def test_a_lead_who_may_still_get_the_run_is_told_nothing(shop):
    noa = make_user("noa")
    shop.items.update(settled_at=None)
    join(shop, noa, "annotator")
    join(shop, noa, "lead")
    assert told("noa", shop) == []


def test_rulings_that_found_a_category_unclear_are_told(shop):
    failure = {"first_step": 1, "participant": "Assistant", "category": "system_failure", "is_critical": True}
    rule(
        case=Case.objects.get(),
        by=make_user("ada"),
        outcome="critical",
        failures=[failure],
        rationale="the service was down",
        cause="category_unclear",
        reason_for_root_cause="it never came back",
        failure_summary="down",
    )
    assert told("mia", shop) == [
        (("system_failure",), "A ruling for “System Failure” found that a category is unclear."),
        CONFUSED,
    ]
