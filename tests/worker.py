"""A worker of the queue of models, in a thread: it takes jobs from the broker as the deployed one does."""

import time
from contextlib import contextmanager

from celery.contrib.testing.worker import start_worker
from django.conf import settings

from config.celery import app
from jobs.models import Job

PATIENCE = 300  # seconds; only a fault takes so long


@contextmanager
def models_worker():
    with start_worker(app, pool="solo", queues=[settings.MODELS_QUEUE], perform_ping_check=False):
        yield


def outcome_of(kind: str) -> Job:
    """The latest job of this kind, once it is over."""
    until = time.monotonic() + PATIENCE
    while (job := Job.objects.filter(kind=kind).latest("pk")).state not in Job.OVER and time.monotonic() < until:
        time.sleep(0.1)
    return job
