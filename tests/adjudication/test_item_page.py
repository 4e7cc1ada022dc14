import pytest
from django.urls import reverse

from adjudication.actions import route, rule
from adjudication.coverage import Covered, by_category, by_domain
from adjudication.models import Case
from adjudication.staleness import stale_items
from annotate.actions import reopen
from annotate.models import Item
from tests.adjudication.worlds import RULED, disagree, mark
from tests.factories import do, join, make_project, make_user

pytestmark = pytest.mark.django_db


def shown(client, name, item):
    client.force_login(make_user(name))
    return client.get(reverse("item", args=["shop", item.pk]))


@pytest.mark.parametrize(
    ("name", "status"), [("mia", 200), ("ada", 403), ("ann", 403), ("vic", 403), ("eve", 404), ("root", 404)]
)
def test_who_sees_a_run_and_its_decision(client, project, item, name, status):
    make_user("root", is_superuser=True, is_staff=True)
    disagree(project)
    assert shown(client, name, item).status_code == status


def test_every_decision_is_explained_with_differences_that_route_and_others(client, project, item):
    case = disagree(project, category="system_failure")
    project.routing = {"kinds": ["critical_step"]}
    project.save()
    page = shown(client, "mia", item).content.decode()
    assert (
        "2 people: reasons to look again are critical step and category; a case for adjudication" in page
    )  # as routed
    assert "critical step differs by 1 step: 2 and 3" in page
    assert page.count("does not route by the rules") == 2  # category and marks
    assert reverse("case", args=[case.pk]) in page
    assert "ann" in page


def test_outcomes_of_annotations_and_gold_are_told_in_words(client, project, item):
    case = disagree(project)
    rule(
        case=case,
        by=make_user("ada"),
        **RULED | {"outcome": "all_recovered_or_harmless", "failures": [mark(effect="harmless")]},
    )
    page = shown(client, "mia", item).content.decode()
    assert page.count("<td>critical failure</td>") == 2
    assert "<bdi>all recovered or harmless</bdi>" in page and "all_recovered" not in page


def test_a_run_of_another_project_is_not_found(client, project, item):
    other = make_project("elsewhere")
    assert shown(client, "mia", other.items.get()).status_code == 404


def test_nothing_is_told_to_a_lead_who_may_still_annotate_or_has_to_judge_first(client, project, item):
    join(project, make_user("mia"), "annotator")
    disagree(project)
    Item.objects.update(settled_at=None)
    assert "critical step differs" not in shown(client, "mia", item).content.decode()
    lead = make_user("lena")
    for role in ("lead", "adjudicator"):
        join(project, lead, role)
    Item.objects.update(settled_at="2026-01-01T00:00Z")
    assert "critical step differs" in shown(client, "lena", item).content.decode()
    Case.objects.update(judge_first=True)
    assert "critical step differs" not in shown(client, "lena", item).content.decode()


def test_gold_is_stale_once_an_annotation_it_rests_on_has_changed(client, project, item):
    case = disagree(project)
    rule(case=case, by=make_user("ada"), **RULED)
    route(project)
    assert stale_items(project) == set()
    assert "Stale" not in shown(client, "mia", item).content.decode()
    reopen(annotation=item.annotations.get(user__username="ben"), by=make_user("mia"), reason="appeal")
    do(item, make_user("ben"), "change", {"failures": ["m1"], "fields": {"first_step": 3}})
    do(item, make_user("ben"), "submit")
    assert stale_items(project) == {item.pk}
    assert "Stale" in shown(client, "mia", item).content.decode()


def test_coverage_counts_gold_by_domain_and_category(project, item):
    assert by_domain(project) == [Covered("shop", 0, 1)]
    disagree(project, ben=1)
    assert by_domain(project) == [Covered("shop", 1, 1)]
    rows = by_category(project)
    assert len(rows) == 9
    assert sum(row.n for row in rows) == 1
