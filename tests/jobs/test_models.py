import pytest

from jobs.models import Job
from jobs.states import JOB
from tests.breaking import turned_down

pytestmark = pytest.mark.django_db


def test_one_job_of_a_kind_and_key_waits():
    Job.objects.create(kind="count", key="shop")

    with turned_down("one_waiting_job_per_key"):
        Job.objects.create(kind="count", key="shop")
    Job.objects.create(kind="count", key="other")
    Job.objects.create(kind="weigh", key="shop")
    Job.objects.create(kind="count")
    Job.objects.create(kind="count")


def test_a_running_job_has_a_lease():
    job = Job.objects.create(kind="count")

    with turned_down("running_jobs_have_a_lease"):
        Job.objects.filter(pk=job.pk).update(state="running")


@pytest.mark.parametrize("state", Job.State.values)
@pytest.mark.parametrize("after", Job.State.values)
def test_a_job_moves_by_its_table(state, after):
    from django.utils import timezone

    job = Job.objects.create(kind="count", state=state, lease_until=timezone.now())

    if state == after or (state, after) in JOB.pairs:
        Job.objects.filter(pk=job.pk).update(state=after)
    else:
        with turned_down("Invalid transition"):
            Job.objects.filter(pk=job.pk).update(state=after)


def test_what_is_over_has_no_further_move():
    assert set(Job.OVER) == {state for state, moves in JOB.table.items() if not moves}
