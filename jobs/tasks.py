from itertools import groupby

from celery import shared_task

from jobs import actions
from jobs.models import Job
from jobs.registry import queue_of


@shared_task(name="jobs.tasks.run_job")
def run_job(job_id: int) -> None:
    actions.run(job_id)


@shared_task(name="jobs.tasks.sweep")
def sweep() -> None:
    """Beat's round: wake up what nobody took and what a dead worker left."""
    due = Job.objects.takeable()
    kinds = due.order_by().values_list("kind", flat=True).distinct()
    for queue, group in groupby(sorted(kinds, key=queue_name), key=queue_name):
        if not actions.is_awaited(queue):
            for job_id, kind in due.filter(kind__in=group).order_by("due_at").values_list("pk", "kind")[:200]:
                actions.wake(job_id, kind)


def queue_name(kind: str) -> str:
    return queue_of(kind) or ""
