import json
import threading

import pytest
from django.db import DatabaseError, connection, transaction

from exports.actions import create_release, rows_of
from exports.errors import BadName, NameTaken, NothingToRelease
from exports.models import Release
from exports.selection import select
from exports.writing import write_file, write_zip
from people.models import AuditEvent
from tests.exports.worlds import items_of, make_shop, rule_disputed
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


def exported(project, format, **options):
    from io import BytesIO

    out = BytesIO()
    chosen = select(project, format=format, **options)
    (write_zip if chosen.writer.many_files else write_file)(chosen.writer, chosen.stream, out)
    return out.getvalue()


def test_a_release_freezes_gold_with_its_manifest():
    project = make_shop()
    mia = make_user("mia")

    release = create_release(project=project, name="v1", by=mia)

    (record,) = map(json.loads, rows_of(release).splitlines())
    assert (release.labels, record["trajectory_id"], record["critical"]) == (1, "shop-0", "f1")
    manifest = release.manifest
    assert manifest["taxonomy"]["version"] == 1 and len(manifest["taxonomy"]["categories"]) == 9
    assert manifest["by_basis"]["outcome"] == {"consensus": 1}
    assert manifest["by_process"] == {"human": 1} and manifest["by_definition"] == {"first_unrecoverable": 1}
    assert [each["trajectory"] for each in manifest["left_out"]] == ["shop-1", "shop-2"]
    assert manifest["rows"]["sha256"] == release.sha256
    assert {each["key"] for each in manifest["protocol"]["questions"]} >= {"critical_step", "outcome"}
    event = AuditEvent.objects.get(verb="released")
    assert (event.by, event.project, event.facts["sha256"]) == (mia, "shop", release.sha256)


def test_a_release_says_the_same_after_gold_has_changed():
    project = make_shop()
    before = {format: exported(project, format) for format in ("jsonl", "agentrx", "whowhen")}
    create_release(project=project, name="v1", by=make_user("mia"))
    rule_disputed(project)

    after = {format: exported(project, format, release="v1") for format in before}

    assert after == before
    assert exported(project, "agentrx") != before["agentrx"]


def test_a_release_never_changes_or_goes():
    release = create_release(project=make_shop(), name="v1", by=make_user("mia"))

    for act in (lambda: Release.objects.update(name="v2"), release.delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


def test_a_name_is_given_once_in_a_project():
    project = make_shop()
    create_release(project=project, name="v1", by=make_user("mia"))

    with pytest.raises(NameTaken, match="take another name"):
        create_release(project=project, name="v1", by=make_user("mia"))
    assert Release.objects.count() == 1


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a b", "a/b", "-x", "é", "x" * 61, "a\n", "v1\0"])
def test_a_name_fits_into_addresses_and_file_names(name):
    with pytest.raises(BadName):
        create_release(project=make_project(), name=name, by=make_user("mia"))


def test_nothing_is_not_released():
    with pytest.raises(NothingToRelease):
        create_release(project=make_project(), name="v1", by=make_user("mia"))
    assert not Release.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_release_sees_one_moment_while_rulings_go_on():
    from adjudication.models import GoldLabel
    from exports.actions import one_moment

    project = make_shop()
    item = items_of(project)[2]

    def change():
        GoldLabel.objects.create(item=item, field="outcome", value="no_failure", basis="single")
        connection.close()

    with one_moment():
        before = GoldLabel.objects.count()
        thread = threading.Thread(target=change)
        thread.start()
        thread.join()
        assert GoldLabel.objects.count() == before
    assert GoldLabel.objects.count() == before + 1
