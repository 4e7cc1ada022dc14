"""Caps hold to the cent whatever happens at the same time; nothing is paid for twice."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.utils import timezone

from config.embedded import REPOSITORY
from suggestions.llm import ledger
from suggestions.llm.actions import plan_of, suggest_by_model
from suggestions.llm.client import Completion, price_of
from suggestions.llm.errors import CapReached, PriceUnknown
from suggestions.llm.providers import model_named
from suggestions.models import BudgetMonth, Judgement, ModelCall
from tests.factories import make_trajectory
from tests.suggestions.llm.conftest import JUDGED
from tests.suggestions.llm.server import Reply, answering

pytestmark = pytest.mark.django_db(transaction=True)
MESSAGES = [{"role": "user", "content": "x" * 84}]  # 84 + 16 + 16 = 116 tokens at most


def many_runs(project, number: int) -> None:
    for each in range(number):
        make_trajectory(project, f"more-{each}", instruction=f"Find lamp {each}.")


def asked(key: str, **fields) -> dict:
    return {"key": key, "purpose": "judge", "prompt": "p.1", **fields}


def test_eight_workers_against_a_cap_keep_it_to_the_cent(project, connect):
    """Each call reserves 0.001116 and costs 0.001: of 40, the cap of 0.02 pays 19 and leaves too little for another."""
    connect(cap="0.02", input_price=1, output_price=1, max_output=1_000)
    model = model_named()
    price = price_of(model)

    def work(number: int) -> bool:
        try:
            while True:
                try:
                    call = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked(f"key-{number}"))
                    break
                except ledger.MustWait:
                    time.sleep(0.02)
            ledger.settle(call, Completion("{}", False, 100, 900, 1), price)
            return True
        except CapReached:
            return False
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        paid = sum(pool.map(work, range(40)))
    month = BudgetMonth.objects.get()
    assert (paid, month.spent, month.reserved) == (19, Decimal("0.019"), 0)
    assert month.spent == sum(call.cost for call in ModelCall.objects.answered())


def test_a_plan_of_eight_workers_stops_at_the_cap_and_says_so(project, connect, plan):
    many_runs(project, 20)
    server = connect(
        answering(JUDGED, usage=(1_000, 100), delay=0.02), cap="0.02", input_price=1, output_price=2, concurrency=8
    )
    told = suggest_by_model(dataset=project.dataset, plan=plan("all_at_once"))
    month = BudgetMonth.objects.get()
    assert month.spent == server.answered * Decimal("0.0012") <= Decimal("0.02")
    assert month.reserved == 0
    assert told.stopped.startswith("the budget study has ")
    assert told.judgements == server.answered > 0


def test_a_cap_without_a_price_starts_nothing(project, connect, plan):
    server = connect(cap=1, input_price=None, output_price=None)
    told = suggest_by_model(dataset=project.dataset, plan=plan("all_at_once"))
    assert told.stopped == str(PriceUnknown("tiny", "study"))
    assert (server.requests, told.as_json()["cost"]) == ([], None)


def test_an_unknown_price_without_a_cap_is_said_and_is_not_zero(project, connect, plan):
    connect(input_price=None, output_price=None)
    told = suggest_by_model(dataset=project.dataset, plan=plan("all_at_once"))
    assert told.as_json()["cost"] is None
    assert ModelCall.objects.get().cost is None


def test_a_call_whose_worker_died_counts_in_full_and_can_be_asked_again(project, connect):
    connect(cap=1)
    model = model_named()
    price = price_of(model)
    first = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("one"))
    with pytest.raises(ledger.MustWait):
        ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("one"))
    ModelCall.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    second = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("one"))
    month = BudgetMonth.objects.get()
    assert (month.spent, month.reserved) == (first.reserved, second.reserved)
    ledger.settle(first, Completion("{}", False, 1, 1, 1), price)  # it was alive after all
    month.refresh_from_db()
    assert (month.spent, month.reserved) == (first.reserved, second.reserved)


def test_a_call_lost_in_an_earlier_month_is_written_off_there_and_asked_again(project, connect):
    connect(cap=1)
    model = model_named()
    price = price_of(model)
    lost = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("one"))
    BudgetMonth.objects.update(month=date(2020, 1, 1))
    ModelCall.objects.update(lease_until=timezone.now())
    again = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("one"))
    before, now = BudgetMonth.objects.order_by("month")
    assert (before.spent, before.reserved, now.spent, now.reserved) == (lost.reserved, 0, 0, again.reserved)


def test_an_answer_that_came_late_is_kept_and_its_real_cost_counts(project, connect):
    connect(cap=1)
    model = model_named()
    price = price_of(model)
    late = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("late"))
    ModelCall.objects.filter(pk=late.pk).update(lease_until=timezone.now())
    other = ledger.reserve(model=model, price=price, messages=MESSAGES, **asked("other"))
    ledger.settle(late, Completion("{}", False, 100, 10, 1), price)
    late.refresh_from_db()
    month = BudgetMonth.objects.get()
    assert (late.state, late.error, late.cost) == ("done", "", Decimal("0.00012"))
    assert (month.spent, month.reserved) == (late.cost, other.reserved)


def test_a_question_is_answered_once_and_money_is_not_negative(project, connect):
    connect()
    model = model_named()
    ledger.reserve(model=model, price=None, messages=MESSAGES, **asked("one"))
    month = BudgetMonth.objects.get()
    with pytest.raises(IntegrityError, match="a_question_is_asked_once"), transaction.atomic():
        ModelCall.objects.create(month=month, lease_until=timezone.now(), **asked("one"))
    with pytest.raises(IntegrityError, match="what_is_over_is_settled"), transaction.atomic():
        ModelCall.objects.create(month=month, lease_until=timezone.now(), **asked("two", state="done"))
    with pytest.raises(IntegrityError, match="money_is_not_negative"), transaction.atomic():
        BudgetMonth.objects.create(budget="other", month=month.month, spent=-1)
    with pytest.raises(IntegrityError, match="one_row_per_budget_and_month"), transaction.atomic():
        BudgetMonth.objects.create(budget=month.budget, month=month.month)


def test_killing_a_worker_loses_nothing_and_pays_for_nothing_twice(project, connect, settings):
    many_runs(project, 11)

    def behaviour(body, number):
        return Reply(json.dumps(JUDGED), usage=(1_000, 100), delay=60 if number == 6 else 0.01)

    server = connect(behaviour, concurrency=1, timeout=3)
    database = connection.settings_dict
    host = database["HOST"]
    url = f"postgresql://{database['USER']}:{database['PASSWORD']}@/{database['NAME']}?host={host}"
    url += f"&port={database['PORT']}" if database["PORT"] else ""
    command = [sys.executable, "manage.py", "suggest", "--project", "shop", "--source", "llm", "--task", "all_at_once"]
    environment = os.environ | {"DATABASE_URL": url, "ASSAY_MODELS": settings.ASSAY_MODELS}
    worker = subprocess.Popen(
        command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    until = time.monotonic() + 120
    while len(server.requests) < 7 and time.monotonic() < until and worker.poll() is None:
        time.sleep(0.05)
    worker.send_signal(signal.SIGKILL)
    worker.communicate()
    assert (len(server.requests), Judgement.objects.count()) == (7, 6)

    same = plan_of(model="tiny", tasks=["all_at_once"], version=project.taxonomy_version, project="shop")
    told = suggest_by_model(dataset=project.dataset, plan=same)
    questions = [json.dumps(body["messages"]) for body in server.requests]
    assert len(questions) == 13  # the one that was in flight is the only one asked again
    assert len(set(questions)) == 12
    assert (told.judgements, told.bill.calls) == (12, 6)
    [lost] = ModelCall.objects.filter(state="lost")
    month = BudgetMonth.objects.get()
    assert (month.spent, month.reserved) == (12 * Decimal("0.0012") + lost.reserved, 0)
