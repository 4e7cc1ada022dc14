from django.db import models
from django.utils import timezone

from annotate.models import Item, Project


class Routing(models.Model):
    """Where an item stands after the last routing, and why."""

    class Decision(models.TextChoices):
        ACCEPT = "accept"
        ANNOTATE = "annotate"
        WAITING = "waiting"
        ADJUDICATE = "adjudicate"

    item = models.OneToOneField(Item, models.CASCADE, related_name="routing")
    decision = models.CharField(max_length=10, choices=Decision)
    reasons = models.JSONField(default=list)
    explanation = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self):
        return f"{self.item_id}: {self.decision}"


class AgreementFigures(models.Model):
    """The agreement of a project as last computed, with when."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="agreement")
    figures = models.JSONField(default=dict)
    as_of = models.DateTimeField(default=timezone.now)

    def __str__(self):
        return f"agreement of {self.project_id}"
