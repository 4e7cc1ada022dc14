"""A job in one long step: its lease goes on while its worker works, and ends with it."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from jobs import lease, registry
from jobs.actions import enqueue, run, take
from jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 60  # seconds; only a fault takes so long


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(lease, "RENEW", 0.02)
    monkeypatch.setattr(registry, "_handlers", {})


def until(holds) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


def lease_of(job) -> timedelta:
    return Job.objects.get(pk=job.pk).lease_until - timezone.now()


def test_who_works_without_a_word_keeps_the_job():
    def silent(job):
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert until(lambda: lease_of(job) > timedelta(seconds=30))
        return {"taken by another": take(job.pk) is not None}

    registry.handles("silent")(silent)
    done = run(enqueue("silent").pk)
    assert (done.state, done.attempts, done.result) == ("done", 1, {"taken by another": False})


def test_a_lease_that_another_attempt_has_is_left_to_it():
    job = take(enqueue("silent").pk)
    Job.objects.filter(pk=job.pk).update(attempts=2, lease_until=timezone.now() + timedelta(seconds=5))
    lease.renew(job)
    assert lease_of(job) < timedelta(seconds=6)


def test_nothing_renews_it_when_the_work_has_ended():
    threads = []

    def brief(job):
        threads.extend(thread for thread in lease.threading.enumerate() if thread.name == f"lease of job {job.pk}")
        raise ValueError

    registry.handles("brief")(brief)
    run(enqueue("brief").pk)
    assert [thread.is_alive() for thread in threads] == [False]
