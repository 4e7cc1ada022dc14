from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from people.actions import system_user
from people.models import AuditEvent
from taxonomy.actions import coin, create_taxonomy, freeze
from taxonomy.models import Code
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def taxonomy():
    return create_taxonomy(slug="shop", name="Shop", preset="none", by=system_user()).taxonomy


@pytest.mark.parametrize(
    ("first", "again"), [("wrong call", "Wrong CALL"), ("θ", "\u03f4"), ("k", "\u212a"), ("å", "\u212b")]
)
def test_a_phrase_in_another_case_is_the_same_code(taxonomy, first, again):
    ann = make_user("ann")
    code = coin(taxonomy=taxonomy, phrase=first, definition="", by=ann)

    assert coin(taxonomy=taxonomy, phrase=again, definition="other", by=make_user("ben")) == code
    assert Code.objects.values_list("phrase", "definition", "coined_by").get() == (first, "", ann.pk)


@pytest.mark.django_db(transaction=True)
def test_a_phrase_coined_twice_at_once_is_one_code(taxonomy):
    ann, start = make_user("ann"), Barrier(4)

    def worker(n):
        try:
            start.wait()
            return coin(taxonomy=taxonomy, phrase=["wrong call", "Wrong call"][n % 2], definition="", by=ann).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(worker, range(4)))) == 1


def test_freezing_says_who_and_when_and_is_audited(taxonomy):
    mia = make_user("mia")
    version = freeze(version=taxonomy.versions.get(), summary="first", by=mia)

    assert (version.is_frozen, version.frozen_by, version.summary) == (True, mia, "first")
    assert AuditEvent.objects.filter(verb="version frozen", by=mia).exists()
