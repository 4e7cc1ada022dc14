import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

OLD_IS_FROZEN = pgtrigger.Q(old__frozen_at__isnull=False)


class Taxonomy(models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    preset = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name_plural = "taxonomies"

    def __str__(self):
        return self.slug


class TaxonomyVersion(models.Model):
    """A numbered state of a taxonomy. Frozen, it and its categories never change."""

    taxonomy = models.ForeignKey(Taxonomy, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    summary = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    frozen_at = models.DateTimeField(null=True)
    frozen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    event = models.PositiveIntegerField(default=0)  # the last codebook event it holds
    # What became of the version before: [{from, how, to, rule}], in codebook.mapping's words.
    mapping = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["taxonomy", "number"], name="version_numbers_are_unique")]
        triggers = [
            pgtrigger.Protect(
                name="frozen_versions_never_change",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=OLD_IS_FROZEN,
            )
        ]

    def __str__(self):
        return f"{self.taxonomy} v{self.number}"

    @property
    def is_frozen(self) -> bool:
        return self.frozen_at is not None


class Category(models.Model):
    version = models.ForeignKey(TaxonomyVersion, models.PROTECT, related_name="categories")
    key = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    definition = models.TextField(blank=True)
    when_to_use = models.TextField(blank=True)
    when_not = models.TextField(blank=True)
    checklist = models.JSONField(default=list)
    examples = models.JSONField(default=list)  # invented ones: [{text, positive}]; real steps hang on annotate.Example
    aliases = models.JSONField(default=list)
    names = models.JSONField(default=dict)  # what exports call it: {format: name}
    group = models.CharField(max_length=200, blank=True)
    colour = models.PositiveSmallIntegerField(default=0)  # one of the eight hues of tokens.css; 0 is none
    hotkey = models.CharField(max_length=1, blank=True)
    order = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["order"]
        verbose_name_plural = "categories"
        constraints = [models.UniqueConstraint(fields=["version", "key"], name="category_keys_are_unique")]
        triggers = [
            pgtrigger.Trigger(
                name="categories_of_frozen_versions_never_change",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete,
                func="""
                    IF EXISTS (
                        SELECT 1 FROM taxonomy_taxonomyversion
                        WHERE frozen_at IS NOT NULL AND id IN (NEW.version_id, OLD.version_id)
                    ) THEN
                        RAISE EXCEPTION 'a frozen version never changes';
                    END IF;
                    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                    RETURN NEW;
                """,
            )
        ]

    def __str__(self):
        return self.name


class Code(models.Model):
    """A short phrase an annotator coined. As marked it never changes; what it grows into is said by later events."""

    taxonomy = models.ForeignKey(Taxonomy, models.PROTECT, related_name="codes")
    phrase = models.CharField(max_length=200)
    definition = models.TextField(blank=True)
    coined_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    coined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint("taxonomy", Lower("phrase"), name="code_phrases_are_unique")]
        triggers = [
            pgtrigger.Protect(
                name="codes_never_change",
                operation=pgtrigger.UpdateOf("taxonomy_id", "phrase", "definition", "coined_by_id"),
            )
        ]

    def __str__(self):
        return self.phrase


class CodeEvent(models.Model):
    """One act on the codebook, append-only. Folding a taxonomy's events in order gives its living codes."""

    taxonomy = models.ForeignKey(Taxonomy, models.PROTECT, related_name="events")
    number = models.PositiveIntegerField()
    op = models.CharField(max_length=20)
    payload = models.JSONField()
    reason = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["taxonomy", "number"], name="code_event_numbers_are_unique")]
        triggers = [
            pgtrigger.Protect(name="code_events_are_append_only", operation=pgtrigger.Update | pgtrigger.Delete)
        ]

    def __str__(self):
        return f"{self.op} {self.number} of {self.taxonomy_id}"


class Proposal(models.Model):
    """An act that somebody, or a computation, asks leads to do. It changes nothing by itself."""

    class Source(models.TextChoices):
        PERSON = "person"
        CLUSTERING = "clustering"
        MODEL = "model"

    class State(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"

    taxonomy = models.ForeignKey(Taxonomy, models.PROTECT, related_name="proposals")
    source = models.CharField(max_length=10, choices=Source, default=Source.PERSON)
    op = models.CharField(max_length=20)
    payload = models.JSONField()
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    event = models.ForeignKey(CodeEvent, models.PROTECT, null=True, related_name="+")
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="a_proposal_has_a_reason"),
            models.CheckConstraint(
                condition=models.Q(state="open", answered_by=None)
                | models.Q(answered_by__isnull=False, event=None)
                | models.Q(answered_by__isnull=False, state="accepted"),
                name="only_accepted_proposals_have_an_event",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="proposals_stay_as_made",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange("taxonomy", "source", "op", "payload", "reason", "by", "at"),
            ),
            pgtrigger.Protect(name="proposals_are_kept", operation=pgtrigger.Delete),
        ]

    def __str__(self):
        return f"proposal {self.pk} to {self.op}"


class Memo(models.Model):
    """A note on a card of the codebook, or on a proposal: what its author thought, never changed."""

    taxonomy = models.ForeignKey(Taxonomy, models.PROTECT, related_name="memos")
    subject = models.CharField(max_length=90)  # a card's id, or "proposal:<pk>"
    text = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["taxonomy", "subject"])]
        constraints = [models.CheckConstraint(condition=~models.Q(text=""), name="a_memo_says_something")]
        triggers = [pgtrigger.Protect(name="memos_never_change", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"memo on {self.subject}"
