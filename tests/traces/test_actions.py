import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from people.actions import system_user
from people.models import AuditEvent
from tests.breaking import never_changes
from tests.factories import make_draft, make_step
from traces.actions import INLINE_LIMIT, Differs, redact, store
from traces.models import Blob, Dataset, Step, Trajectory
from traces.redaction import REDACTED

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return Dataset.objects.create(slug="shop", name="Shop")


def stored(dataset, *names, **fields):
    return store(dataset=dataset, draft=make_draft(*names, **fields)).trajectory


def test_the_same_run_again_is_left_alone(dataset):
    first = store(dataset=dataset, draft=make_draft("run"))
    again = store(dataset=dataset, draft=make_draft("run"))

    assert (first.is_new, again.is_new, first.trajectory) == (True, False, again.trajectory)
    assert (Trajectory.objects.count(), Step.objects.count()) == (1, 4)


def test_other_steps_under_its_identity_are_refused(dataset):
    run = stored(dataset, "run")

    with pytest.raises(Differs) as caught:
        stored(dataset, "run", steps=5)
    assert caught.value.trajectory == run
    assert Step.objects.count() == 4


def test_equal_steps_of_two_identities_stay_two_runs(dataset):
    one, two = stored(dataset, "run-1"), stored(dataset, "run-2")

    assert one.digest == two.digest
    assert one != two


@pytest.mark.parametrize("native", [7, "7", "007"])
def test_an_id_keeps_its_type(dataset, native):
    run = Trajectory.objects.get(pk=stored(dataset, native).pk)

    assert (run.native_id, type(run.native_id)) == (native, type(native))


def test_a_large_block_is_a_blob_with_its_beginning_in_the_step(dataset):
    text = "é" * INLINE_LIMIT
    run = stored(dataset, "run", steps=[make_step(0, text=text)])

    (block,) = run.steps.get().blocks
    assert block["text"] == text[: INLINE_LIMIT // 16]
    assert bytes(Blob.objects.get(pk=block["blob"]).content).decode() == text
    assert block["characters"] == run.steps.get().characters == INLINE_LIMIT


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_one_run_at_once_store_it_once(dataset):
    start = Barrier(4)

    def worker(_):
        try:
            start.wait()
            return store(dataset=dataset, draft=make_draft("run")).is_new
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(worker, range(4)))

    assert sorted(found) == [False, False, False, True]
    assert (Trajectory.objects.count(), Step.objects.count()) == (1, 4)


def test_redaction_blanks_the_steps_and_drops_the_original_and_says_so(dataset):
    words = "my number is 0000 " * INLINE_LIMIT
    run = stored(dataset, "run", steps=[make_step(0, "User"), make_step(1, text=words)], raw=words.encode())
    before = Trajectory.objects.filter(pk=run.pk).values().get()

    redact(trajectory=run, positions=[1], reason="a number", by=system_user())

    after = Trajectory.objects.filter(pk=run.pk).values().get()
    assert {name for name in before if before[name] != after[name]} == {
        "instruction",
        "layers",
        "raw_id",
        "redacted_at",
    }
    first, second = run.steps.all()
    assert first.blocks[0]["text"] == "step 0 says something"
    assert (second.blocks[0]["text"], second.preview, second.characters) == (REDACTED, REDACTED, len(REDACTED))
    assert not Blob.objects.exists()
    event = AuditEvent.objects.get(verb="trajectory redacted")
    assert event.facts == {"positions": [1], "reason": "a number"}


def test_redaction_leaves_what_another_run_still_holds(dataset):
    run = stored(dataset, "run", raw=b"words")
    stored(dataset, "twin", raw=b"words")
    redact(trajectory=run, positions=[0], reason="a name", by=system_user())

    (blob,) = Blob.objects.all()
    assert gzip.decompress(bytes(blob.content)) == b"words"


def test_a_redacted_run_is_as_immutable_as_before(dataset):
    run = stored(dataset, "run")
    redact(trajectory=run, positions=[0], reason="a name", by=system_user())

    never_changes(run.steps.first(), preview="back again")
    never_changes(run, redacted_at=None)


def test_the_same_file_after_a_redaction_changes_nothing(dataset):
    run = stored(dataset, "run")
    redact(trajectory=run, positions=[0], reason="a name", by=system_user())

    assert not store(dataset=dataset, draft=make_draft("run")).is_new
    assert run.steps.first().blocks[0]["text"] == REDACTED
    assert Trajectory.objects.get().raw is None
