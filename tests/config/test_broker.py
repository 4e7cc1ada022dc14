import pytest
from django.conf import settings
from kombu import Connection

from config.celery import app

pytestmark = [pytest.mark.services, pytest.mark.usefixtures("servers")]


def test_a_published_task_waits_at_the_broker_for_a_worker():
    with Connection(settings.CELERY_BROKER_URL) as broker:
        queue = broker.SimpleQueue(settings.CELERY_TASK_DEFAULT_QUEUE)
        queue.clear()
        app.send_task("jobs.tasks.sweep")
        message = queue.get(timeout=10)
        message.ack()
        queue.close()
    assert message.headers["task"] == "jobs.tasks.sweep"


def test_tasks_travel_as_json_and_nothing_else_is_accepted():
    assert (settings.CELERY_TASK_SERIALIZER, settings.CELERY_ACCEPT_CONTENT) == ("json", ["json"])
