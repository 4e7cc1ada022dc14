from django.conf import settings
from django.db import models
from django.utils import timezone

from annotate.models.annotations import Failure
from annotate.models.projects import Project


class Example(models.Model):
    """A real failure that leads hold up as a case of a category, or as none. Shown only to who may see the mark."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="examples")
    category = models.CharField(max_length=80)  # its key, the same in every version
    failure = models.ForeignKey(Failure, models.CASCADE, related_name="+")
    positive = models.BooleanField(default=True)
    note = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-positive", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["category", "failure"], name="a_failure_is_an_example_once_per_category")
        ]

    def __str__(self):
        return f"example of {self.category}"
