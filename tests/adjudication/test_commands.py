import json

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from adjudication.models import AgreementFigures, Case, GoldLabel
from annotate.actions import create_project, import_labels, import_traces
from annotate.models import Project
from jobs.actions import run
from jobs.models import Job
from people.actions import system_user
from tests.adjudication.worlds import disagree
from tests.factories import annotate_and_submit, make_project, make_user
from tests.shared_data import shared

pytestmark = pytest.mark.django_db
HAND_CRAFTED = "whowhen/Hand-Crafted"
GROUND_TRUTH = "agentrx/ground_truth/magentic_one_ground_truth.json"


def said(capsys, *argv) -> dict:
    capsys.readouterr()
    call_command(*argv, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def imported(django_db_setup, django_db_blocker):
    """Who&When Hand-Crafted with both label sources, imported once for this module and rolled back after it."""
    traces, labels = shared(HAND_CRAFTED), shared(GROUND_TRUTH)
    with django_db_blocker.unblock(), transaction.atomic():
        project = create_project(slug="hand-crafted", by=system_user())
        import_traces(project=project, paths=[traces], by=system_user())
        import_labels(project=project, paths=[labels], format="agentrx", annotator="agentrx", by=system_user())
        import_labels(project=project, paths=[traces], format="whowhen", annotator="whowhen", by=system_user())
        yield
        transaction.set_rollback(True)


@pytest.fixture
def hand_crafted(imported, db):
    return Project.objects.get(slug="hand-crafted")


def rounded(value, digits=4):
    if isinstance(value, dict):
        return {key: rounded(each, digits) for key, each in value.items()}
    return round(value, digits) if isinstance(value, float) else value


def test_agreement_on_the_public_labels_gives_the_published_figures(hand_crafted, capsys):
    found = said(capsys, "agreement", "--project", "hand-crafted")
    assert {name: found[name] for name in ("project", "trajectories", "pairable", "comparison")} == {
        "project": "hand-crafted",
        "trajectories": 58,
        "pairable": 44,
        "comparison": "definitions_differ",
    }
    step, agent = found["measures"]["critical_step"], found["measures"]["agent"]
    plain = {name: rounded(step[name]) for name in ("n", "exact", "within", "floor", "mean_distance")}
    assert plain == {
        "n": 44,
        "exact": 16,
        "within": {"1": 21, "3": 25, "5": 28},
        "floor": {"0": 0.0465, "1": 0.1302, "3": 0.2701, "5": 0.3732},
        "mean_distance": 7.6591,
    }
    values = {name: step[name] for name in ("chance_corrected", "alpha_relative", "alpha_nominal", "alpha_interval")}
    values |= {"kappa": agent["kappa"], "alpha": agent["alpha"]}
    assert {name: round(each["value"], 4) for name, each in values.items()} == {
        "chance_corrected": 0.3326,
        "alpha_relative": 0.6715,
        "alpha_nominal": 0.3169,
        "alpha_interval": 0.2943,
        "kappa": 0.3730,
        "alpha": 0.3424,
    }
    assert all(each["ci"][0] <= each["value"] <= each["ci"][1] for each in values.values())
    assert (agent["n"], agent["agree"], agent["kappa"]["kind"]) == (44, 27, "cohen")
    category, marks = found["measures"]["category"], found["measures"]["failure_steps"]
    assert (category["n"], category["kappa"]["undefined"]) == (0, "no trajectory has two categories")
    assert (marks["n"], marks["undefined"]) == (0, "whowhen is not exhaustive")
    assert AgreementFigures.objects.get(project=hand_crafted).figures == found


def test_route_on_the_public_labels_gives_16_14_and_28_twice(hand_crafted, capsys):
    first = said(capsys, "route", "--project", "hand-crafted")
    counts = {name: first[name] for name in ("accept", "annotate", "waiting", "adjudicate")}
    assert counts == {"accept": 16, "annotate": 0, "waiting": 14, "adjudicate": 28}
    kinds = [[reason["kind"] for reason in case["reasons"]] for case in first["cases"]]
    assert kinds.count(["critical_step", "agent"]) == 17
    assert kinds.count(["critical_step"]) == 11
    assert said(capsys, "route", "--project", "hand-crafted") == first
    assert Case.objects.filter(item__project=hand_crafted).count() == 28
    assert not GoldLabel.objects.exists()  # two definitions of critical are no consensus


def test_the_accepted_are_gold_where_the_project_takes_the_definitions_as_one(hand_crafted, capsys):
    hand_crafted.takes_definitions_as_one = True
    hand_crafted.save()
    said(capsys, "route", "--project", "hand-crafted")
    assert GoldLabel.objects.filter(field="critical_step").count() == 16
    assert not GoldLabel.objects.filter(field="category").exists()  # one of the two alone was asked for it


@pytest.mark.parametrize("command", ["agreement", "route"])
def test_a_project_that_does_not_exist_is_refused_in_a_line(db, command):
    with pytest.raises(CommandError, match="there is no project “nowhere”"):
        call_command(command, "--project", "nowhere")


def test_route_acts_as_system_or_as_whom_it_is_told(project, capsys):
    disagree(project)
    said(capsys, "route", "--project", "shop", "--by", "mia")
    with pytest.raises(CommandError, match="there is no user “nobody”"):
        call_command("route", "--project", "shop", "--by", "nobody")


def test_for_people_the_commands_say_it_in_lines(project, capsys):
    disagree(project)
    capsys.readouterr()
    call_command("route", "--project", "shop", "--dry-run")
    out, err = capsys.readouterr()
    assert "adjudicate       1" in out
    assert "shop-0: critical step differs by 1 step: 2 and 3" in out
    assert "nothing was changed" in err
    call_command("agreement", "--project", "shop")
    assert "critical step: n 1" in capsys.readouterr().out


def test_a_project_without_labels_has_figures_and_reasons(db, capsys):
    make_project("empty", runs=0)
    found = said(capsys, "agreement", "--project", "empty")
    assert (found["trajectories"], found["pairable"], found["measures"]["critical_step"]["n"]) == (0, 0, 0)
    assert said(capsys, "route", "--project", "empty") == {
        "accept": 0,
        "annotate": 0,
        "waiting": 0,
        "adjudicate": 0,
        "ruled": 0,
        "cases": [],
    }


def test_a_submit_is_followed_by_a_job_that_routes_and_computes(project, item):
    annotate_and_submit(item, make_user("ann"), step=1)
    annotate_and_submit(item, make_user("ben"), step=2)
    job = Job.objects.get(kind="item_changed", project="shop", state="queued")
    assert run(job.pk).result == {"accept": 0, "annotate": 0, "waiting": 0, "adjudicate": 1, "ruled": 0}
    assert Case.objects.open().filter(item=item).count() == 1
    assert AgreementFigures.objects.get(project=project).figures["pairable"] == 1
