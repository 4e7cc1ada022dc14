import pytest

from tests.breaking import never_changes, turned_down
from tests.factories import make_draft
from traces.actions import store
from traces.models import Blob, Dataset, Step, Trajectory

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return Dataset.objects.create(slug="shop", name="Shop")


@pytest.fixture
def run(dataset):
    return store(dataset=dataset, draft=make_draft("run-1")).trajectory


def copy(row, **change):
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.fields if not field.primary_key}
    return type(row)(**{**fields, **change})


def test_an_identity_names_one_run_of_a_dataset(run):
    with turned_down("trajectory_identity"):
        copy(run, digest="other").save()
    copy(run, source="another").save()


def test_a_run_has_steps(run):
    with turned_down("trajectory_has_steps"):
        copy(run, external_id="run-2", n_steps=0).save()


def test_a_run_never_changes(run):
    never_changes(run, instruction="Steal the lamp.")
    assert Trajectory.objects.get().instruction == "Exchange the lamp."


def test_a_step_never_changes(run):
    never_changes(run.steps.first(), role="Nobody")
    assert Step.objects.first().role == "User"


def test_a_position_holds_one_step(run):
    with turned_down("one_step_per_position"):
        copy(run.steps.first()).save()


def test_a_blob_never_changes():
    blob = Blob.objects.keep(b"words", "text/plain")

    never_changes(blob, size=1)
    assert bytes(Blob.objects.get().content) == b"words"


def test_a_dataset_slug_is_used_once(dataset):
    with turned_down("traces_dataset_slug"):
        Dataset.objects.create(slug="shop", name="Another")
