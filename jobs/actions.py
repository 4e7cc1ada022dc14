import logging
from datetime import timedelta

from celery import current_app
from django.db import IntegrityError, transaction
from django.utils import timezone
from kombu.exceptions import ChannelError, OperationalError
from psycopg.errors import UniqueViolation

from jobs.lease import kept_alive
from jobs.models import LEASE, Job
from jobs.registry import handler_of, queue_of

MAX_ATTEMPTS = 3
logger = logging.getLogger(__name__)


class Cancelled(Exception):
    """Raised inside a handler at its next report of progress after somebody asked to stop."""


def enqueue(
    kind: str, *, key: str = "", project: str = "", payload: dict | None = None, by: str = "", delay: int = 0
) -> Job:
    """Write the job now, wake a worker after the commit. A waiting job of the same kind and key is returned instead."""
    due = timezone.now() + timedelta(seconds=delay)
    row = {"kind": kind, "key": key, "project": project, "payload": payload or {}, "by": by, "due_at": due}
    with transaction.atomic():
        job = None
        while job is None:
            job = insert(row) or waiting(kind, key)
        transaction.on_commit(lambda: wake(job.pk, kind), robust=True)
    return job


def insert(row: dict) -> Job | None:
    try:
        with transaction.atomic():
            return Job.objects.create(**row)
    except IntegrityError as error:
        if not isinstance(error.__cause__, UniqueViolation):
            raise
        return None  # the same work waits already


def waiting(kind: str, key: str) -> Job | None:
    """The waiting job, kept from workers until our commit: started earlier, it would miss what we changed."""
    return Job.objects.select_for_update().filter(kind=kind, key=key, state=Job.State.QUEUED).first()


def wake(job_id: int, kind: str) -> None:
    """Best effort: when the broker is away, beat finds the row a few seconds later."""
    from jobs.tasks import run_job

    try:
        run_job.apply_async((job_id,), queue=queue_of(kind), retry=False)
    except Exception as error:  # any transport failure is no error of the caller
        logger.warning("job %s waits for the next sweep: %s", job_id, type(error).__name__)


def is_awaited(queue: str | None) -> bool:
    """Whether messages wait there already: its workers are busy or away, and will come to all that is due."""
    name = queue or current_app.conf.task_default_queue
    try:
        with current_app.connection_for_read() as broker:
            return broker.default_channel.queue_declare(name, passive=True).message_count > 0
    except (ChannelError, OperationalError):  # no such queue as yet, or no broker: waking says so
        return False


def take(job_id: int) -> Job | None:
    """The job under a lease, None where another worker has it, it is over, or its workers died too often."""
    with transaction.atomic():
        job = Job.objects.takeable().select_for_update(skip_locked=True).filter(pk=job_id).first()
        if job is None:
            return None
        if job.attempts >= MAX_ATTEMPTS:
            job.errors = [*job.errors, {"at": timezone.now().isoformat(), "error": "its worker died each time"}]
            finish(job, Job.State.FAILED)
            return None
        job.state, job.attempts = Job.State.RUNNING, job.attempts + 1
        job.started_at = job.started_at or timezone.now()
        job.lease_until = timezone.now() + LEASE
        job.save()
    return job


def run(job_id: int) -> Job | None:
    """Take the job and do it; None where there was nothing to take. Running it twice does no harm."""
    job = take(job_id)
    if job is None:
        return None
    try:
        if job.cancel_requested:
            raise Cancelled
        with kept_alive(job):
            result = handler_of(job.kind)(job)
    except Cancelled:
        return finish(job, Job.State.CANCELLED)
    except Exception as error:
        logger.exception("job %s (%s) failed", job.pk, job.kind)
        return failed(job, error)
    return finish(job, Job.State.DONE, result=result or {})


def failed(job: Job, error: Exception) -> Job:
    job.errors = [*job.errors, {"at": timezone.now().isoformat(), "error": f"{type(error).__name__}: {error}"[:2000]}]
    if Job.objects.filter(pk=job.pk, cancel_requested=True).exists():
        return finish(job, Job.State.CANCELLED)
    if job.attempts >= MAX_ATTEMPTS:
        return finish(job, Job.State.FAILED)
    due = timezone.now() + timedelta(seconds=2**job.attempts)
    try:
        with transaction.atomic():
            return settle(job, state=Job.State.QUEUED, lease_until=None, due_at=due, errors=job.errors)
    except IntegrityError:  # the same work was asked for again meanwhile; that job will do it
        job.errors = [*job.errors, {"error": "the same work waits in a newer job"}]
        return finish(job, Job.State.FAILED)


def finish(job: Job, state: str, result: dict | None = None) -> Job:
    ended = {"state": state, "lease_until": None, "finished_at": timezone.now(), "errors": job.errors}
    return settle(job, **ended, result=result or job.result)


def settle(job: Job, **fields) -> Job:
    """Write how this attempt ended, unless its lease ran out and a later attempt has the job now."""
    Job.objects.filter(pk=job.pk, attempts=job.attempts).exclude(state__in=Job.OVER).update(**fields)
    job.refresh_from_db()
    return job


def report(job: Job, progress: int, total: int | None = None) -> None:
    """Say how far the work is and renew the lease; raises Cancelled when somebody asked to stop or took over."""
    job.progress, job.total = progress, total if total is not None else job.total
    job.lease_until = timezone.now() + LEASE
    ours = Job.objects.filter(pk=job.pk, attempts=job.attempts, state=Job.State.RUNNING)
    said = ours.update(progress=job.progress, total=job.total, lease_until=job.lease_until)
    if not said or ours.filter(cancel_requested=True).exists():
        raise Cancelled


def cancel(*, job: Job) -> Job:
    """A waiting job stops at once, a running one at its next report; one that is over stays as it is."""
    with transaction.atomic():
        job = Job.objects.select_for_update().get(pk=job.pk)
        if job.state in Job.OVER:
            return job
        job.cancel_requested = True
        if job.state == Job.State.QUEUED:
            job.state, job.finished_at = Job.State.CANCELLED, timezone.now()
        job.save()
    return job
