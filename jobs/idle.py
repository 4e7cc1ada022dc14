from datetime import datetime, timedelta

from django.utils import timezone

from jobs.models import Job, JobQuerySet

PATIENCE = timedelta(minutes=1)  # that a due job may wait before we say that no worker is there


def idle_since(jobs: JobQuerySet) -> datetime | None:
    """Since when the oldest due job waits, where that is longer than a worker at hand would let it."""
    due = jobs.filter(state=Job.State.QUEUED, due_at__lt=timezone.now() - PATIENCE)
    return due.order_by("due_at").values_list("due_at", flat=True).first()
