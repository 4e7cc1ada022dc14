from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier, Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from jobs import actions, registry
from jobs.actions import cancel, enqueue, report, run, take
from jobs.models import Job
from jobs.tasks import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture
def kinds(monkeypatch):
    """A registry of the test's own, and no broker: every waking is written down."""
    found = {}
    monkeypatch.setattr(registry, "_handlers", found)
    return found


@pytest.fixture
def woken(monkeypatch):
    ids = []
    monkeypatch.setattr(actions, "wake", lambda job_id, kind: ids.append(job_id))
    monkeypatch.setattr(actions, "is_awaited", lambda queue: False)
    return ids


def again(job):
    return Job.objects.get(pk=job.pk)


def expire(job):
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_is_done_once(kinds):
    kinds["count"] = lambda job: {"n": job.payload["n"] + 1}
    job = enqueue("count", payload={"n": 1})

    assert run(job.pk).state == "done"
    assert run(job.pk) is None
    job = again(job)
    assert (job.result, job.attempts, job.lease_until) == ({"n": 2}, 1, None)
    assert job.started_at <= job.finished_at


def test_workers_are_woken_after_the_commit(woken, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue("count")
        assert woken == []
    assert woken == [job.pk]


def test_the_same_work_waits_once_and_is_begun_anew_while_it_runs(kinds, woken):
    first = enqueue("count", key="shop")
    assert enqueue("count", key="shop") == first
    take(first.pk)

    second = enqueue("count", key="shop")
    assert (second.state, second.pk != first.pk) == ("queued", True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_waiting_job_is_not_begun_before_the_change_that_counts_on_it(kinds, woken):
    """Else the worker would read the world as it was, and nobody would look again."""
    kinds["count"] = lambda job: {}
    job = enqueue("count", key="shop")
    inside, seen = Event(), []

    def worker():
        try:
            inside.wait(10)
            seen.append(take(job.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        assert enqueue("count", key="shop") == job
        inside.set()
        pool.submit(worker).result()
    assert seen == [None]
    assert woken == [job.pk, job.pk]
    assert run(job.pk).state == "done"


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_eight_workers_do_each_job_once(kinds, woken):
    kinds["count"] = lambda job: {}
    jobs, start = [enqueue("count").pk for _ in range(10)], Barrier(8)

    def worker(_):
        try:
            start.wait()
            return [pk for pk in jobs if run(pk) is not None]
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        done = [pk for pks in pool.map(worker, range(8)) for pk in pks]

    assert sorted(done) == jobs
    assert set(Job.objects.values_list("state", "attempts")) == {("done", 1)}


@pytest.mark.django_db(transaction=True)
def test_eight_submitters_leave_one_waiting_job(woken):
    start = Barrier(8)

    def submitter(_):
        try:
            start.wait()
            return enqueue("count", key="shop").pk
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(submitter, range(8)))) == 1
    assert Job.objects.count() == 1


def test_what_a_dead_worker_left_is_taken_when_its_lease_runs_out(kinds, woken):
    kinds["count"] = lambda job: {}
    job = enqueue("count")
    take(job.pk)
    assert run(job.pk) is None

    expire(job)
    sweep()
    assert woken == [job.pk]
    assert (run(job.pk).state, again(job).attempts) == ("done", 2)


def test_a_job_that_kills_its_workers_fails_at_last(kinds):
    job = enqueue("count")
    for _ in range(3):
        assert take(job.pk) is not None
        expire(job)

    assert take(job.pk) is None
    assert (again(job).state, again(job).errors[-1]["error"]) == ("failed", "its worker died each time")


@pytest.mark.parametrize(
    "act",
    [
        lambda job: actions.finish(job, Job.State.DONE, {"by": "late"}),
        lambda job: actions.failed(job, ValueError("late")),
        lambda job: report(job, 5),
    ],
)
def test_a_late_worker_changes_nothing_of_the_attempt_that_took_over(kinds, act):
    job = enqueue("count")
    late = take(job.pk)
    expire(job)
    take(job.pk)
    before = Job.objects.values().get()

    with suppress(actions.Cancelled):
        act(late)

    assert Job.objects.values().get() == before


def test_a_failing_job_is_tried_three_times_ever_later(kinds):
    def fail(job):
        raise ValueError("no scales")

    kinds["weigh"] = fail
    job = enqueue("weigh")
    waits = []
    for _ in range(2):
        asked = timezone.now()
        assert run(job.pk).state == "queued"
        assert run(job.pk) is None  # not due yet
        waits.append(round((again(job).due_at - asked).total_seconds()))
        Job.objects.update(due_at=timezone.now())

    assert run(job.pk).state == "failed"
    assert waits == [2, 4]
    assert [each["error"] for each in again(job).errors] == ["ValueError: no scales"] * 3


def test_a_failed_attempt_gives_way_to_a_newer_job_of_the_same_work(kinds):
    def fail(job):
        enqueue("weigh", key="shop")
        raise ValueError("no scales")

    kinds["weigh"] = fail
    job = enqueue("weigh", key="shop")

    assert run(job.pk).state == "failed"
    assert again(job).errors[-1]["error"] == "the same work waits in a newer job"
    assert Job.objects.get(state="queued").pk != job.pk


def test_an_unknown_kind_fails_and_says_so(kinds):
    job = enqueue("dance")
    for _ in range(3):
        Job.objects.update(due_at=timezone.now())
        run(job.pk)

    assert again(job).state == "failed"
    assert again(job).errors[0]["error"] == "UnknownKind: no handler is registered for jobs of kind “dance”"


def test_two_handlers_of_one_kind_are_a_mistake(kinds):
    registry.handles("count")(lambda job: {})

    with pytest.raises(ValueError, match="two handlers"):
        registry.handles("count")(lambda job: {})


def test_cancelling_stops_a_waiting_job_at_once(kinds):
    job = enqueue("count")

    assert cancel(job=job).state == "cancelled"
    assert run(job.pk) is None


def test_cancelling_stops_a_running_job_at_its_next_report(kinds):
    def count(job):
        report(job, 1, 3)
        cancel(job=job)
        report(job, 2)
        raise AssertionError("went on")

    kinds["count"] = count
    job = run(enqueue("count").pk)

    assert (job.state, job.progress, job.total) == ("cancelled", 2, 3)


def test_a_cancelled_job_that_fails_is_not_tried_again(kinds):
    def count(job):
        cancel(job=job)
        raise ValueError("stopped half-way")

    kinds["count"] = count

    assert run(enqueue("count").pk).state == "cancelled"


def test_cancelling_what_is_over_changes_nothing(kinds):
    kinds["count"] = lambda job: {}
    job = run(enqueue("count").pk)

    assert (cancel(job=job).state, again(job).cancel_requested) == ("done", False)


def test_reporting_renews_the_lease(kinds):
    job = take(enqueue("count").pk)
    Job.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    report(job, 1)

    assert again(job).lease_until > timezone.now() + timedelta(seconds=50)


def test_a_broker_that_is_away_is_no_error_and_the_sweep_finds_the_job(
    kinds, monkeypatch, django_capture_on_commit_callbacks
):
    from jobs.tasks import run_job

    def away(*args, **options):
        raise ConnectionError("no broker")

    monkeypatch.setattr(run_job, "apply_async", away)
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue("count")
    assert again(job).state == "queued"

    sent = []
    monkeypatch.setattr(run_job, "apply_async", lambda args, **options: sent.append(args))
    sweep()
    assert sent == [(job.pk,)]


def test_a_job_for_later_is_not_due_yet(kinds, woken):
    kinds["count"] = lambda job: {}
    job = enqueue("count", delay=60)

    sweep()
    assert (woken, run(job.pk)) == ([], None)


def test_a_kind_may_have_a_queue_of_its_own(monkeypatch):
    monkeypatch.setattr(registry, "_handlers", {})
    monkeypatch.setattr(registry, "_queues", {})
    sent = []
    monkeypatch.setattr("jobs.tasks.run_job.apply_async", lambda args, **options: sent.append((args, options["queue"])))
    registry.handles("slow", queue="apart")(lambda job: {})
    registry.handles("usual")(lambda job: {})
    actions.wake(1, "slow")
    actions.wake(2, "usual")
    assert sent == [((1,), "apart"), ((2,), None)]
