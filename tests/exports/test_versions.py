"""Labels under another version of the taxonomy, and under another benchmark's names."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from adjudication.actions import route
from annotate.actions import freeze_version
from taxonomy.actions import act
from taxonomy.queries import last_event
from tests.exports.worlds import make_shop
from tests.factories import annotate_and_submit, make_project, make_user

pytestmark = pytest.mark.django_db


def export(project, path, *more, labels="gold"):
    out = StringIO()
    arguments = ("--project", project.slug, "--format", "agentrx", "--out", str(path), "--json", *more)
    call_command("export", *arguments, *(("--labels", labels) if labels else ()), stdout=out)
    said = json.loads(out.getvalue())
    written = [f["failure_category"] for entry in json.loads(path.read_text()) for f in entry["failures"]]
    return written, [each["why"] for each in said["left_out"]]


def do(project, op, **payload):
    taxonomy = project.taxonomy
    return act(taxonomy=taxonomy, op=op, payload=payload, reason="", base=last_event(taxonomy), by=make_user("mia"))


@pytest.fixture
def merged(db):
    """Gold says “invalid invocation”, which version 2 has merged into “system failure”."""
    project = make_shop()
    do(project, "merge", nodes=["invalid_invocation"], into="system_failure")
    freeze_version(project=project, summary="one of the two", by=make_user("mia"))
    return project


def test_gold_and_annotators_are_written_under_the_version_asked_for(merged, tmp_path):
    def under(*more, **options):
        return set(export(merged, tmp_path / "x.json", *more, **options)[0])

    assert under() == under("--taxonomy-version", "1") == {"Invalid Invocation"}
    assert under("--taxonomy-version", "2") == {"System Failure"}
    assert under(labels="annotator:ann") == {"Invalid Invocation"}
    assert under("--taxonomy-version", "2", labels="annotator:ann") == {"System Failure"}


def test_what_is_not_recoded_yet_is_left_out(tmp_path):
    project = make_shop()
    parts = [{"name": "Malformed"}, {"name": "Misnamed"}]
    do(project, "split", node="invalid_invocation", parts=parts)
    freeze_version(project=project, summary="two kinds", by=make_user("mia"))
    written, left_out = export(project, tmp_path / "x.json", "--taxonomy-version", "2", labels="annotator:ann")
    assert written == []
    assert "failure F1 has no category" in left_out


def test_parts_of_a_benchmarks_category_go_out_under_its_name(tmp_path):
    project = make_shop()
    parts = [{"name": "Malformed"}, {"name": "Misnamed"}]
    do(project, "split", node="invalid_invocation", parts=parts, rest=1)
    freeze_version(project=project, summary="two kinds", by=make_user("mia"))
    written, _ = export(project, tmp_path / "x.json", "--taxonomy-version", "2", labels="annotator:ann")
    assert set(written) == {"Invalid Invocation"}


def test_an_unknown_version_and_one_of_a_release_are_refused(merged, tmp_path):
    with pytest.raises(CommandError, match="has no version 7"):
        export(merged, tmp_path / "x.json", "--taxonomy-version", "7")
    call_command("release", "--project", merged.slug, "--name", "r1", stdout=StringIO())
    with pytest.raises(CommandError, match="keeps the taxonomy version"):
        export(merged, tmp_path / "x.json", "--release", "r1", "--taxonomy-version", "1", labels="")


def test_another_taxonomy_goes_out_under_the_benchmarks_names_where_a_crosswalk_leads_there(tmp_path):
    project = make_project("mast", taxonomy="mast", runs=3)
    keys = ("task_derailment", "fail_to_ask_for_clarification", "conversation_reset")
    for item, key in zip(project.items.order_by("trajectory__external_id"), keys, strict=True):
        annotate_and_submit(item, make_user("ann"), category=key)
    route(project)
    written, left_out = export(project, tmp_path / "x.json", labels="annotator:ann")
    assert written == ["Intent-Plan Misalignment", "Underspecified User Intent"]
    assert left_out == ["the category “Conversation reset” of F1 is none of AgentRx's"]


def test_a_name_given_by_hand_leads_where_no_crosswalk_does(tmp_path):
    project = make_project("trail", taxonomy="agent-error-taxonomy", runs=1)
    annotate_and_submit(project.items.get(), make_user("ann"), category="others.others")
    assert export(project, tmp_path / "x.json", labels="annotator:ann")[1] == [
        "the category “others.others” of F1 is none of AgentRx's"
    ]
    do(project, "describe", node="others.others", fields={"names": {"agentrx": "System Failure"}})
    freeze_version(project=project, summary="named", by=make_user("mia"))
    assert export(project, tmp_path / "x.json", "--taxonomy-version", "2", labels="annotator:ann")[0] == [
        "System Failure"
    ]
