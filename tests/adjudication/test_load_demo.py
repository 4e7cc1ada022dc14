import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from adjudication.demo.loading import passwords
from adjudication.models import Case, GoldLabel, Ruling
from annotate.fold import fold
from annotate.models import Annotation, Project
from annotate.rows import state_of
from people.models import User
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def embedded(settings):
    settings.EMBEDDED = True


def load(capsys, *options) -> str:
    capsys.readouterr()
    call_command("load_demo", *options)
    return capsys.readouterr().out


def test_an_empty_database_gets_the_demo_with_work_left_for_everybody(capsys):
    said = json.loads(load(capsys, "--json"))
    assert said == {"project": "demo", "runs": 9, "annotations": 15, "cases": 3, "log_ins": passwords()}
    reasons = {
        case.item.trajectory.external_id: [reason["kind"] for reason in case.reasons]
        for case in Case.objects.open().select_related("item__trajectory")
    }
    assert reasons == {"203": ["outcome"], "inc-4417": ["category"], "team-dam-heights": ["agent"]}
    ruling = Ruling.objects.get()
    assert (ruling.by.username, ruling.case.item.trajectory.external_id) == ("ada", "202")
    assert all(len(failure["from"]) == 1 for failure in ruling.failures)
    basis = GoldLabel.objects.filter(field="critical_step").values_list("basis", flat=True)
    assert sorted(basis) == ["adjudicated", "consensus", "consensus", "consensus"]


def test_its_history_is_real(capsys):
    load(capsys)
    version = Project.objects.get().taxonomy_version
    for annotation in Annotation.objects.all():
        assert fold(annotation.revisions.all()).state == state_of(annotation, version)


def test_the_log_ins_it_prints_work(capsys):
    said = load(capsys)
    for name, password in passwords().items():
        assert f"{name}  {password}" in said
        assert Client().login(username=name, password=password)


def test_loading_again_changes_nothing_and_still_tells_the_log_ins(capsys):
    load(capsys)
    before = Annotation.objects.count()
    assert "assay-demo-ann" in load(capsys)
    assert (Project.objects.count(), Annotation.objects.count()) == (1, before)


def test_a_database_in_use_is_left_alone(capsys):
    make_project("shop", runs=0, members={})
    assert "there are projects" in load(capsys)
    assert json.loads(load(capsys, "--json"))["project"] is None
    assert not User.objects.filter(username="ada").exists()


def test_a_name_that_is_taken_is_left_alone(capsys):
    make_user("ben")
    assert "there is a user “ben”" in load(capsys)
    assert not Project.objects.exists()


def test_public_passwords_are_refused_outside_the_embedded_default(settings):
    settings.EMBEDDED = False
    with pytest.raises(CommandError, match="embedded default only"):
        call_command("load_demo")
    assert not User.objects.filter(username="ann").exists()
