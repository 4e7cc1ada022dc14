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
    aliases = models.JSONField(default=list)
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
