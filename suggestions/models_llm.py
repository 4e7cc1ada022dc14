"""What asking models leaves behind: every call with its cost and its answer, what a month of a budget has left."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from traces.models import Trajectory

MONEY = {"max_digits": 16, "decimal_places": 8}  # US dollars; one token costs less than a cent by far


class BudgetMonth(models.Model):
    """One month of one budget. Reserved before a call and settled after it, under this row's lock."""

    budget = models.CharField(max_length=60)
    month = models.DateField()  # its first day, UTC
    reserved = models.DecimalField(**MONEY, default=0)
    spent = models.DecimalField(**MONEY, default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["budget", "month"], name="one_row_per_budget_and_month"),
            models.CheckConstraint(condition=Q(reserved__gte=0, spent__gte=0), name="money_is_not_negative"),
        ]

    def __str__(self):
        return f"{self.budget} in {self.month:%Y-%m}"


class ModelCallQuerySet(models.QuerySet):
    def answered(self):
        return self.filter(state=ModelCall.State.DONE)

    def of_project(self, slug: str):
        return self.filter(project=slug)


class ModelCall(models.Model):
    """One attempt at asking a model. A done call is also the cache: the same question is never paid for twice."""

    class State(models.TextChoices):
        RESERVED = "reserved"  # money is set aside, the answer is awaited
        DONE = "done"
        FAILED = "failed"  # refused by the provider before it did any work
        LOST = "lost"  # no answer came, yet it may have been charged: counted as spent in full

    key = models.CharField(max_length=64)  # hash of prompt, model, parameters, run's content and the run's name
    state = models.CharField(max_length=8, choices=State, default=State.RESERVED)
    project = models.CharField(max_length=60, blank=True)  # a slug: this app knows no projects
    trajectory = models.ForeignKey(Trajectory, models.CASCADE, null=True, related_name="model_calls")
    purpose = models.CharField(max_length=60)
    prompt = models.CharField(max_length=80)  # name, version and hash; the text itself is in the code
    model = models.CharField(max_length=100)  # the name settings give it
    run = models.CharField(max_length=100, blank=True)
    month = models.ForeignKey(BudgetMonth, models.PROTECT, related_name="calls")
    reserved = models.DecimalField(**MONEY, default=0)
    cost = models.DecimalField(**MONEY, null=True)  # null: the price is not known
    estimated_tokens = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    latency_ms = models.PositiveIntegerField(default=0)
    answer = models.TextField(blank=True)
    refused = models.BooleanField(default=False)
    error = models.CharField(max_length=200, blank=True)  # our words; what providers say may quote keys and prompts
    lease_until = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True)

    objects = ModelCallQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["project", "-created_at"]), models.Index(fields=["key"])]
        constraints = [
            models.UniqueConstraint(
                fields=["key"], condition=Q(state__in=["reserved", "done"]), name="a_question_is_asked_once"
            ),
            models.CheckConstraint(
                condition=Q(state="reserved") | Q(settled_at__isnull=False), name="what_is_over_is_settled"
            ),
        ]

    def __str__(self):
        return f"{self.purpose} by {self.model} ({self.state})"


class ModelTurn(models.Model):
    """When a model may be asked next: its rate limit, shared by all workers, and the wait a provider asked for."""

    model = models.CharField(max_length=100, unique=True)
    next_at = models.DateTimeField(default=timezone.now)

    def __str__(self):
        return f"{self.model} from {self.next_at}"


class ModelChoice(models.Model):
    """What a project asks which model."""

    project = models.CharField(max_length=60, unique=True)
    model = models.CharField(max_length=100)
    tasks = models.JSONField(default=list)

    def __str__(self):
        return f"{self.project}: {self.model}"
