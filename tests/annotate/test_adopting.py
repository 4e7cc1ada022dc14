"""A version is taken up in the very moment in which somebody saves."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from annotate.actions import adopt_version, freeze_version, record
from annotate.errors import Conflict
from annotate.models import Coding
from taxonomy.actions import act
from taxonomy.queries import last_event
from tests.factories import hold, make_project, make_user, only_item

PATIENCE = 60  # seconds; only a fault takes so long


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction looks once
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock')"
        )
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_who_saved_a_category_meanwhile_is_told_and_nothing_stands_under_the_version_before():
    project = make_project(taxonomy="agentrx")
    item, mia, ann = only_item(project), make_user("mia"), make_user("ann")
    hold(item, ann)
    taxonomy = project.taxonomy
    retired = {"nodes": ["guardrails_triggered"]}
    act(taxonomy=taxonomy, op="retire", payload=retired, reason="", base=last_event(taxonomy), by=mia)
    version = freeze_version(project=project, summary="fewer", by=mia)

    def save():
        mark = {"failure": "m1", "fields": {"first_step": 1, "category": "guardrails_triggered"}}
        try:
            return record(item=item.pk, user=ann, key="k", base=0, op="mark", payload=mark)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            adopt_version(project=project, version=version, by=mia)
            saving, until = pool.submit(save), time.monotonic() + PATIENCE
            while not somebody_waits_for_a_lock() and time.monotonic() < until:
                time.sleep(0.01)
        with pytest.raises(Conflict, match="a new version of the taxonomy was taken up"):
            saving.result()
    assert not Coding.objects.exists()
