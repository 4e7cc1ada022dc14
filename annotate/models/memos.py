from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotate.closing import is_closed_above
from annotate.models.annotations import Annotation
from annotate.models.projects import Membership, Project
from annotate.models.work import Item


class ItemMemoQuerySet(models.QuerySet):
    def visible_to(self, user):
        """One's own; what is addressed to the lead, to leads; a colleague's memo where her annotation may be seen.

        Who holds or may still get an item, or has to judge its case first, reads nothing of colleagues there, in any
        role. No exception for superusers.
        """
        role = Membership.objects.filter(project=OuterRef("item__project"), user_id=user.pk)
        may_get = Item.objects.may_get(user).filter(pk=OuterRef("item_id"))
        hers = Annotation.objects.visible_to(user).filter(item=OuterRef("item_id"), user=OuterRef("by"))
        is_lead = Exists(role.filter(role=Membership.Role.LEAD))
        addressed = ~Q(kind=ItemMemo.Kind.MEMO) & is_lead
        told = ~Exists(may_get) & ~is_closed_above(user)
        return self.filter(Exists(role), Q(by=user.pk) | told & (addressed | Exists(hers)))

    def to_lead(self, user, project: Project):
        """What the leads of the project were told and this one may read, open first."""
        found = self.visible_to(user).filter(item__project=project).exclude(kind=ItemMemo.Kind.MEMO)
        return found.order_by(models.F("closed_at").desc(nulls_first=True), "-pk")


class ItemMemo(models.Model):
    """A note beside the judgement of an item: for its author, or for the lead. The text never changes."""

    class Kind(models.TextChoices):
        MEMO = "memo", "memo"
        COMMENT = "comment", "comment to the lead"
        GUIDELINE = "guideline", "the guideline does not say"
        REOPEN = "reopen", "asks to open it again"

    item = models.ForeignKey(Item, models.PROTECT, related_name="memos")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    key = models.CharField(max_length=64)  # the client's: sent twice, it is written once
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.MEMO)
    step = models.PositiveIntegerField(null=True)  # by position; none for the run as a whole
    failure = models.CharField(max_length=64, blank=True)  # the key of the author's mark it is on
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)
    reply = models.TextField(blank=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    objects = ItemMemoQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "by", "key"], name="a_memo_is_written_once"),
            models.CheckConstraint(condition=~Q(text=""), name="an_item_memo_says_something"),
        ]

    def __str__(self):
        return f"{self.kind} on item {self.item_id}"
