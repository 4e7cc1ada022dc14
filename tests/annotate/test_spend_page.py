"""The models page: what there is, what it takes, what is asked; for leads, and without a word of any prompt or key."""

import json
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.actions import run
from jobs.models import Job
from suggestions.models import BudgetMonth, Judgement, ModelCall, ModelChoice
from tests.factories import make_project, make_user
from tests.suggestions.llm.conftest import connect, servers_of_models  # noqa: F401
from tests.suggestions.llm.server import KEY, Reply, in_turn

pytestmark = pytest.mark.django_db


def get(client, user, slug="shop", **query):
    client.force_login(user)
    return client.get(reverse("spend", args=[slug]), query)


def post(client, user, **fields):
    client.force_login(user)
    given = {"model": "tiny", "tasks": ["all_at_once"], "run": "", "act": "save"} | fields
    return client.post(reverse("spend", args=["shop"]), given)


def make_call(project, key="one", **fields):
    month, _ = BudgetMonth.objects.get_or_create(budget="study", month=timezone.now().date().replace(day=1))
    given = {"purpose": "all_at_once", "model": "tiny", "prompt": "p.1", "state": "done", "cost": Decimal("0.0123")}
    given |= {"input_tokens": 1_234, "output_tokens": 56, "latency_ms": 2_500, "settled_at": timezone.now()}
    trajectory = project.dataset.trajectories.first()
    given |= {
        "project": project.slug,
        "trajectory": trajectory,
        "lease_until": timezone.now(),
        "month": month,
        "key": key,
    }
    return ModelCall.objects.create(**given | fields)


def test_without_a_model_the_page_says_so(client, project, mia, settings):
    settings.ASSAY_MODELS = ""
    page = get(client, mia).content.decode()
    assert "No model is configured" in page
    assert "<select" not in page


def test_a_fault_in_the_file_is_said(client, project, mia, settings, tmp_path):
    settings.ASSAY_MODELS = str(tmp_path / "no.toml")
    assert "cannot be read" in get(client, mia).content.decode()


def test_a_lead_sees_calls_cost_and_what_is_left(client, project, mia, connect):  # noqa: F811
    connect(cap=2)
    make_call(project)
    BudgetMonth.objects.update(spent=Decimal("0.0123"))
    page = get(client, mia).content.decode()
    for words in ("0.0123 spent of 2.00", "1234", "2.5", "all_at_once", "shop-0"):
        assert words in page
    assert KEY not in page


def test_a_price_that_is_not_known_is_not_nothing(client, project, mia):
    make_call(project, cost=None)
    assert "not known" in get(client, mia).content.decode()


def test_a_call_about_no_single_run_is_among_the_calls_and_no_run(client, project, mia):
    make_call(project, trajectory=None, purpose="naming")
    response = get(client, mia)
    assert "naming" in response.content.decode() and "None" not in response.content.decode()
    assert list(response.context["runs"]) == []


def test_calls_of_other_projects_are_not_shown(client, project, mia):
    make_call(make_project("other"), purpose="canary")
    assert "canary" not in get(client, mia).content.decode()


@pytest.mark.parametrize(("name", "status"), [("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404)])
def test_only_leads_see_and_ask(client, project, name, status, connect):  # noqa: F811
    connect()
    assert get(client, make_user(name)).status_code == status
    assert post(client, make_user(name)).status_code == status
    assert ModelChoice.objects.count() == 0


def test_a_choice_is_kept(client, project, mia, connect):  # noqa: F811
    connect()
    assert post(client, mia).url == reverse("spend", args=["shop"])
    choice = ModelChoice.objects.get()
    assert (choice.project, choice.model, choice.tasks) == ("shop", "tiny", ["all_at_once"])
    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    "wrong", [{"model": "other"}, {"tasks": ["dance"]}, {"tasks": []}, {"run": "a b"}, {"act": "x"}]
)
def test_bad_input_is_said_and_asks_nothing(client, project, mia, connect, wrong):  # noqa: F811
    connect()
    assert post(client, mia, **wrong).status_code == 422
    assert (ModelChoice.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_asking_from_the_page_is_a_job_whose_outcome_the_page_tells(client, project, mia, connect):  # noqa: F811
    server = connect(in_turn(Reply(status=401, error=f"bad {KEY}")))
    post(client, mia, act="ask")
    job = Job.objects.get(kind="ask_model")
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["stopped"]) == ("done", "the provider refused the key")
    page = get(client, mia).content.decode()
    assert "Stopped: the provider refused the key" in page
    assert KEY not in page + json.dumps(job.result) + json.dumps(job.errors)
    assert len(server.requests) == 1


@pytest.mark.django_db(transaction=True)
def test_an_estimate_from_the_page_asks_nothing(client, project, mia, connect):  # noqa: F811
    server = connect()
    post(client, mia, act="estimate")
    run(Job.objects.get(kind="estimate_model").pk)
    assert "Last estimate" in get(client, mia).content.decode()
    assert (server.requests, Judgement.objects.count()) == ([], 0)


@pytest.mark.parametrize("calls", [1, 3])
def test_the_number_of_queries_does_not_grow_with_calls(client, project, mia, django_assert_num_queries, calls):
    for number in range(calls):
        make_call(project, key=str(number))
    client.force_login(mia)
    with django_assert_num_queries(11):
        client.get(reverse("spend", args=["shop"]))
