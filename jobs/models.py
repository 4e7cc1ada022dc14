from datetime import timedelta

from django.db import models
from django.utils import timezone

from jobs.states import JOB

LEASE = timedelta(seconds=60)


class JobQuerySet(models.QuerySet):
    def takeable(self):
        """Queued, or running under a lease that ran out because its worker died."""
        now = timezone.now()
        return self.filter(
            models.Q(state=Job.State.QUEUED, due_at__lte=now) | models.Q(state=Job.State.RUNNING, lease_until__lt=now)
        )

    def of_project(self, slug: str):
        return self.filter(project=slug)


class Job(models.Model):
    """Any long work, of every kind. The row is the truth; the broker only wakes a worker up."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    OVER = (State.DONE, State.FAILED, State.CANCELLED)

    kind = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    project = models.CharField(max_length=60, blank=True)
    # Two waiting jobs of one kind and key would do the same work: the constraint below keeps one.
    key = models.CharField(max_length=200, blank=True)
    payload = models.JSONField(default=dict)
    result = models.JSONField(default=dict)
    errors = models.JSONField(default=list)
    progress = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(null=True)
    cost = models.DecimalField(max_digits=12, decimal_places=6, default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    cancel_requested = models.BooleanField(default=False)
    by = models.CharField(max_length=150, blank=True)  # a user name: this app knows no other
    due_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "due_at"]), models.Index(fields=["project", "-created_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=models.Q(state="queued") & ~models.Q(key=""),
                name="one_waiting_job_per_key",
            ),
            models.CheckConstraint(
                condition=models.Q(lease_until__isnull=False) | ~models.Q(state="running"),
                name="running_jobs_have_a_lease",
            ),
        ]
        triggers = [JOB.trigger("jobs_move_by_their_table")]

    def __str__(self):
        return f"{self.kind} {self.pk} ({self.state})"
