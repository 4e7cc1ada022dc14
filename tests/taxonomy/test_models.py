import pytest

from people.actions import system_user
from taxonomy.actions import create_taxonomy, freeze
from taxonomy.models import Category, Code, Taxonomy, TaxonomyVersion
from tests.breaking import never_changes, sql, turned_down
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def version():
    return create_taxonomy(slug="shop", name="Shop", preset="agentrx", by=system_user())


@pytest.fixture
def frozen(version):
    return freeze(version=version, summary="as published", by=system_user())


@pytest.fixture
def draft(version):
    return TaxonomyVersion.objects.create(taxonomy=version.taxonomy, number=2)


def coined(version, phrase="wrong call"):
    return Code.objects.create(taxonomy=version.taxonomy, phrase=phrase, coined_by=make_user("ann"))


def test_slugs_numbers_keys_and_phrases_are_used_once(version):
    with turned_down("taxonomy_taxonomy_slug"):
        Taxonomy.objects.create(slug="shop", name="Another")
    with turned_down("version_numbers_are_unique"):
        TaxonomyVersion.objects.create(taxonomy=version.taxonomy, number=1)
    with turned_down("category_keys_are_unique"):
        Category.objects.create(version=version, key="system_failure", name="Again")
    coined(version)
    with turned_down("code_phrases_are_unique"):
        coined(version, "Wrong CALL")


def test_a_frozen_version_never_changes(frozen):
    never_changes(frozen, summary="better")


def test_a_frozen_version_is_not_thawed(frozen):
    with turned_down("Cannot update"):
        TaxonomyVersion.objects.filter(pk=frozen.pk).update(frozen_at=None)


def test_a_draft_version_and_its_categories_change(version):
    version.categories.filter(key="system_failure").update(name="Outage")
    version.categories.get(key="guardrails_triggered").delete()
    version.summary = "draft"
    version.save()

    assert version.categories.get(key="system_failure").name == "Outage"


def test_categories_of_a_frozen_version_never_change(frozen, draft):
    free = Category.objects.create(version=draft, key="free", name="Free")
    with turned_down("a frozen version never changes"):
        Category.objects.create(version=frozen, key="late", name="Late")
    with turned_down("a frozen version never changes"):
        frozen.categories.update(name="X")
    with turned_down("a frozen version never changes"):
        frozen.categories.first().delete()
    with turned_down("a frozen version never changes"):  # neither out of the frozen version …
        sql("UPDATE taxonomy_category SET version_id = %s WHERE version_id = %s", draft.pk, frozen.pk)
    with turned_down("a frozen version never changes"):  # … nor into it
        Category.objects.filter(pk=free.pk).update(version=frozen)
    free.delete()


def test_a_code_never_changes_as_marked(version):
    code, ben = coined(version), make_user("ben")
    for change in ({"phrase": "right call"}, {"definition": "new"}, {"coined_by": ben}):
        with turned_down("Cannot update"):
            Code.objects.filter(pk=code.pk).update(**change)
