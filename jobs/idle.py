from django.utils import timezone

from jobs.models import Job, JobQuerySet

PATIENCE = 60  # seconds a due job may wait before we say that no worker is there


def idle_seconds(jobs: JobQuerySet) -> int:
    """How long the oldest due job has waited, where that is longer than a worker at hand would let it; else 0."""
    due = jobs.filter(state=Job.State.QUEUED).order_by("due_at").values_list("due_at", flat=True).first()
    waited = int((timezone.now() - due).total_seconds()) if due else 0
    return waited if waited > PATIENCE else 0
