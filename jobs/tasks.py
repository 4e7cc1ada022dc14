from celery import shared_task

from jobs import actions
from jobs.models import Job


@shared_task(name="jobs.tasks.run_job")
def run_job(job_id: int) -> None:
    actions.run(job_id)


@shared_task(name="jobs.tasks.sweep")
def sweep() -> None:
    """Beat's round: wake up what nobody took and what a dead worker left."""
    for job_id, kind in Job.objects.takeable().order_by("due_at").values_list("pk", "kind")[:200]:
        actions.wake(job_id, kind)
