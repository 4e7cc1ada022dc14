import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotate.closing import is_closed_above
from annotate.models.projects import Membership, Project
from annotate.states import ASSIGNMENT
from traces.models import Trajectory


class ItemQuerySet(models.QuerySet):
    def visible_to(self, user):
        """Items of the user's projects; what colleagues did with them is another question (Annotation.visible_to)."""
        return self.filter(project__in=Project.objects.visible_to(user))

    def of(self, project: Project):
        return self.filter(project=project)

    def may_get(self, user):
        """Items this annotator holds or may still get: there she sees nothing of colleagues, in any role."""
        return self.filter(may_be_got_by(user))

    def closed_to(self, user):
        """Items on which this person is told nothing of colleagues: held or still to be got, or to be judged first."""
        return self.filter(may_be_got_by(user) | is_closed_above(user, "pk"))


def may_be_got_by(user) -> Q:
    annotates = Membership.objects.filter(user_id=user.pk, role=Membership.Role.ANNOTATOR)
    mine = Assignment.objects.filter(item=OuterRef("pk"), user_id=user.pk)
    return Exists(mine.live().filter(state=Assignment.State.HELD)) | (
        Q(settled_at=None)
        & Q(project__in=annotates.values("project_id"))
        & ~Exists(mine.filter(state=Assignment.State.SUBMITTED))
        & ~Exists(Exposure.objects.filter(item=OuterRef("pk"), user_id=user.pk))
    )


class Item(models.Model):
    """What is put before a person: a trajectory of a project, with the claimed step where the protocol has one."""

    project = models.ForeignKey(Project, models.PROTECT, related_name="items")
    trajectory = models.ForeignKey(Trajectory, models.PROTECT, related_name="items")
    claimed_step = models.PositiveIntegerField(null=True)
    exclusion_group = models.CharField(max_length=100, blank=True)
    order = models.PositiveIntegerField(default=0)  # of handing out: random by the project's seed
    wanted = models.PositiveSmallIntegerField(default=2)  # people; routing may ask for more than the overlap
    # Set when no further annotator will be asked: accepted, or before an adjudicator.
    settled_at = models.DateTimeField(null=True)

    seen_by = 0  # the key of the person it was read for, where that was asked (queries.item_for); 0 is nobody's

    objects = ItemQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["project", "order"])]
        constraints = [
            models.UniqueConstraint(
                fields=["project", "trajectory", "claimed_step"], nulls_distinct=False, name="an_item_is_put_once"
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="items_stay_on_their_run",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("project", "trajectory", "claimed_step"),
            )
        ]

    def __str__(self):
        return f"item {self.pk}"


class AssignmentQuerySet(models.QuerySet):
    def visible_to(self, user):
        return self.filter(user_id=user.pk)

    def live(self):
        """Submitted, or held and not run out: what counts towards the people an item wants.

        A reopened turn keeps its place however long it takes, because agreement goes on resting on its first submission.
        """
        handed_in = Item.objects.filter(
            pk=OuterRef("item_id"),
            annotations__user=OuterRef("user_id"),
            annotations__submissions__isnull=False,
        )
        keeps = Q(held_until__gt=timezone.now()) | Exists(handed_in)
        return self.filter(Q(state=Assignment.State.SUBMITTED) | Q(state=Assignment.State.HELD) & keeps)


class Assignment(models.Model):
    """One person's turn at one item. Claims are atomic, expire, and are renewed by a heartbeat."""

    class State(models.TextChoices):
        HELD = "held"
        SUBMITTED = "submitted"
        SKIPPED = "skipped"
        EXPIRED = "expired"

    item = models.ForeignKey(Item, models.PROTECT, related_name="assignments")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=10, choices=State, default=State.HELD)
    planned = models.BooleanField(default=True)  # randomly handed out within the overlap; else asked for by routing
    reason = models.CharField(max_length=500, blank=True)  # why it was skipped
    claimed_at = models.DateTimeField(default=timezone.now)
    held_until = models.DateTimeField()
    seen_at = models.DateTimeField(default=timezone.now)
    active_seconds = models.PositiveIntegerField(default=0)
    spent = models.JSONField(default=dict)  # of them, by phase and by step: {"1": {"12": seconds}}
    ended_at = models.DateTimeField(null=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user"], condition=Q(state__in=["held", "submitted"]), name="one_turn_per_person"
            )
        ]
        triggers = [ASSIGNMENT.trigger("assignments_move_by_their_table")]

    def __str__(self):
        return f"{self.user_id} on item {self.item_id} ({self.state})"


class Exposure(models.Model):
    """Somebody has seen what colleagues did with an item, and so can no longer annotate it blind."""

    FEEDBACK = "feedback"  # the ruling on an item she annotated: what she submits afterwards is no longer untaught
    TO_JUDGE = "case to judge"  # that there is a case, but nothing of the annotations
    SUGGESTIONS = "suggestions"
    WITHIN_REACH = "annotations within reach"  # which she could have opened; whether she did is not known
    NO_ANNOTATIONS = (TO_JUDGE, SUGGESTIONS, WITHIN_REACH)

    item = models.ForeignKey(Item, models.CASCADE, related_name="exposures")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    to = models.CharField(max_length=40)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "user", "to"], name="an_exposure_is_noted_once")]

    def __str__(self):
        return f"{self.user_id} saw {self.to} of item {self.item_id}"
