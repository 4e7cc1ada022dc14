"""The lease of a job at work: renewed as long as its worker lives, however long one step of the work takes."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from jobs.models import LEASE, Job

RENEW = LEASE.total_seconds() / 4
LONGEST = 12 * 60 * 60  # seconds; who does not end until then hangs, and another attempt may begin
logger = logging.getLogger(__name__)


@contextmanager
def kept_alive(job: Job) -> Iterator[None]:
    ended = threading.Event()
    thread = threading.Thread(target=renew_until, args=(ended, job), name=f"lease of job {job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def renew_until(ended: threading.Event, job: Job) -> None:
    for _ in range(int(LONGEST / RENEW)):
        if ended.wait(RENEW):
            return
        try:
            renew(job)
        except DatabaseError as error:
            logger.warning("the lease of job %s was not renewed: %s", job.pk, type(error).__name__)
        finally:
            connection.close()


@transaction.atomic
def renew(job: Job) -> None:
    """Of this attempt alone. Where the row is locked, whoever holds it is about to write it."""
    ours = Job.objects.filter(pk=job.pk, attempts=job.attempts, state=Job.State.RUNNING)
    if ours.select_for_update(skip_locked=True).first() is not None:
        ours.update(lease_until=timezone.now() + LEASE)
