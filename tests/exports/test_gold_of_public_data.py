"""Two published label sources taken as one: what they agree on and what was ruled is exported, and says where from."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from adjudication.actions import route, rule
from adjudication.models import Case
from adjudication.study import sheets_of
from annotate.actions import create_project, import_labels, import_traces
from annotate.models import Annotation
from people.actions import system_user
from tests.factories import join, make_user
from tests.shared_data import shared

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
RULED = 5
GROUND_TRUTH = "agentrx/ground_truth/magentic_one_ground_truth.json"


@pytest.fixture
def project(db):
    traces, labels = shared("whowhen/Hand-Crafted"), shared(GROUND_TRUTH)
    project = create_project(slug="real", by=system_user())
    project.takes_definitions_as_one = True
    project.save()
    import_traces(project=project, paths=[traces], by=system_user())
    import_labels(project=project, paths=[labels], annotator="agentrx", format="agentrx", by=system_user())
    import_labels(project=project, paths=[traces], annotator="whowhen", format="whowhen", by=system_user())
    join(project, make_user("ada"), "adjudicator")
    route(project)
    for case in Case.objects.open().order_by("pk")[:RULED]:
        settle_as_agentrx(case)
    route(project)
    return project


def settle_as_agentrx(case):
    """The adjudicator takes all of one source, and each failure names it."""
    (sheet,) = [sheet for sheet in sheets_of(case.item) if sheet.judgement.annotator == "agentrx"]
    critical = sheet.state["answers"]["critical"]
    failures = [
        {**mark, "is_critical": key == critical, "from": [{"annotation": sheet.annotation, "key": key}]}
        for key, mark in sheet.state["failures"].items()
    ]
    why = {"rationale": "The first of them cannot be undone.", "cause": "slip"}
    rule(case=case, by=make_user("ada"), outcome="critical", failures=failures, **why)


def export(format, path):
    out = StringIO()
    given = ("--project", "real", "--format", format, "--labels", "gold", "--out", str(path), "--json")
    call_command("export", *given, stdout=out)
    return json.loads(out.getvalue())


def test_agreed_and_ruled_labels_come_out_and_the_rest_says_why(project, tmp_path):
    said = {
        "agentrx": export("agentrx", tmp_path / "gold.json"),
        "whowhen": export("whowhen", tmp_path / "gold"),
        "jsonl": export("jsonl", tmp_path / "gold.jsonl"),
    }
    assert {name: each["records"] for name, each in said.items()} == {
        "agentrx": 16 + RULED,
        "whowhen": 16 + RULED,
        "jsonl": 16 + RULED,
    }
    for each in said.values():
        assert len(each["left_out"]) == 58 - 16 - RULED
        assert {left["why"] for left in each["left_out"]} == {"no gold label yet"}
    assert len(json.loads((tmp_path / "gold.json").read_text())) == 16 + RULED
    assert len(list((tmp_path / "gold").iterdir())) == 16 + RULED


def test_each_failure_names_its_source(project, tmp_path):
    export("jsonl", tmp_path / "gold.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    annotations = set(Annotation.objects.values_list("pk", flat=True))
    assert sum(len(row["provenance"]["rulings"]) for row in rows) == RULED
    for row in rows:
        assert row["failures"]
        for failure in row["failures"]:
            assert failure["sources"], row
            assert {source["annotation"] for source in failure["sources"]} <= annotations
        bases = {each["basis"] for each in row["provenance"]["basis"].values()}
        assert bases <= ({"adjudicated"} if row["provenance"]["rulings"] else {"consensus", "single"})
