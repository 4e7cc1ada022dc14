import hashlib

import pgtrigger
from django.db import models
from django.utils import timezone

FOREVER = pgtrigger.Update | pgtrigger.Delete


class BlobQuerySet(models.QuerySet):
    def keep(self, content: bytes, media_type: str) -> "Blob":
        """The blob of this content, stored once however often it is given."""
        sha256 = hashlib.sha256(content).hexdigest()
        self.bulk_create(
            [Blob(sha256=sha256, media_type=media_type, size=len(content), content=content)], ignore_conflicts=True
        )
        return self.defer("content").get(pk=sha256)


class Blob(models.Model):
    """Content by its hash: raw originals, policies, tool lists, images and blocks too large for a step's row."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    media_type = models.CharField(max_length=80)
    size = models.PositiveBigIntegerField()
    content = models.BinaryField()

    objects = BlobQuerySet.as_manager()

    class Meta:
        triggers = [pgtrigger.Protect(name="blobs_never_change", operation=FOREVER)]

    def __str__(self):
        return f"{self.sha256[:12]} ({self.size} bytes)"


class Dataset(models.Model):
    """A named collection of trajectories, which several projects may annotate."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self):
        return self.slug


class Trajectory(models.Model):
    """One recorded run. Identity is (dataset, source, external id); equal content never merges two."""

    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="trajectories")
    source = models.CharField(max_length=100)
    external_id = models.CharField(max_length=300)
    external_id_is_int = models.BooleanField(default=False)  # the JSON type of the id where it came from
    domain = models.CharField(max_length=100, blank=True)
    task_cluster = models.CharField(max_length=300, blank=True)  # runs of one task are not independent
    format = models.CharField(max_length=40)
    instruction = models.TextField(blank=True)
    policy = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    toolset = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    participants = models.JSONField(default=list)
    layers = models.JSONField(default=dict)  # task, user_script, expected, outcome, oracle, injection
    origin = models.JSONField(default=dict)  # file, record, shape of the envelope: what an exporter needs
    raw = models.ForeignKey(Blob, models.PROTECT, null=True, related_name="+")
    n_steps = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)  # of the steps: tells unchanged from other content, nothing else
    imported_at = models.DateTimeField(default=timezone.now)
    redacted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "trajectories"
        constraints = [
            models.UniqueConstraint(fields=["dataset", "source", "external_id"], name="trajectory_identity"),
            models.CheckConstraint(condition=models.Q(n_steps__gt=0), name="trajectory_has_steps"),
        ]
        triggers = [pgtrigger.Protect(name="trajectories_never_change", operation=FOREVER)]

    def __str__(self):
        return f"{self.source}/{self.external_id}"

    @property
    def native_id(self) -> int | str:
        """The external id in the JSON type it came in."""
        return int(self.external_id) if self.external_id_is_int else self.external_id


class Step(models.Model):
    """The unit labels point at: one record of the source. Positions are 0-based; the native index is the source's."""

    trajectory = models.ForeignKey(Trajectory, models.CASCADE, related_name="steps")
    position = models.PositiveIntegerField()
    native_index = models.IntegerField(null=True)
    native_id = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=200, blank=True)  # the speaker as the source spells it
    agent = models.CharField(max_length=200, blank=True)  # that of its blocks if it is one
    kinds = models.JSONField(default=list)
    preview = models.CharField(max_length=200, blank=True)
    characters = models.PositiveIntegerField(default=0)
    has_error = models.BooleanField(default=False)
    # [{kind, agent, text, source_ref, tool_name, call_id, arguments, is_error, blob, size}]; text over 256 kB is in blob
    blocks = models.JSONField(default=list)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["trajectory", "position"], name="one_step_per_position")]
        triggers = [pgtrigger.Protect(name="steps_never_change", operation=FOREVER)]

    def __str__(self):
        return f"step {self.position} of {self.trajectory_id}"
