from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from annotate.models import Project


class DeclaredContrast(models.Model):
    """Two sources that are to be compared. Declared after the project was scored it stands outside the family."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="contrasts")
    a = models.CharField(max_length=400)
    b = models.CharField(max_length=400)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    before_scoring = models.BooleanField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["project", "a", "b"], name="a_contrast_is_declared_once"),
            models.CheckConstraint(condition=~Q(a=F("b")), name="a_contrast_is_of_two_sources"),
        ]

    def __str__(self):
        return f"{self.a} against {self.b}"
