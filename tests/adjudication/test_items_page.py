import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Case, GoldLabel, Routing
from annotate.models import Item
from tests.factories import annotate_and_submit, join, make_project, make_user

pytestmark = pytest.mark.django_db

REASONS = [{"kind": "agent", "size": 1, "text": "agent differs: canary-one and canary-two"}]


def items(client, user, query="", slug="shop"):
    client.force_login(user)
    return client.get(reverse("items", args=[slug]) + query).content.decode()


@pytest.fixture
def differing(project, item, ben):
    """A run that Ben submitted and that was routed to a case."""
    annotate_and_submit(item, ben)
    return routed_to_a_case(item)


def routed_to_a_case(item):
    Routing.objects.create(item=item, decision="adjudicate", reasons=REASONS)
    Item.objects.filter(pk=item.pk).update(settled_at=timezone.now())
    return Case.objects.create(item=item, reasons=REASONS)


@pytest.fixture
def annotating_lead(project, mia):
    join(project, mia, "annotator")
    return mia


@pytest.fixture
def open_differing(annotating_lead, item, ben):
    """The same, but the lead annotates too and may still be asked."""
    annotate_and_submit(item, ben)
    case = routed_to_a_case(item)
    Item.objects.update(settled_at=None)
    return case


def test_a_lead_sees_stage_people_and_reasons(client, differing, mia):
    page = items(client, mia)
    assert "shop-0" in page
    assert "case open" in page
    assert "1 of 2" in page
    assert "agent differs: canary-one and canary-two" in page
    assert reverse("case", args=[differing.pk]) in page


@pytest.mark.parametrize("query", ["?stage=case", "?decision=adjudicate", "?differs=agent", "?q=op-0", "?domain=shop"])
def test_a_filter_that_fits_keeps_the_run(client, differing, mia, query):
    assert "canary-one" in items(client, mia, query)


@pytest.mark.parametrize("query", ["?stage=gold", "?decision=accept", "?differs=category", "?q=nothing", "?domain=air"])
def test_a_filter_that_does_not_fit_drops_it(client, differing, mia, query):
    page = items(client, mia, query)
    assert "canary-one" not in page
    assert "No run is like this." in page


def test_the_overview_leads_to_the_runs_of_a_domain_and_of_a_gold_category(client, project, item, mia):
    GoldLabel.objects.create(item=item, field="outcome", value="critical", basis="adjudicated")
    GoldLabel.objects.create(item=item, field="category", value="system_failure", basis="adjudicated")
    client.force_login(mia)
    page = client.get(reverse("project", args=["shop"])).content.decode()
    for query in ("domain=shop", "category=system_failure"):
        assert f'{reverse("items", args=["shop"])}?{query}"' in page
    listed = items(client, mia, "?category=system_failure")
    assert "shop-0" in listed and "gold category System Failure" in listed
    assert "No run is like this." in items(client, mia, "?category=invalid_invocation")


def test_a_gold_category_tells_nothing_of_a_run_that_the_lead_may_still_annotate(
    client, annotating_lead, open_differing
):
    GoldLabel.objects.create(item=open_differing.item, field="category", value="system_failure", basis="consensus")
    assert "shop-0" not in items(client, annotating_lead, "?category=system_failure")


def test_an_unknown_filter_value_is_left_out(client, differing, mia):
    assert "canary-one" in items(client, mia, "?stage=nonsense&decision=%00&q=%00&page=last")


def test_of_runs_a_lead_may_still_annotate_nothing_is_told(client, annotating_lead, open_differing):
    page = items(client, annotating_lead)
    assert "shop-0" in page
    assert "you may still annotate this run" in page
    for told in ("canary-one", "1 of 2", reverse("case", args=[open_differing.pk])):
        assert told not in page


@pytest.mark.parametrize(
    "query", ["?stage=case", "?stage=working", "?decision=adjudicate", "?differs=agent", "?category=x"]
)
def test_no_filter_tells_it_either(client, annotating_lead, open_differing, query):
    page = items(client, annotating_lead, query)
    assert "shop-0" not in page
    assert "Runs that you may still annotate yourself, or have to judge first, are left out" in page


def test_a_lead_who_annotated_the_run_is_not_led_to_its_case(client, item, annotating_lead):
    annotate_and_submit(item, annotating_lead)
    case = routed_to_a_case(item)
    assert reverse("case", args=[case.pk]) not in items(client, annotating_lead)


@pytest.mark.parametrize(("name", "status"), [("mia", 200), ("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404)])
def test_who_may_see_the_runs(client, project, name, status):
    client.force_login(make_user(name))
    assert client.get(reverse("items", args=["shop"])).status_code == status


def test_runs_of_another_project_are_not_listed(client, project, mia):
    make_project("other")
    assert "other-0" not in items(client, mia)


def test_long_lists_come_in_pages_that_keep_the_filter(client, mia):
    project = make_project("long", runs=51, steps=1)
    GoldLabel.objects.bulk_create(
        GoldLabel(item=item, field="outcome", basis="single", value="no_failure") for item in project.items.all()
    )
    page = items(client, mia, "?stage=gold", "long")
    assert "1–50 of 51" in page
    assert "?stage=gold&amp;page=2" in page


@pytest.mark.parametrize("runs", [1, 3])
def test_the_number_of_queries_does_not_grow_with_runs(client, django_assert_num_queries, runs):
    project = make_project("flat", runs=runs)
    for item in project.items.all():
        annotate_and_submit(item, make_user("ben"))
        Routing.objects.create(item=item, decision="adjudicate", reasons=REASONS)
        Case.objects.create(item=item)
    client.force_login(make_user("mia"))
    with django_assert_num_queries(8):
        client.get(reverse("items", args=["flat"]))
