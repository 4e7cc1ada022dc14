import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from annotate.models.annotations import Annotation, Outcome
from taxonomy.models import TaxonomyVersion


class Revision(models.Model):
    """One operation on an annotation, append-only. Folding an annotation's revisions in order gives its rows."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    key = models.CharField(max_length=64)  # the client's idempotency key
    op = models.CharField(max_length=20)
    payload = models.JSONField()
    patch = models.JSONField()  # what it changed
    inverse = models.JSONField()  # what takes it back
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "number"], name="revision_numbers_are_unique"),
            models.UniqueConstraint(fields=["annotation", "key"], name="a_key_is_used_once"),
        ]
        triggers = [pgtrigger.Protect(name="revisions_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"revision {self.number} of {self.annotation_id}"


class Submission(models.Model):
    """The state of an annotation as it was handed in. The first is what agreement rests on; the last is for gold."""

    annotation = models.ForeignKey(Annotation, models.PROTECT, related_name="submissions")
    number = models.PositiveSmallIntegerField()
    revision = models.PositiveIntegerField()
    version = models.ForeignKey(TaxonomyVersion, models.PROTECT, related_name="+")  # that its categories are of
    at = models.DateTimeField(default=timezone.now)
    state = models.JSONField()
    sha256 = models.CharField(max_length=64)
    planned = models.BooleanField(default=True)
    assisted = models.BooleanField(default=False)
    post_feedback = models.BooleanField(default=False)  # its author had seen how her earlier labels compared
    # The answers agreement reads, kept beside the state so that it need not be unfolded.
    outcome = models.CharField(max_length=30, choices=Outcome)
    critical_step = models.PositiveIntegerField(null=True)
    participant = models.CharField(max_length=200, blank=True)
    category = models.CharField(max_length=80, blank=True)  # its key, or "none_fits"
    failure_steps = ArrayField(models.PositiveIntegerField(), default=list)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["annotation", "number"], name="submission_numbers_are_unique")]
        triggers = [pgtrigger.Protect(name="submissions_never_change", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"submission {self.number} of {self.annotation_id}"
