import pytest

from exports.models import Release
from tests.breaking import never_changes, turned_down
from traces.models import Blob

pytestmark = pytest.mark.django_db


def test_a_release_never_changes_and_its_name_is_used_once(project, mia):
    rows = Blob.objects.keep(b"", "application/x-ndjson")
    given = {"project": project, "name": "v1", "labels": 0, "rows": rows, "sha256": "0" * 64, "manifest": {}, "by": mia}
    release = Release.objects.create(**given)

    with turned_down("release_names_are_unique"):
        Release.objects.create(**given)
    never_changes(release, labels=7)
    assert Release.objects.get().labels == 0
