"""Redaction by command: the steps are named as the page numbers them, and what cannot be meant changes nothing."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from people.models import AuditEvent
from tests.factories import make_project, make_step, make_trajectory
from traces.redaction import REDACTED

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(db):
    project = make_project("shop", runs=0, members={"mia": "lead"})
    return make_trajectory(project, "run-1", steps=[make_step(n, text=f"secret {n}") for n in range(5)])


def texts(run):
    return [step.blocks[0]["text"] for step in run.steps.order_by("position")]


def told(capsys, *words):
    call_command("redact", *words, "--project", "shop", "--reason", "a number", "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "steps, gone", [("2", [2]), ("1,4-5", [1, 4, 5]), (" 2 , 2-3", [2, 3]), ("4-99", [4, 5]), ("all", [1, 2, 3, 4, 5])]
)
def test_steps_go_by_the_numbers_of_the_page(run, capsys, steps, gone):
    assert told(capsys, "run-1", "--steps", steps) == {"trajectory": str(run), "steps": gone, "dry_run": False}
    assert [number for number, text in enumerate(texts(run), 1) if text == REDACTED] == gone


def test_it_is_audited_under_the_name_given(run, capsys):
    told(capsys, "run-1", "--steps", "2", "--by", "mia")
    event = AuditEvent.objects.get(verb="trajectory redacted")
    assert (event.by.username, event.facts) == ("mia", {"positions": [1], "reason": "a number"})


def test_a_dry_run_changes_nothing(run, capsys):
    before = texts(run)
    assert told(capsys, "run-1", "--steps", "all", "--dry-run")["steps"] == [1, 2, 3, 4, 5]
    assert texts(run) == before


def test_an_id_of_two_sources_wants_its_source(run, capsys):
    other = make_trajectory(run.items.get().project, "run-1", source="other")
    with pytest.raises(CommandError, match="names 2 runs; say which with --source, one of made, other"):
        told(capsys, "run-1", "--steps", "1")
    told(capsys, "run-1", "--steps", "1", "--source", "other")
    assert (texts(run)[0], texts(other)[0]) == ("secret 0", REDACTED)


@pytest.mark.parametrize(
    "words, why",
    [
        (("run-2", "--steps", "1"), "shop has no run called run-2"),
        (("run-1", "--steps", "1", "--source", "none"), "shop has no run of source none called run-1"),
        (("run-1", "--steps", "6"), "step 6 is not in made/run-1, whose steps go from 1 to 5"),
        (("run-1", "--steps", "3-2"), "step 3-2 is not in made/run-1"),
        (("run-1", "--steps", "1,x"), "--steps “1,x” is not understood"),
        (("run-1", "--steps", ""), "is not understood"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(run, capsys, words, why):
    before = texts(run)
    with pytest.raises(CommandError, match=why):
        told(capsys, *words)
    assert texts(run) == before
