import logging
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from jobs.models import LEASE, Job
from jobs.registry import handler_of

MAX_ATTEMPTS = 3
logger = logging.getLogger(__name__)


class Cancelled(Exception):
    """Raised inside a handler at its next report of progress after somebody asked to stop."""


def enqueue(
    kind: str, *, key: str = "", project: str = "", payload: dict | None = None, by: str = "", delay: int = 0
) -> Job:
    """Write the job now, wake a worker after the commit. A waiting job of the same kind and key is returned instead."""
    due = timezone.now() + timedelta(seconds=delay)
    try:
        with transaction.atomic():
            job = Job.objects.create(kind=kind, key=key, project=project, payload=payload or {}, by=by, due_at=due)
    except IntegrityError:
        return Job.objects.get(kind=kind, key=key, state=Job.State.QUEUED)
    transaction.on_commit(lambda: wake(job.pk), robust=True)
    return job


def wake(job_id: int) -> None:
    """Best effort: when the broker is away, beat finds the row a few seconds later."""
    from jobs.tasks import run_job

    try:
        run_job.apply_async((job_id,), retry=False)
    except Exception as error:  # any transport failure is no error of the caller
        logger.warning("job %s waits for the next sweep: %s", job_id, type(error).__name__)


def take(job_id: int) -> Job | None:
    with transaction.atomic():
        job = Job.objects.takeable().select_for_update(skip_locked=True).filter(pk=job_id).first()
        if job is None:
            return None
        job.state, job.attempts = Job.State.RUNNING, job.attempts + 1
        job.started_at = job.started_at or timezone.now()
        job.lease_until = timezone.now() + LEASE
        job.save()
    return job


def run(job_id: int) -> Job | None:
    """Take the job and do it; None where another worker has it or it is over. Running it twice does no harm."""
    job = take(job_id)
    if job is None:
        return None
    try:
        if job.cancel_requested:
            raise Cancelled
        result = handler_of(job.kind)(job)
    except Cancelled:
        return finish(job, Job.State.CANCELLED)
    except Exception as error:
        logger.exception("job %s (%s) failed", job.pk, job.kind)
        return failed(job, error)
    return finish(job, Job.State.DONE, result=result or {})


def failed(job: Job, error: Exception) -> Job:
    job.errors = [*job.errors, {"at": timezone.now().isoformat(), "error": f"{type(error).__name__}: {error}"[:2000]}]
    if job.attempts >= MAX_ATTEMPTS:
        return finish(job, Job.State.FAILED)
    try:
        with transaction.atomic():
            job.state, job.lease_until = Job.State.QUEUED, None
            job.due_at = timezone.now() + timedelta(seconds=2**job.attempts)
            job.save()
    except IntegrityError:  # the same work was asked for again meanwhile; that job will do it
        job.errors = [*job.errors, {"error": "the same work waits in a newer job"}]
        return finish(job, Job.State.FAILED)
    return job


def finish(job: Job, state: str, result: dict | None = None) -> Job:
    job.state, job.lease_until, job.finished_at = state, None, timezone.now()
    job.result = result or job.result
    job.save()
    return job


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Say how far the work is and renew the lease; raises Cancelled when somebody asked to stop."""
    job.progress, job.total = progress, total if total is not None else job.total
    job.lease_until = timezone.now() + LEASE
    Job.objects.filter(pk=job.pk).update(progress=job.progress, total=job.total, lease_until=job.lease_until)
    if Job.objects.filter(pk=job.pk, cancel_requested=True).exists():
        raise Cancelled


def cancel(*, job: Job) -> Job:
    """A waiting job stops at once, a running one at its next report."""
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job.pk)
        job.cancel_requested = True
        if job.state == Job.State.QUEUED:
            job.state, job.finished_at = Job.State.CANCELLED, timezone.now()
        job.save()
    return job
