import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.annotations import Annotation
from annotate.models.work import Item
from suggestions.models import Judgement, Violation


class SuggestionEvent(models.Model):
    """What a person was shown of the suggestions on an item, when, and what she did with it. Append-only.

    `opened` says that she looked at all, even where there was nothing. An adjudicator's events have no annotation.
    """

    class Kind(models.TextChoices):
        OPENED = "opened"
        SHOWN = "shown"
        ACCEPTED = "accepted"
        DISMISSED = "dismissed"

    item = models.ForeignKey(Item, models.PROTECT, related_name="suggestion_events")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    annotation = models.ForeignKey(Annotation, models.PROTECT, null=True, related_name="suggestion_events")
    kind = models.CharField(max_length=10, choices=Kind)
    violation = models.ForeignKey(Violation, models.PROTECT, null=True, related_name="+")
    judgement = models.ForeignKey(Judgement, models.PROTECT, null=True, related_name="+")
    failure = models.CharField(max_length=64, blank=True)  # the key of the mark an accepted one became
    reason = models.CharField(max_length=500, blank=True)  # why it was dismissed
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user", "kind", "violation", "judgement"],
                condition=Q(kind__in=["opened", "shown"]),
                nulls_distinct=False,
                name="a_showing_is_noted_once",
            ),
            models.CheckConstraint(
                condition=Q(kind="opened", violation=None, judgement=None)
                | (
                    ~Q(kind="opened")
                    & (Q(violation=None, judgement__isnull=False) | Q(violation__isnull=False, judgement=None))
                ),
                name="an_event_is_of_one_suggestion",
            ),
            models.CheckConstraint(condition=~Q(kind="dismissed") | ~Q(reason=""), name="a_dismissal_has_a_reason"),
        ]
        triggers = [
            pgtrigger.Protect(name="suggestion_events_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self):
        return f"{self.user_id} {self.kind} on item {self.item_id}"

    @property
    def suggestion(self) -> str:
        """The name operations and marks call it by."""
        return f"violation:{self.violation_id}" if self.violation_id else f"judgement:{self.judgement_id}"
