from django.db import models
from django.utils import timezone

from traces.models import Trajectory


class Constraint(models.Model):
    """A rule a run should keep, in AgentRx's schema; its check is text here and runs in the sandbox only."""

    class Kind(models.TextChoices):
        SCHEMA = "SCHEMA"
        PROTOCOL = "PROTOCOL"
        RELATIONAL_POST = "RELATIONAL_POST"
        PROVENANCE = "PROVENANCE"
        TEMPORAL = "TEMPORAL"
        CAPABILITY = "CAPABILITY"

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind)
    taxonomy_targets = models.JSONField(default=list)
    trigger = models.JSONField(default=dict)
    check_type = models.CharField(max_length=20)
    check_body = models.JSONField(default=dict)
    hint = models.TextField(blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self):
        return self.name


class Violation(models.Model):
    """A constraint that a step breaks, with its evidence. Never shown before the project's reveal rule allows it."""

    trajectory = models.ForeignKey(Trajectory, models.CASCADE, related_name="violations")
    constraint = models.ForeignKey(Constraint, models.PROTECT, related_name="violations")
    step = models.PositiveIntegerField()
    evidence = models.JSONField(default=dict)
    source = models.CharField(max_length=100)
    run = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trajectory", "constraint", "step", "source", "run"], name="a_violation_is_said_once"
            )
        ]

    def __str__(self):
        return f"{self.constraint} at step {self.step}"


class Judgement(models.Model):
    """A model's answer for a whole run: critical step, participant, category, reason."""

    trajectory = models.ForeignKey(Trajectory, models.CASCADE, related_name="judgements")
    source = models.CharField(max_length=100)
    model = models.CharField(max_length=100)
    protocol = models.CharField(max_length=60)
    run = models.CharField(max_length=100, blank=True)
    critical_step = models.PositiveIntegerField(null=True)
    participant = models.CharField(max_length=200, blank=True)
    category = models.CharField(max_length=200, blank=True)
    ranking = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    raw = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trajectory", "source", "model", "protocol", "run"], name="a_judgement_is_given_once"
            )
        ]

    def __str__(self):
        return f"{self.model} on {self.trajectory_id}"
