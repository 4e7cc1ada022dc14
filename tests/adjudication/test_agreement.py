import json
import subprocess
import sys

import pytest

from adjudication.agreement import agreement
from adjudication.bootstrap import Bootstrap
from adjudication.judgements import JudgedTwice, OutsideTheRun, Study, UnknownItem, participant_key
from tests.adjudication.builders import item, judged, two
from tests.adjudication.hand_crafted import hand_crafted


@pytest.fixture(scope="module")
def told() -> dict:
    return agreement(hand_crafted(), Bootstrap(1000, seed=7))


def test_two_published_label_sources_give_the_known_step_figures(told):
    step = told["measures"]["critical_step"]
    assert (told["trajectories"], told["pairable"], told["comparison"]) == (58, 44, "definitions_differ")
    assert told["pairs"] == [{"a": "agentrx", "b": "whowhen", "n": 44}]
    assert (step["n"], step["exact"], step["within"]) == (44, 16, {"1": 21, "3": 25, "5": 28})
    floor = {k: round(value, 4) for k, value in step["floor"].items()}
    assert floor == {"0": 0.0465, "1": 0.1302, "3": 0.2701, "5": 0.3732}
    assert round(step["mean_distance"], 4) == 7.6591
    assert round(step["chance_corrected"]["value"], 4) == 0.3326
    assert round(step["alpha_relative"]["value"], 4) == 0.6715
    assert (step["alpha_nominal"]["value"], step["alpha_interval"]["value"]) == (0.316882, 0.2943)


def test_two_published_label_sources_give_the_known_agent_figures(told):
    agent = told["measures"]["agent"]
    assert (agent["n"], agent["agree"], agent["kappa"]["kind"]) == (44, 27, "cohen")
    assert (agent["kappa"]["value"], agent["alpha"]["value"]) == (0.373009, 0.342374)
    assert agent["confusion"] == {
        "rows": "agentrx",
        "columns": "whowhen",
        "values": ["assistant", "filesurfer", "orchestrator", "websurfer"],
        "counts": [[1, 0, 0, 1], [0, 0, 0, 1], [0, 3, 10, 10], [2, 0, 0, 16]],
    }


def test_what_cannot_be_compared_says_why(told):
    measures = told["measures"]
    nothing = {"value": None, "undefined": "no trajectory has two categories"}
    assert (measures["category"]["n"], measures["category"]["alpha"]) == (0, nothing)
    assert measures["failure_steps"]["undefined"] == "whowhen is not exhaustive"
    one_value = "only one value used: critical; observed agreement 1.0"
    assert measures["outcome"]["kappa"] == {"kind": "cohen", "value": None, "undefined": one_value}
    assert (measures["outcome"]["n"], measures["outcome"]["agree"]) == (44, 44)


def test_every_interval_contains_its_value(told):
    intervals = [node for node in _nodes(told) if node.get("ci")]
    assert len(intervals) > 10
    for node in intervals:
        assert node["ci"][0] <= node["value"] <= node["ci"][1]


def test_the_same_seed_gives_the_same_figures_in_any_order(told):
    study = hand_crafted()
    turned = Study.of(reversed(study.items), reversed(study.judgements))
    assert json.dumps(agreement(turned, Bootstrap(1000, seed=7))) == json.dumps(told)
    assert agreement(study, Bootstrap(1000, seed=8))["measures"] != told["measures"]


def test_total_disagreement_never_scores_as_agreement():
    study = Study.of(
        [item("t1"), item("t2")],
        [
            judged("t1", "ann", 2, participant="Planner", category="Plan", failures=()),
            judged("t1", "ben", 14, participant="Verifier", category="Tool"),
            judged("t2", "ann", 14, participant="Verifier", category="Tool", failures=()),
            judged("t2", "ben", 2, participant="Planner", category="Plan"),
        ],
    )
    measures = agreement(study)["measures"]
    assert (measures["critical_step"]["exact"], measures["critical_step"]["within"]["5"]) == (0, 0)
    for name in ("chance_corrected", "alpha_relative", "alpha_nominal"):
        assert measures["critical_step"][name]["value"] < 0
    for name in ("agent", "category"):
        assert measures[name]["agree"] == 0
        assert all(measures[name][number]["value"] <= 0 for number in ("percent", "kappa", "alpha"))
    assert measures["failure_steps"]["alpha"]["value"] < 0
    assert measures["failure_steps"]["masi"]["value"] == measures["failure_steps"]["f1"]["5"]["value"] == 0


def test_one_critical_step_against_none_is_disagreement_about_the_outcome():
    measures = agreement(two([(3, None), (4, 4), (None, None)]))["measures"]
    assert (measures["critical_step"]["n"], measures["critical_step"]["one_sided"]) == (1, 1)
    assert (measures["outcome"]["n"], measures["outcome"]["agree"]) == (3, 2)


def test_a_model_is_no_rater_and_is_counted():
    study = Study.of(
        [item("t1"), item("t2")],
        [
            judged("t1", "ann", 3),
            judged("t1", "ben", 3),
            judged("t2", "ann", 3),
            judged("t2", "bot", 3, process="model"),
        ],
    )
    told = agreement(study)
    assert (told["pairable"], told["left_out"]) == (1, {"model": 1})


def test_three_annotators_count_each_trajectory_once():
    people = [judged("t1", "ann", 3), judged("t1", "ben", 3), judged("t1", "mia", 5)]
    step = agreement(Study.of([item("t1")], people))["measures"]["critical_step"]
    assert (step["n"], step["n_pairs"], step["exact"], step["within"]["3"]) == (1, 3, 0.333333, 1)
    assert step["mean_distance"] == 1.333333


def test_a_study_without_judgements_has_sentences_instead_of_numbers():
    told = agreement(Study.of([item("t1")], []))
    assert (told["trajectories"], told["pairable"], told["pairs"]) == (1, 0, [])
    assert told["measures"]["critical_step"]["alpha_relative"]["undefined"] == "no trajectory has two critical steps"
    json.dumps(told, allow_nan=False)


def test_judgements_that_do_not_fit_are_refused_by_name():
    with pytest.raises(UnknownItem):
        Study.of([item("t1")], [judged("t2", "ann", 3)])
    with pytest.raises(JudgedTwice):
        Study.of([item("t1")], [judged("t1", "ann", 3), judged("t1", "ann", 4)])
    with pytest.raises(OutsideTheRun, match="names position 20 of item t1, which has 20 steps"):
        Study.of([item("t1")], [judged("t1", "ann", 20)])


def test_participants_are_compared_without_case_and_trailing_note():
    names = ["WebSurfer", "Websurfer", "websurfer (final) ", "User_Proxy#2", "A\"B'<c>&"]
    assert [participant_key(name) for name in names] == ["websurfer"] * 3 + ["user_proxy#2", "a\"b'<c>&"]
    assert participant_key("Surfer", {"surfer": "websurfer"}) == "websurfer"


def test_importing_the_measures_loads_no_heavy_library():
    heavy = "('pandas', 'sklearn', 'krippendorff', 'django')"
    code = f"import adjudication.agreement, adjudication.routing, adjudication.consensus, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _nodes(tree):
    if isinstance(tree, dict):
        yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from _nodes(branch)
