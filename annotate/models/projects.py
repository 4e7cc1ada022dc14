import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

from taxonomy.models import TaxonomyVersion
from traces.models import Dataset


def new_salt() -> str:
    return secrets.token_hex(16)


class ProjectQuerySet(models.QuerySet):
    def visible_to(self, user):
        """The projects a user is a member of; nobody sees others, superusers included."""
        return self.filter(pk__in=Membership.objects.filter(user_id=user.pk).values("project_id"))

    def open(self):
        return self.filter(closed_at=None)


class Project(models.Model):
    """A dataset annotated by one protocol with one taxonomy."""

    class Reveal(models.TextChoices):
        NEVER = "never"
        AFTER_PHASE_1 = "after_phase_1"
        ALWAYS = "always"
        RANDOMISED = "randomised"

    class RevealUnit(models.TextChoices):
        TRAJECTORY = "trajectory"  # all annotators of a run are in one arm: their agreement can be compared
        ASSIGNMENT = "assignment"  # each annotator of a run by itself: what the shift is measured on

    class Coding(models.TextChoices):
        OPEN = "open"  # codes are coined; categories grow out of them
        CLOSED = "closed"  # a version's categories are chosen; a code is coined where none fits

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    dataset = models.ForeignKey(Dataset, models.PROTECT, related_name="projects")
    protocol = models.CharField(max_length=20, default="attribution")
    taxonomy_version = models.ForeignKey(TaxonomyVersion, models.PROTECT, related_name="projects")
    coding = models.CharField(max_length=6, choices=Coding, default=Coding.CLOSED)
    overlap = models.PositiveSmallIntegerField(default=2)
    reveal = models.CharField(max_length=20, choices=Reveal, default=Reveal.NEVER)
    reveal_unit = models.CharField(max_length=10, choices=RevealUnit, default=RevealUnit.TRAJECTORY)  # if randomised
    reveal_share = models.PositiveSmallIntegerField(default=50)  # percent that see suggestions, if randomised
    layers = models.JSONField(default=list)  # optional layers annotators may see: user_script, expected
    routing = models.JSONField(default=dict)  # what differs from adjudication.routing.Rules
    # Two sources with different definitions of "critical" count as consensus only where the project says so.
    takes_definitions_as_one = models.BooleanField(default=False)
    single_is_gold = models.BooleanField(default=False)
    hold_minutes = models.PositiveSmallIntegerField(default=45)
    seed = models.PositiveIntegerField(default=1)
    salt = models.CharField(max_length=32, default=new_salt)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(overlap__gte=1), name="overlap_is_at_least_one"),
            models.CheckConstraint(condition=models.Q(reveal_share__range=(1, 99)), name="a_lot_can_fall_either_way"),
        ]

    def __str__(self):
        return self.slug

    @property
    def is_closed_coding(self) -> bool:
        return self.coding == self.Coding.CLOSED

    @property
    def taxonomy(self):
        return self.taxonomy_version.taxonomy


class Membership(models.Model):
    """A role of a user in a project; a person may hold several."""

    class Role(models.TextChoices):
        ANNOTATOR = "annotator"
        ADJUDICATOR = "adjudicator"
        LEAD = "lead"
        VIEWER = "viewer"

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user", "role"], name="a_role_is_held_once")]

    def __str__(self):
        return f"{self.user_id} is {self.role} of {self.project_id}"
