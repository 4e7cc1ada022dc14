"""suggest --source llm and the job: what they print, how they exit, how they stop."""

import io
import json
import threading

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from jobs.actions import cancel, run
from jobs.models import Job
from suggestions.llm.actions import ASK_MODEL, ESTIMATE, ask_model, choose
from suggestions.models import BudgetMonth, Judgement, ModelCall
from tests.factories import make_project, make_trajectory, make_user
from tests.suggestions.llm.conftest import JUDGED
from tests.suggestions.llm.server import Reply, answering, in_turn
from tests.suggestions.test_commands import output

pytestmark = pytest.mark.django_db(transaction=True)
ASK = ("suggest", "--project", "shop", "--source", "llm")


def test_what_the_project_chose_is_asked_unless_options_say_otherwise(project, connect):
    server = connect()
    choose(project="shop", model="tiny", tasks=["all_at_once"], by=make_user("mia"))
    told = output(*ASK)
    assert (told["tasks"], told["calls"], told["judgements"], told["dry_run"]) == (["all_at_once"], 1, 1, False)
    assert output(*ASK, "--task", "binary_search", "--dry-run")["tasks"] == ["binary_search"]
    assert len(server.requests) == 1


def test_words_for_people_name_calls_tokens_and_cost(project, connect):
    connect(answering(JUDGED, usage=(1_000, 100)))
    out = io.StringIO()
    call_command(*ASK, "--task", "all_at_once", stdout=out)
    assert out.getvalue().splitlines()[0] == (
        "1 runs by tiny took 1 calls, 1000 + 100 tokens, 0.0012 dollars; 0 answers were there before"
    )


def test_runs_without_an_answer_and_a_plan_that_stopped_exit_one(project, connect):
    connect(in_turn(Reply(status=400)))
    told = output(*ASK, "--task", "all_at_once", code=1)
    assert told["failed"] == [{"trajectory": "shop-0", "why": "the provider did not take the request"}]
    connect(cap="0.0001")
    assert output(*ASK, "--task", "all_at_once", code=1)["stopped"].startswith("the budget study has")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--model", "big"], "there is no model “big”"),
        (["--task", "dance"], "no task “dance”"),
        (["--run", "x" * 31], "30"),
    ],
)
def test_wrong_options_are_a_reason(project, connect, options, reason):
    server = connect()
    with pytest.raises(CommandError, match=reason):
        call_command(*ASK, *options)
    assert server.requests == []


def test_a_key_that_is_not_set_is_a_reason(project, connect, monkeypatch):
    connect()
    monkeypatch.delenv("LLM_TEST_KEY")
    with pytest.raises(CommandError, match="LLM_TEST_KEY is not set"):
        call_command(*ASK)
    assert ModelCall.objects.count() == 0


def test_only_the_same_request_is_the_same_job(project, connect, plan):
    connect()
    first, other = project.taxonomy_version, make_project("other").taxonomy_version

    def asked(*tasks, kind=ASK_MODEL, version=first, **fields):
        return ask_model(kind=kind, dataset=project.dataset, plan=plan(*tasks, **fields), version=version).pk

    requests = [
        asked("all_at_once"),
        asked("binary_search"),
        asked("all_at_once", "binary_search"),
        asked("all_at_once", run="2"),
        asked("all_at_once", project="other"),
        asked("all_at_once", version=other),
        asked("all_at_once", kind=ESTIMATE),
    ]
    assert len(set(requests)) == 7
    assert asked("binary_search", "all_at_once") == requests[2]
    assert [job.payload["tasks"] for job in Job.objects.filter(pk__in=requests[:2]).order_by("pk")] == [
        ["all_at_once"],
        ["binary_search"],
    ]


def test_a_cancelled_job_keeps_what_was_answered_and_asks_no_more(project, connect, plan):
    for number in range(8):
        make_trajectory(project, f"more-{number}", instruction=f"Find lamp {number}.")
    third = threading.Event()

    def behaviour(body, number):
        if number == 2:
            third.set()
        return Reply(json.dumps(JUDGED), delay=0.3)

    server = connect(behaviour, concurrency=1)
    wanted = plan("all_at_once")
    version = project.taxonomy_version
    job = ask_model(kind=ASK_MODEL, dataset=project.dataset, plan=wanted, version=version, by="mia")
    again = ask_model(kind=ASK_MODEL, dataset=project.dataset, plan=wanted, version=version, by="mia")
    assert again.pk == job.pk

    def stop():
        third.wait(60)
        cancel(job=Job.objects.get(pk=job.pk))
        connection.close()

    stopping = threading.Thread(target=stop)
    stopping.start()
    run(job.pk)
    stopping.join()
    assert Job.objects.get(pk=job.pk).state == "cancelled"
    answered = len(server.requests)
    assert 3 <= answered < 9
    assert Judgement.objects.count() == ModelCall.objects.answered().count() == answered
    assert BudgetMonth.objects.get().reserved == 0

    job = ask_model(kind=ASK_MODEL, dataset=project.dataset, plan=wanted, version=version)
    run(job.pk)
    job = Job.objects.get(pk=job.pk)
    assert (job.state, job.result["judgements"], len(server.requests)) == ("done", 9, 9)
    assert job.cost > 0
