"""What is told of the next case before it is claimed: the steps of its run, and nothing of the annotations."""

import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Case
from annotate.models import Assignment, Exposure
from tests.adjudication.worlds import disagree
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db
CANARY = "canary-words"


@pytest.fixture
def shop(db):
    """Two cases; all that was said of both is a canary, and only one step of each bears a mark."""
    project = make_project(runs=2)
    for item in project.items.order_by("pk"):
        disagree(project, item, step_reason=CANARY, codes=[CANARY], category="system_failure")
    return project


@pytest.fixture
def case(shop):
    return Case.objects.order_by("opened_at", "pk").first()


def ahead(client, name, case, query=""):
    client.force_login(make_user(name))
    return client.get(reverse("case_ahead", args=[case.pk]) + query)


def test_the_steps_of_the_next_case_come_one_by_one(client, case):
    following = Case.objects.exclude(pk=case.pk).get()
    told = ahead(client, "ada", case).json()
    assert (set(told), told["url"]) == ({"url", "steps"}, reverse("case_steps", args=[following.pk]))
    assert [f"step {n} says something" in step for n, step in enumerate(told["steps"])] == [True] * 4
    together = client.get(told["url"] + "?from=0&to=4").content.decode()
    assert [step.partition("<article")[2].strip() in together for step in told["steps"]] == [True] * 4


def test_nothing_of_the_annotations_comes_with_them(client, case):
    told = ahead(client, "ada", case).content.decode()
    assert CANARY in client.get(reverse("case", args=[Case.objects.exclude(pk=case.pk).get().pk])).content.decode()
    for words in (CANARY, "system_failure", "critical", "ann", "ben"):
        assert words not in told


def test_looking_ahead_claims_nothing_and_exposes_nobody(client, case):
    ahead(client, "ada", case)
    assert not Case.objects.exclude(held_by=None).exists()
    assert not Exposure.objects.filter(user__username="ada").exists()


def test_who_worked_on_the_next_run_gets_none_of_it(client, case):
    worked_on = Case.objects.exclude(pk=case.pk).get().item
    turn = {"state": "skipped", "held_until": timezone.now(), "ended_at": timezone.now()}
    Assignment.objects.create(item=worked_on, user=make_user("ada"), **turn)
    assert ahead(client, "ada", case).json() == {"url": None, "steps": []}


def test_only_what_is_asked_for_of_the_queue_is_looked_ahead_for(client, case):
    assert ahead(client, "ada", case, "?domain=elsewhere").json() == {"url": None, "steps": []}


@pytest.mark.parametrize(("name", "status"), [("mia", 403), ("ann", 404), ("vic", 404), ("eve", 404)])
def test_only_who_rules_looks_ahead(client, case, name, status):
    assert ahead(client, name, case).status_code == status
