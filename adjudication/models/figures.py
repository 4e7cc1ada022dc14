from django.conf import settings
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
    """The agreement of a project as last computed, with when. Values come first, intervals when a worker has time."""

    project = models.OneToOneField(Project, models.CASCADE, related_name="agreement")
    figures = models.JSONField(default=dict)
    as_of = models.DateTimeField(default=timezone.now)
    intervals_as_of = models.DateTimeField(null=True)  # None: none computed yet

    def __str__(self):
        return f"agreement of {self.project_id}"

    @property
    def intervals_wait(self) -> bool:
        """The values are newer than the intervals beside them."""
        return self.intervals_as_of is None or self.intervals_as_of < self.as_of


class KeptComparisons(models.Model):
    """What the blind annotations of each item mark, compared: so that only a touched item is compared again.

    One row per project, because thousands of small ones take longer to read and write than to compare again.
    """

    project = models.OneToOneField(Project, models.CASCADE, related_name="+")
    by_item = models.JSONField(default=dict)  # {item: [submissions compared, comparison or null]}

    def __str__(self):
        return f"comparisons of {self.project_id}"


class FilteredFigures(models.Model):
    """Agreement under a filter, as computed for one person: over the items that she may not annotate any more."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64)  # of the filter and of the items left out
    figures = models.JSONField(default=dict)
    as_of = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user", "key"], name="filtered_figures_are_kept_once")
        ]

    def __str__(self):
        return f"agreement of {self.project_id} under {self.key[:8]}"
