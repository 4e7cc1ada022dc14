import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from annotate.closing import is_closed_above
from annotate.models.projects import Membership
from annotate.models.work import Item
from annotate.states import ANNOTATION
from taxonomy.models import Category, Code, TaxonomyVersion

WORDS = ["outcome", "confidence", "reason_for_root_cause", "failure_summary"]
CONTENT = [*WORDS, "exhaustive", "critical_definition", "raw"]


class Outcome(models.TextChoices):
    CRITICAL = "critical"
    ALL_RECOVERED_OR_HARMLESS = "all_recovered_or_harmless"
    NO_FAILURE = "no_failure"
    CANNOT_TELL = "cannot_tell"


def part_of_submitted_never_changes(name: str, annotation_of: str) -> pgtrigger.Trigger:
    """Rows that make up an annotation change only while it is a draft; `annotation_of` maps a row to its annotation."""
    new, old = annotation_of.format(row="NEW"), annotation_of.format(row="OLD")
    return pgtrigger.Trigger(
        name=name,
        when=pgtrigger.Before,
        operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
        func=f"""
            IF EXISTS (
                SELECT 1 FROM annotate_annotation WHERE state = 'submitted' AND id IN ({new}, {old})
            ) THEN
                RAISE EXCEPTION 'a submitted annotation is frozen';
            END IF;
            IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
            RETURN NEW;
        """,
    )


class AnnotationQuerySet(models.QuerySet):
    def visible_to(self, user):
        """One's own; a colleague's only once submitted, to leads, and to adjudicators where a case asks for them.

        Who holds or may still get an item sees nothing of colleagues there, in any role, nor who has to judge its case
        first. No exception for superusers.
        """
        reached = self._reached_by(user, Membership.Role.LEAD)
        return reached.exclude(~Q(user_id=user.pk) & is_closed_above(user))

    def within_reach_of(self, user):
        """By it is judged who could have known colleagues' work: as visible_to, with what is closed for now, and with
        what viewers could work out of figures narrowed down to single runs."""
        return self._reached_by(user, Membership.Role.LEAD, Membership.Role.VIEWER)

    def _reached_by(self, user, *anywhere: str):
        role = Membership.objects.filter(project=OuterRef("item__project"), user_id=user.pk)
        everywhere = Exists(role.filter(role__in=anywhere))
        adjudicates = Exists(role.filter(role=Membership.Role.ADJUDICATOR)) & Q(item__settled_at__isnull=False)
        colleagues = Q(state=Annotation.State.SUBMITTED) & (everywhere | adjudicates)
        may_get = Item.objects.may_get(user).filter(pk=OuterRef("item_id"))
        member = Exists(role)
        return self.filter(Q(user_id=user.pk) & member | colleagues & ~Exists(may_get))

    def own(self, user):
        """The part of visible_to that needs no look at colleagues: one's own, while one is a member."""
        role = Membership.objects.filter(project=OuterRef("item__project"), user_id=user.pk)
        return self.filter(Exists(role), user_id=user.pk)

    def current(self):
        return self.filter(is_current=True)

    def submitted(self):
        return self.current().filter(state=Annotation.State.SUBMITTED)


class Annotation(models.Model):
    """One person's whole judgement of one item; its rows are the fold of its revisions."""

    class State(models.TextChoices):
        DRAFT = "draft"
        SUBMITTED = "submitted"

    class Process(models.TextChoices):
        HUMAN = "human"
        HUMAN_CONSENSUS = "human_consensus"
        MODEL = "model"
        INJECTED = "injected"
        ORACLE = "oracle"

    class Definition(models.TextChoices):
        FIRST_UNRECOVERABLE = "first_unrecoverable"
        DECISIVE = "decisive"

    item = models.ForeignKey(Item, models.PROTECT, related_name="annotations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="annotations")
    is_current = models.BooleanField(default=True)
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    process = models.CharField(max_length=20, choices=Process, default=Process.HUMAN)
    exhaustive = models.BooleanField(default=True)
    critical_definition = models.CharField(max_length=20, choices=Definition, default=Definition.FIRST_UNRECOVERABLE)
    outcome = models.CharField(max_length=30, choices=Outcome, blank=True)
    confidence = models.FloatField(null=True)
    reason_for_root_cause = models.TextField(blank=True)
    failure_summary = models.TextField(blank=True)
    raw = models.JSONField(default=dict)  # an imported label as it came
    revision = models.PositiveIntegerField(default=0)
    undoable = ArrayField(models.PositiveIntegerField(), default=list)  # revision numbers, last first to undo
    redoable = ArrayField(models.PositiveIntegerField(), default=list)
    created_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True)

    objects = AnnotationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["item", "user"], condition=Q(is_current=True), name="one_current_annotation_per_person_and_item"
            ),
            models.CheckConstraint(condition=~Q(state="submitted") | ~Q(outcome=""), name="submitted_has_an_outcome"),
            models.CheckConstraint(
                condition=Q(state="submitted", submitted_at__isnull=False) | Q(state="draft"),
                name="submitted_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__gte=0, confidence__lte=1), name="confidence_is_a_share"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="submitted_content_is_frozen",
                operation=pgtrigger.UpdateOf(*CONTENT),
                condition=pgtrigger.Q(old__state="submitted", new__state="submitted"),
            ),
            pgtrigger.Protect(
                name="annotations_stay_their_authors",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("item", "user", "process"),
            ),
            ANNOTATION.trigger("annotations_move_by_their_table"),
            pgtrigger.Protect(name="annotations_are_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self):
        return f"annotation {self.pk}"

    @property
    def is_submitted(self) -> bool:
        return self.state == self.State.SUBMITTED


class Answer(models.Model):
    """One answer to one question about one unit of the item: what agreement, routing and gold work on."""

    annotation = models.ForeignKey(Annotation, models.CASCADE, related_name="answers")
    unit = models.CharField(max_length=60)  # "run", or "step:<position>"
    question = models.CharField(max_length=60)
    value = models.JSONField()
    confidence = models.FloatField(null=True)
    rationale = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotation", "unit", "question"], name="a_question_is_answered_once")
        ]
        triggers = [part_of_submitted_never_changes("answers_are_frozen_by_submit", "{row}.annotation_id")]

    def __str__(self):
        return f"{self.question} of {self.unit}"


class Failure(models.Model):
    """A mark: where, by whom, what and why, and what became of it. Positions are 0-based."""

    class Anchor(models.TextChoices):
        STEP = "step"
        RANGE = "range"
        TASK = "task"
        POLICY = "policy"
        TOOLS = "tools"

    class Effect(models.TextChoices):
        RECOVERED = "recovered"
        HARMLESS = "harmless"
        PERSISTS = "persists"
        UNKNOWN = "unknown"

    annotation = models.ForeignKey(Annotation, models.CASCADE, related_name="failures")
    key = models.CharField(max_length=64)
    number = models.PositiveIntegerField()  # F1, F2 … in order of marking
    anchor = models.CharField(max_length=6, choices=Anchor, default=Anchor.STEP)
    first_step = models.PositiveIntegerField(null=True)
    last_step = models.PositiveIntegerField(null=True)
    participant = models.CharField(max_length=200, blank=True)
    none_fits = models.BooleanField(default=False)
    step_reason = models.TextField(blank=True)
    category_reason = models.TextField(blank=True)
    evidence = models.JSONField(default=list)  # [{step, block, start, end, text}], offsets in code points
    is_omission = models.BooleanField(default=False)
    cause = models.ForeignKey("self", models.SET_NULL, null=True, related_name="effects")
    repeats = models.ForeignKey("self", models.SET_NULL, null=True, related_name="repeated_by")
    effect = models.CharField(max_length=10, choices=Effect, blank=True)
    recovered_at = models.PositiveIntegerField(null=True)
    recovered_by = models.CharField(max_length=200, blank=True)
    suggested_by = models.CharField(max_length=40, blank=True)  # the accepted suggestion: "violation:12"
    is_critical = models.BooleanField(default=False)
    raw = models.JSONField(default=dict)
    codes = models.ManyToManyField(Code, through="FailureCode", related_name="failures")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["annotation", "key"], name="failure_keys_are_unique"),
            models.UniqueConstraint(fields=["annotation"], condition=Q(is_critical=True), name="one_critical_failure"),
            models.CheckConstraint(
                condition=Q(anchor="step", first_step__isnull=False, last_step__isnull=False, last_step=F("first_step"))
                | Q(anchor="range", first_step__isnull=False, last_step__isnull=False, last_step__gt=F("first_step"))
                | Q(anchor__in=["task", "policy", "tools"], first_step=None, last_step=None),
                name="an_anchor_has_its_steps",
            ),
            models.CheckConstraint(
                condition=Q(recovered_at=None) | Q(effect="recovered"), name="only_recovered_failures_recover"
            ),
        ]
        triggers = [part_of_submitted_never_changes("failures_are_frozen_by_submit", "{row}.annotation_id")]

    def __str__(self):
        return f"F{self.number}"


class FailureCode(models.Model):
    failure = models.ForeignKey(Failure, models.CASCADE)
    code = models.ForeignKey(Code, models.PROTECT)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order"]
        constraints = [models.UniqueConstraint(fields=["failure", "code"], name="a_code_stands_once_on_a_failure")]
        triggers = [
            part_of_submitted_never_changes(
                "codes_of_failures_are_frozen_by_submit",
                "(SELECT annotation_id FROM annotate_failure WHERE id = {row}.failure_id)",
            )
        ]

    def __str__(self):
        return f"{self.code_id} on {self.failure_id}"


class Coding(models.Model):
    """The category of a failure under one taxonomy version: the layer that recodes without touching the mark.

    No category says that none of the version's fits, as somebody found who recoded it.
    """

    failure = models.ForeignKey(Failure, models.CASCADE, related_name="codings")
    version = models.ForeignKey(TaxonomyVersion, models.PROTECT, related_name="+")
    category = models.ForeignKey(Category, models.PROTECT, null=True, related_name="codings")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    event = models.CharField(max_length=60)  # what made it: "revision 4", "import", a recoding
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["failure", "version"], name="one_category_per_version")]
        triggers = [
            pgtrigger.Trigger(
                name="a_category_is_of_the_version",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update,
                func="""
                    IF NEW.category_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM taxonomy_category WHERE id = NEW.category_id AND version_id = NEW.version_id
                    ) THEN
                        RAISE EXCEPTION 'the category is not of this taxonomy version';
                    END IF;
                    RETURN NEW;
                """,
            )
        ]

    def __str__(self):
        return f"{self.failure_id} is {self.category_id}"
