import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from adjudication.states import CASE
from annotate.models import Annotation, Assignment, Item, Membership
from annotate.models.annotations import Outcome
from taxonomy.models import Proposal


class CaseQuerySet(models.QuerySet):
    def visible_to(self, user):
        """To adjudicators and leads of the project, never to who annotated the item or may still get it."""
        roles = [Membership.Role.ADJUDICATOR, Membership.Role.LEAD]
        member = Membership.objects.filter(project=OuterRef("item__project"), user_id=user.pk, role__in=roles)
        may_get = Item.objects.may_get(user).filter(pk=OuterRef("item_id"))
        worked = Assignment.objects.filter(item=OuterRef("item_id"), user_id=user.pk)
        wrote = Annotation.objects.filter(item=OuterRef("item_id"), user_id=user.pk)
        return self.filter(Exists(member) & ~Exists(may_get) & ~Exists(worked) & ~Exists(wrote))

    def open(self):
        return self.filter(state=Case.State.OPEN)

    def closed_to(self, user):
        """Open cases that this adjudicator has to judge first: until then nothing about the annotations is told."""
        rules = Membership.objects.filter(
            project=OuterRef("item__project"), user_id=user.pk, role=Membership.Role.ADJUDICATOR
        )
        looked = FirstLook.objects.filter(case=OuterRef("pk"), by_id=user.pk)
        return self.open().filter(Exists(rules) & ~Exists(looked), judge_first=True)


class Case(models.Model):
    """An item whose annotations disagree, waiting for a ruling by somebody who did not annotate it."""

    class State(models.TextChoices):
        OPEN = "open"
        RULED = "ruled"
        WITHDRAWN = "withdrawn"  # the reason went away before anybody ruled

    item = models.ForeignKey(Item, models.PROTECT, related_name="cases")
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    reasons = models.JSONField(default=list)  # [{kind, size, text}]
    priority = models.FloatField(default=0)
    opened_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    held_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    held_until = models.DateTimeField(null=True)
    draft = models.JSONField(default=dict)  # of the ruling being written, by held_by
    judge_first = models.BooleanField(default=False)  # the adjudicator judges the run before the annotations are shown
    is_check = models.BooleanField(default=False)  # they agree; drawn to estimate how often agreement is wrong
    # Of a case that was opened to be ruled again; the ruling named here stands until this case is ruled.
    revises = models.ForeignKey("adjudication.Ruling", models.PROTECT, null=True, related_name="revised_in")
    why_again = models.TextField(blank=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item"], condition=Q(state="open"), name="one_open_case_per_item"),
            models.CheckConstraint(
                condition=Q(held_by=None, held_until=None) | Q(held_by__isnull=False, held_until__isnull=False),
                name="a_held_case_has_an_end",
            ),
            models.CheckConstraint(
                condition=Q(revises=None, why_again="") | Q(revises__isnull=False) & ~Q(why_again=""),
                name="a_case_ruled_again_says_why",
            ),
        ]
        triggers = [CASE.trigger("cases_move_by_their_table")]

    def __str__(self):
        return f"case {self.pk} ({self.state})"


class FirstLook(models.Model):
    """What an adjudicator answered about the run before the annotations were shown. Never changed."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="first_looks")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=30, choices=Outcome)
    critical_step = models.PositiveIntegerField(null=True)
    participant = models.CharField(max_length=200, blank=True)
    category = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["case", "by"], name="one_first_look_per_adjudicator"),
            models.CheckConstraint(
                condition=Q(outcome="critical", critical_step__isnull=False)
                | ~Q(outcome="critical") & Q(critical_step=None),
                name="a_first_look_has_a_step_where_it_is_critical",
            ),
        ]
        triggers = [pgtrigger.Protect(name="first_looks_never_change", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"first look at {self.case_id}"


class RulingQuerySet(models.QuerySet):
    def not_revised(self):
        """Without those that who ruled has replaced by ruling again."""
        return self.filter(~Exists(Ruling.objects.filter(case__revises=OuterRef("pk"))))


class Ruling(models.Model):
    """The answer to a case: outcome, the failures that stand, why, and why people differed. Never changed."""

    class Cause(models.TextChoices):
        SLIP = "slip"
        GUIDELINE_UNCLEAR = "guideline_unclear"
        CATEGORY_UNCLEAR = "category_unclear"
        TRULY_AMBIGUOUS = "truly_ambiguous"

    case = models.OneToOneField(Case, models.PROTECT, related_name="ruling")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rulings")
    at = models.DateTimeField(default=timezone.now)
    outcome = models.CharField(max_length=30, choices=Outcome)
    # [{key, first_step, last_step, anchor, participant, codes, category, step_reason, category_reason, effect,
    #   is_critical, from: [{annotation, key}]}]: from is empty where the adjudicator wrote the mark
    failures = models.JSONField(default=list)
    reason_for_root_cause = models.TextField(blank=True)
    failure_summary = models.TextField(blank=True)
    rationale = models.TextField()
    cause = models.CharField(max_length=20, choices=Cause)
    basis = models.JSONField(default=list)  # [{annotation, submission, sha256}] that were on the table
    cited_steps = models.JSONField(default=list)  # positions the rationale points at
    guideline_note = models.TextField(blank=True)  # what the guideline should say about this
    proposal = models.OneToOneField(Proposal, models.PROTECT, null=True, related_name="ruling")  # to the taxonomy

    objects = RulingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(rationale=""), name="a_ruling_has_a_rationale"),
        ]
        triggers = [pgtrigger.Protect(name="rulings_never_change", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"ruling of {self.case_id}"
