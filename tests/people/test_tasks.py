from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.celery import app
from people.tasks import clear_sessions

pytestmark = pytest.mark.django_db


def test_sessions_that_ended_are_cleared_and_others_stay():
    now = timezone.now()
    for key, ends in (("ended", now - timedelta(seconds=1)), ("open", now + timedelta(days=1))):
        Session.objects.create(session_key=key, session_data="", expire_date=ends)

    for _ in range(2):
        clear_sessions()

    assert list(Session.objects.values_list("session_key", flat=True)) == ["open"]


def test_beat_asks_for_it_once_a_day():
    planned = settings.CELERY_BEAT_SCHEDULE["clear-sessions"]
    runs = planned["schedule"]
    assert planned["task"] == clear_sessions.name
    assert (len(runs.hour), len(runs.minute), len(runs.day_of_week)) == (1, 1, 7)


def test_everything_that_beat_asks_for_is_known_to_workers():
    app.loader.import_default_modules()
    assert {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()} <= set(app.tasks)
