import re

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone

from annotate.models import Project
from traces.models import Blob

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


class ReleaseQuerySet(models.QuerySet):
    def visible_to(self, user):
        return self.filter(project__in=Project.objects.visible_to(user))


class Release(models.Model):
    """A named, immutable snapshot of a project's gold labels with its manifest."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="releases")
    name = models.CharField(max_length=60)
    labels = models.PositiveIntegerField()
    rows = models.ForeignKey(Blob, models.PROTECT, related_name="+")  # NDJSON of exports.rows.Row
    sha256 = models.CharField(max_length=64)
    manifest = models.JSONField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="release_names_are_unique")]
        triggers = [pgtrigger.Protect(name="releases_never_change", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return self.name
