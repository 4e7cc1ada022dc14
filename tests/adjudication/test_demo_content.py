"""The demo's files say what its README promises; loading them is tested elsewhere."""

import json
import re
from pathlib import Path

import pytest

import adjudication
from taxonomy import presets
from traces.formats import read_traces

DEMO = Path(adjudication.__file__).parent / "demo"
RUNS = {run["external_id"]: run for run in json.loads((DEMO / "labels.json").read_text("utf-8"))["runs"]}
AGREED = [201, "team-folk-week", "inc-4502"]
DIFFERING = {
    202: {"critical_step"},
    203: {"outcome"},
    "team-dam-heights": {"agent"},
    "inc-4417": {"category"},
}
HALF_DONE, UNTOUCHED = "team-monday-museums", "inc-4630"


@pytest.fixture(scope="module")
def drafts():
    return {draft.external_id: draft for draft in read_traces(sorted({DEMO / run["file"] for run in RUNS.values()}))}


def judgements():
    for run in RUNS.values():
        for who, annotation in run["annotations"].items():
            yield pytest.param(run, annotation, id=f"{run['external_id']}-{who}")
        if run["ruling"]:
            yield pytest.param(run, run["ruling"], id=f"{run['external_id']}-ruling")


def critical(annotation):
    return annotation["failures"][annotation["critical"]] if annotation["critical"] is not None else None


def differences(run):
    ann, ben = run["annotations"]["ann"], run["annotations"]["ben"]
    if ann["outcome"] != ben["outcome"]:
        return {"outcome"}
    fields = {"critical_step": "step", "agent": "participant", "category": "category"}
    return {kind for kind, field in fields.items() if critical(ann)[field] != critical(ben)[field]}


def steps(annotation):
    return [failure["step"] for failure in annotation["failures"]]


def test_every_file_is_read_without_a_finding(drafts):
    assert list(RUNS) == [
        *(201, 202, 203),
        *("team-folk-week", "team-dam-heights", "team-monday-museums"),
        *("inc-4417", "inc-4502", "inc-4630"),
    ]
    assert set(drafts) == set(RUNS)
    assert all(8 <= len(draft.steps) <= 30 for draft in drafts.values())


def test_the_incidents_have_parts_and_numbers_that_skip(drafts):
    incident = drafts["inc-4417"]
    assert [step.native_index for step in incident.steps] == [1, 2, 3, 5, 6, 7, 9, 10, 12, 13]
    assert [len(step.blocks) for step in incident.steps] == [2, 2, 2, 3, 3, 3, 1, 3, 1, 1]


@pytest.mark.parametrize("external_id", AGREED)
def test_the_annotators_agree_in_everything(external_id):
    run = RUNS[external_id]
    assert differences(run) == set()
    assert steps(run["annotations"]["ann"]) == steps(run["annotations"]["ben"])


@pytest.mark.parametrize(("external_id", "kinds"), DIFFERING.items())
def test_the_annotators_differ_as_planned(external_id, kinds):
    assert differences(RUNS[external_id]) == kinds


def test_two_runs_are_left_to_annotate():
    half_done = RUNS[HALF_DONE]["annotations"]
    assert list(half_done) == ["ann"]
    assert not half_done["ann"]["submitted"]
    assert half_done["ann"]["failures"]
    assert RUNS[UNTOUCHED]["annotations"] == {}


def test_one_disagreement_is_ruled_by_somebody_who_did_not_annotate():
    ruled = {external_id: run["ruling"] for external_id, run in RUNS.items() if run["ruling"]}
    assert list(ruled) == [202]
    assert (ruled[202]["by"], ruled[202]["cause"]) == ("ada", "guideline_unclear")
    assert ruled[202]["rationale"]


@pytest.mark.parametrize(("run", "judgement"), judgements())
def test_every_mark_points_into_its_run_and_names_one_who_took_part(run, judgement, drafts):
    draft = drafts[run["external_id"]]
    numbers = {step.native_index for step in draft.steps}
    agentrx = presets.load("agentrx")
    for failure in judgement["failures"]:
        step = draft.steps[failure["step"]]
        assert failure["participant"] in draft.participants
        assert (
            failure["participant"] in {block.agent for block in step.blocks} or run["external_id"] == "team-dam-heights"
        )
        assert failure["category"] is None or presets.resolve(agentrx, failure["category"]) == failure["category"]
        assert failure["step_reason"]
        assert (failure["recovered_at"] is not None) == (failure["effect"] == "recovered")
        assert failure["recovered_at"] is None or failure["step"] < failure["recovered_at"] < len(draft.steps)
        assert bool(failure["recovered_by"]) == (failure["effect"] == "recovered")
        assert failure["cause"] is None or failure["cause"] < len(judgement["failures"])
    assert steps(judgement) == sorted(set(steps(judgement)))
    assert {int(number) for number in re.findall(r"\bstep (\d+)", json.dumps(judgement))} <= numbers


@pytest.mark.parametrize(("run", "judgement"), judgements())
def test_the_critical_failure_is_the_first_that_persists(run, judgement):
    persisting = [i for i, failure in enumerate(judgement["failures"]) if failure["effect"] == "persists"]
    assert judgement["critical"] == (persisting[0] if persisting else None)
    if judgement.get("submitted", True):
        assert judgement["outcome"] == ("critical" if persisting else "all_recovered_or_harmless")
        assert judgement["summary"]
        assert all(failure["effect"] and failure["category"] for failure in judgement["failures"])
        assert bool(judgement["reason_for_root_cause"]) == bool(persisting)


def test_a_code_means_one_thing_wherever_it_stands():
    meanings = {}
    for run in RUNS.values():
        for annotation in run["annotations"].values():
            for failure in annotation["failures"]:
                meanings.setdefault(failure["code"].casefold(), set()).add(failure["definition"])
    assert all(len(definitions) == 1 for definitions in meanings.values())


def test_every_run_says_what_was_expected_and_what_came_out(drafts):
    for external_id, run in RUNS.items():
        assert {"expected", "outcome"} <= set(drafts[external_id].layers) | set(run["layers"])
