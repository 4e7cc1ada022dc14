from django.db import models
from django.utils import timezone

from suggestions.models_llm import BudgetMonth, ModelCall, ModelChoice, ModelTurn
from traces.models import Dataset, Trajectory

__all__ = [
    "BudgetMonth",
    "Constraint",
    "Evaluation",
    "Judgement",
    "ModelCall",
    "ModelChoice",
    "ModelTurn",
    "Violation",
]


class ConstraintQuerySet(models.QuerySet):
    def runnable_on(self, dataset: Dataset):
        """Imported constraints whose check can be tried on the runs of this dataset."""
        return self.filter(dataset=dataset).exclude(check_type=Constraint.FROM_A_LOG)


class Constraint(models.Model):
    """A rule a run should keep, in AgentRx's schema; its check is text here and runs in the sandbox only."""

    FROM_A_LOG = "log"  # known from a violation log only: there is no check to run

    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    taxonomy_targets = models.JSONField(default=list)
    trigger = models.JSONField(default=dict)
    check_type = models.CharField(max_length=20)  # builtin, python_check, nl_check, log
    check_body = models.JSONField(default=dict)  # as it was given
    code = models.TextField(blank=True)  # what runs: the given code, repaired where the fault is a known one
    function_name = models.CharField(max_length=200, blank=True)
    repairs = models.JSONField(default=list)
    fault = models.CharField(max_length=500, blank=True)  # why the check cannot run
    hint = models.TextField(blank=True)
    severity = models.CharField(max_length=20, default="medium")
    # Where an imported constraint holds: the runs of a dataset; for a dynamic one, one run from one step on.
    dataset = models.ForeignKey(Dataset, models.CASCADE, null=True, related_name="constraints")
    trajectory = models.ForeignKey(Trajectory, models.CASCADE, null=True, related_name="constraints")
    from_position = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ConstraintQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["dataset", "name"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(trajectory=None) | models.Q(dataset__isnull=False), name="a_run_is_in_its_dataset"
            )
        ]

    def __str__(self):
        return self.name


class ViolationQuerySet(models.QuerySet):
    def standing(self):
        """What the latest evaluation still says. Showing it to a person is for the project's reveal rule to allow."""
        return self.filter(withdrawn_at=None)


class Violation(models.Model):
    """A constraint that a step breaks, with its evidence. Never deleted, since somebody may have acted on it."""

    trajectory = models.ForeignKey(Trajectory, models.CASCADE, related_name="violations")
    constraint = models.ForeignKey(Constraint, models.PROTECT, related_name="violations")
    step = models.PositiveIntegerField()
    evidence = models.JSONField(default=dict)
    source = models.CharField(max_length=100)
    run = models.CharField(max_length=100, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True)  # a later evaluation no longer found it

    objects = ViolationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trajectory", "constraint", "step", "source", "run"], name="a_violation_is_said_once"
            )
        ]

    def __str__(self):
        return f"{self.constraint} at step {self.step}"


class Evaluation(models.Model):
    """That a source has looked at a run, with what key: equal content and equal constraints are not done again."""

    trajectory = models.ForeignKey(Trajectory, models.CASCADE, related_name="evaluations")
    source = models.CharField(max_length=100)
    key = models.CharField(max_length=64)
    counts = models.JSONField(default=dict)  # by verdict, in (step, constraint) pairs
    not_evaluated = models.JSONField(default=list)  # [{constraint, step, why}], the first of each constraint
    evaluated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trajectory", "source"], name="one_evaluation_per_source")]

    def __str__(self):
        return f"{self.source} on {self.trajectory_id}"


class JudgementQuerySet(models.QuerySet):
    def of_dataset(self, dataset: Dataset):
        return self.filter(trajectory__dataset=dataset)


class Judgement(models.Model):
    """A model's answer for a whole run: critical step, participant, category, reason. No step is an abstention."""

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

    objects = JudgementQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trajectory", "source", "model", "protocol", "run"], name="a_judgement_is_given_once"
            )
        ]

    def __str__(self):
        return f"{self.model} on {self.trajectory_id}"
