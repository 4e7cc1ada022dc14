"""What beat publishes at the broker: enough to wake every job, and no more where nobody takes messages."""

import pytest
from django.conf import settings
from kombu import Connection

from jobs import registry
from jobs.actions import enqueue
from jobs.tasks import sweep

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("queues")]
USUAL, MODELS = settings.CELERY_TASK_DEFAULT_QUEUE, settings.MODELS_QUEUE


@pytest.fixture
def queues(servers, monkeypatch):
    monkeypatch.setattr(registry, "_queues", {"judge": MODELS})
    empty(USUAL, MODELS)
    yield
    empty(USUAL, MODELS)


def empty(*names):
    with Connection(settings.CELERY_BROKER_URL) as broker:
        for name in names:
            broker.default_channel.queue_purge(name)


def waiting(name: str) -> int:
    with Connection(settings.CELERY_BROKER_URL) as broker:
        return broker.default_channel.client.llen(name)


def test_rounds_without_a_worker_pile_up_no_messages():
    for kind in ("count", "judge"):
        enqueue(kind)
    for _ in range(5):
        sweep()
    assert (waiting(USUAL), waiting(MODELS)) == (1, 1)


def test_what_the_broker_lost_is_published_again_on_each_queue():
    for kind in ("count", "count", "judge"):
        enqueue(kind)
    empty(USUAL)
    sweep()
    assert (waiting(USUAL), waiting(MODELS)) == (2, 1)
