from django.db import IntegrityError, transaction
from django.db.models import Value
from django.db.models.functions import Lower
from django.utils import timezone

from people.actions import audit
from people.models import User
from taxonomy.models import Category, Code, CodeEvent, Taxonomy, TaxonomyVersion
from taxonomy.presets import load
from taxonomy.presets.spelling import fold


@transaction.atomic
def create_taxonomy(*, slug: str, name: str, preset: str, by: User) -> TaxonomyVersion:
    """A taxonomy with its first version, filled from a preset."""
    draft = load(preset)
    taxonomy = Taxonomy.objects.create(slug=slug, name=name, preset=draft.name)
    words = [category.words() for category in draft.categories]
    version = TaxonomyVersion.objects.create(taxonomy=taxonomy, number=1, summary=draft.title, event=1 if words else 0)
    write_categories(version, words)
    if words:
        CodeEvent.objects.create(
            taxonomy=taxonomy, number=1, op="start", payload={"categories": words}, reason=draft.title, by=by
        )
    audit("taxonomy created", taxonomy, by=by, preset=draft.name)
    return version


def write_categories(version: TaxonomyVersion, words: list[dict]) -> None:
    Category.objects.bulk_create(Category(version=version, order=order, **each) for order, each in enumerate(words))


@transaction.atomic
def freeze(*, version: TaxonomyVersion, summary: str, by: User) -> TaxonomyVersion:
    version.summary, version.frozen_at, version.frozen_by = summary, timezone.now(), by
    version.save()
    audit("version frozen", version, by=by, number=version.number)
    return version


def spellings(version: TaxonomyVersion) -> dict[str, Category]:
    """Every spelling of the version's categories, folded, for labels that come from outside."""
    return {
        fold(spelling): category
        for category in version.categories.all()
        for spelling in (category.key, category.name, *category.aliases)
    }


def coin(*, taxonomy: Taxonomy, phrase: str, definition: str, by: User) -> Code:
    """The code of this phrase in any case; coined now if nobody has."""
    same = Code.objects.filter(taxonomy=taxonomy).alias(folded=Lower("phrase")).filter(folded=Lower(Value(phrase)))
    known = same.first()
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return Code.objects.create(taxonomy=taxonomy, phrase=phrase, definition=definition, coined_by=by)
    except IntegrityError:  # somebody coined it this moment
        return same.get()
