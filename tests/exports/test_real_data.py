"""Import and export of the public data sets: what comes out equals what went in."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotate.actions import create_project, import_labels, import_traces
from people.actions import system_user
from tests.shared_data import shared

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
CANONICAL = {
    "Instruction Adherence Failure": "Instruction/Plan Adherence Failure",
    "Invention of new information": "Invention of New Information",
    "Intent Plan Misalignment": "Intent-Plan Misalignment",
    "Intent not supported": "Intent Not Supported",
}


def imported(traces, *labels, slug="real"):
    project = create_project(slug=slug, by=system_user())
    assert not import_traces(project=project, paths=[traces], by=system_user()).refused
    for path, format in labels:
        import_labels(project=project, paths=[path], annotator=format, format=format, by=system_user())


def export(format, annotator, path, *more):
    out = StringIO()
    labels = f"annotator:{annotator}"
    arguments = ("--project", "real", "--format", format, "--labels", labels, "--out", str(path), "--json", *more)
    call_command("export", *arguments, stdout=out)
    return json.loads(out.getvalue())


def ground_truth(path, *, raw_names=False) -> list[dict]:
    """The published labels in the order of exports, with whole-number root ids and canonical names."""
    entries = json.loads(path.read_text())
    for entry in entries:
        entry["root_cause"]["failure_id"] = int(entry["root_cause"]["failure_id"])
        for failure in entry["failures"]:
            spelt = failure["failure_category"]
            failure["failure_category"] = spelt if raw_names else CANONICAL.get(spelt, spelt)
    return sorted(entries, key=lambda entry: str(entry["trajectory_id"]))


@pytest.mark.parametrize(
    ("traces", "labels", "records", "left_out"),
    [
        ("whowhen/Hand-Crafted", "agentrx/ground_truth/magentic_one_ground_truth.json", 44, 14),
        ("agentrx/magentic", "agentrx/ground_truth/magentic_one_ground_truth.json", 44, 0),
        ("agentrx/tau_retail", "agentrx/ground_truth/tau_ground_truth.json", 29, 0),
    ],
)
def test_agentrx_labels_come_out_as_they_went_in(tmp_path, traces, labels, records, left_out):
    path = shared(labels)
    imported(shared(traces), (path, "agentrx"))

    said = export("agentrx", "agentrx", tmp_path / "a.json")
    again = export("agentrx", "agentrx", tmp_path / "b.json")
    export("agentrx", "agentrx", tmp_path / "raw.json", "--raw-names")

    text = (tmp_path / "a.json").read_text()
    assert (said["records"], len(said["left_out"])) == (records, left_out)
    assert text == json.dumps(ground_truth(path), indent=4) + "\n"  # key order and types of ids too
    assert json.loads((tmp_path / "raw.json").read_text()) == ground_truth(path, raw_names=True)
    assert said["sha256"] == again["sha256"]


@pytest.mark.parametrize(("split", "records"), [("Hand-Crafted", 58), ("Algorithm-Generated", 126)])
def test_whowhen_files_come_out_as_they_went_in(tmp_path, split, records):
    source = shared(f"whowhen/{split}")
    imported(source, (source, "whowhen"))

    said = export("whowhen", "whowhen", tmp_path / "first")
    again = export("whowhen", "whowhen", tmp_path / "second")

    written = {path.name: json.loads(path.read_text()) for path in (tmp_path / "first").iterdir()}
    assert written == {path.name: json.loads(path.read_text()) for path in source.glob("*.json")}
    assert (said["records"], said["left_out"], said["sha256"]) == (records, [], again["sha256"])


def test_labels_without_categories_are_left_out_of_agentrx(tmp_path):
    source = shared("whowhen/Hand-Crafted")
    imported(source, (source, "whowhen"))

    said = export("agentrx", "whowhen", tmp_path / "a.json")

    assert (said["records"], {each["why"] for each in said["left_out"]}) == (0, {"failure F1 has no category"})
    assert (tmp_path / "a.json").read_text() == "[]\n"


def test_agentrx_labels_become_whowhen_files_with_the_runs_own_spelling(tmp_path):
    labels = shared("agentrx/ground_truth/magentic_one_ground_truth.json")
    imported(shared("whowhen/Hand-Crafted"), (labels, "agentrx"))

    said = export("whowhen", "agentrx", tmp_path / "ww")

    written = [json.loads(path.read_text()) for path in (tmp_path / "ww").iterdir()]
    roots = {}
    for entry in ground_truth(labels):
        root = next(f for f in entry["failures"] if f["failure_id"] == entry["root_cause"]["failure_id"])
        agent = "WebSurfer" if root["failed_agent"] == "Websurfer" else root["failed_agent"]
        roots[entry["trajectory_id"]] = (agent, str(root["step_number"] - 1))
    assert said["records"] == 44
    assert {each["question_ID"]: (each["mistake_agent"], each["mistake_step"]) for each in written} == roots


def test_two_splits_in_one_project_get_a_folder_each_and_one_id_one_entry(tmp_path):
    source = shared("whowhen")
    imported(source, (source, "whowhen"))

    said = export("whowhen", "whowhen", tmp_path / "ww")

    counts = {folder.name: len(list(folder.iterdir())) for folder in (tmp_path / "ww").iterdir()}
    assert said["records"] == 184
    assert counts == {"whowhen-algorithm-generated": 126, "whowhen-hand-crafted": 58}
