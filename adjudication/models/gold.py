from django.db import models
from django.utils import timezone

from annotate.models import Item


class GoldLabel(models.Model):
    """The value a release uses for one field of an item, with its basis and the revisions it rests on."""

    class Field(models.TextChoices):
        OUTCOME = "outcome"
        CRITICAL_STEP = "critical_step"
        PARTICIPANT = "participant"
        CATEGORY = "category"
        FAILURES = "failures"
        REASON = "reason_for_root_cause"
        SUMMARY = "failure_summary"

    class Basis(models.TextChoices):
        SINGLE = "single"
        CONSENSUS = "consensus"
        ADJUDICATED = "adjudicated"

    item = models.ForeignKey(Item, models.CASCADE, related_name="gold")
    field = models.CharField(max_length=30, choices=Field)
    value = models.JSONField(null=True)
    basis = models.CharField(max_length=12, choices=Basis)
    rests_on = models.JSONField(default=list)  # [{annotation, submission, sha256}] or [{ruling}]
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "field"], name="one_gold_value_per_field")]

    def __str__(self):
        return f"{self.field} of {self.item_id} ({self.basis})"
