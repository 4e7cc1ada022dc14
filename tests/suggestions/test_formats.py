"""Readers of suggestions: what they take, what they refuse, and by which place."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suggestions.formats import READERS, read_suggestions
from suggestions.formats.drafts import ConstraintDraft, JudgementDraft, ViolationDraft, Which
from suggestions.formats.reading import Options
from tests.suggestions.samples import (
    LOG,
    cache,
    codes,
    constraint,
    judged,
    prediction,
    read,
    violation,
    written,
)


def test_a_violation_log_counts_steps_from_zero(tmp_path):
    [draft], problems = read(tmp_path, "agentrx", [violation(7, 2)])
    assert isinstance(draft, ViolationDraft)
    assert (draft.which, draft.step, draft.name, draft.kind) == (Which("7"), 2, "order_is_named", "PROTOCOL")
    assert (draft.targets, draft.severity, problems) == (("InvalidInvocation",), "high", [])


def test_the_log_of_a_run_without_violations_holds_no_record(tmp_path):
    assert read(tmp_path, "agentrx", []) == ([], [])


def test_a_judge_counts_steps_from_one_and_names_categories_by_number(tmp_path):
    [draft], _ = read(tmp_path, "agentrx", {"summary": {}, "detailed_results": [judged(step=3, case=4)]}, "run2.json")
    assert isinstance(draft, JudgementDraft)
    assert (draft.step, draft.base, draft.category) == (3, "number", "Misinterpretation of Tool Output")
    assert (draft.run, draft.reason) == ("run2", "It misread.")


def test_a_judge_that_is_inconclusive_at_step_zero_abstains(tmp_path):
    [draft], _ = read(tmp_path, "agentrx", {"detailed_results": [judged(step=0, case=10)]})
    assert (draft.step, draft.category) == (None, "Inconclusive")


@pytest.mark.parametrize("outputs", [True, 3, {"0": {}}, [None], [{"parsed": 1}]])
def test_outputs_per_step_of_another_shape_hold_no_constraint(tmp_path, outputs):
    drafts, [problem] = read(tmp_path, "agentrx", {"per_step_outputs": outputs})
    assert (drafts, problem.code) == ([], "unknown_format")


@pytest.mark.parametrize("key", ["invariants", "invariant", "dynamic_invariants"])
def test_constraints_come_from_every_container(tmp_path, key):
    [draft], problems = read(tmp_path, "agentrx", {"trajectory_id": "run-1", key: [constraint()]})
    assert isinstance(draft, ConstraintDraft)
    assert (draft.spec.name, draft.spec.function_name, problems) == ("order_is_named", "order_is_named", [])
    assert draft.which == (Which("run-1") if key == "dynamic_invariants" else None)


def test_a_constraint_alone_and_a_bare_list_are_read_too(tmp_path):
    [draft], problems = read(tmp_path, "agentrx", constraint())
    assert (draft.spec.name, draft.which, problems) == ("order_is_named", None, [])
    drafts, [problem] = read(tmp_path, "agentrx", [constraint("one"), constraint("")])
    assert ([each.spec.name for each in drafts], problem.code) == (["one"], "bad_constraint")
    assert problem.where == "/1/assertion_name"


def test_a_dynamic_constraint_belongs_to_its_run_from_its_step_on(tmp_path):
    outputs = [{"step_num": 3, "parsed": {"step_num": 3, "decision": "INVARIANT", "invariant": [constraint()]}}]
    nothing = {"step_num": 4, "parsed": {"step_num": 4, "decision": "NO_INVARIANT", "invariant": None}}
    given = {"trajectory_id": "run-1", "static_invariants_used": "{}", "per_step_outputs": [*outputs, nothing]}
    [draft], _ = read(tmp_path, "agentrx", given)
    assert (draft.which, draft.from_number) == (Which("run-1"), 3)


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"assertion_name": ""}, "/assertion_name"),
        ({"check_type": "check"}, "/check_type"),
        ({"invariant_type": "LUCK"}, "/invariant_type"),
        ({"python_check": {"function_name": "a b", "code_lines": []}}, "/python_check/function_name"),
        ({"python_check": {"function_name": "ab", "code_lines": "pass"}}, "/python_check/code_lines"),
        ({"event_trigger": ["*"]}, "/event_trigger"),
        ({"taxonomy_targets": "one"}, "/taxonomy_targets"),
    ],
)
def test_a_bad_constraint_is_refused_by_its_field(tmp_path, fields, pointer):
    drafts, problems = read(tmp_path, "agentrx", {"invariants": [constraint(**fields), constraint("good")]})
    assert codes(problems) == [(f"/invariants/0{pointer}", "bad_constraint")]
    assert [draft.spec.name for draft in drafts] == ["good"]


def test_a_log_names_files_and_its_name_tells_model_and_protocol(tmp_path):
    [first, second], problems = read(tmp_path, "whowhen", LOG, "binary_search_tiny-1_handcrafted.txt")
    assert (first.which, first.step, first.participant) == (
        Which(file_number=1, source="whowhen-hand-crafted"),
        2,
        "Lamp_Expert",
    )
    assert (first.model, first.protocol) == ("tiny-1", "binary_search")
    assert first.reason.startswith("It counted\nthe wrong lamps.")
    assert (second.which.file_number, second.step, problems) == (2, None, [])


def test_the_words_prediction_for_inside_a_reason_swallow_no_block(tmp_path):
    log = LOG.replace("the wrong lamps.", "a Prediction for lamps.json: all wrong.")
    drafts, _ = read(tmp_path, "whowhen", log, "log.txt")
    assert [draft.which.file_number for draft in drafts] == [1, 2]


def test_a_cache_tells_protocol_and_model_and_old_keys_lead_to_new_ones(tmp_path):
    given = cache({"000-aa": prediction(1, [1, 0]), "sha256-bb": prediction(None, [])})
    drafts, problems = read(tmp_path, "catchbench", given, keys={"000-aa": "sha256-aa"})
    assert [(d.which.run_key, d.step, d.ranking) for d in drafts] == [("sha256-aa", 1, (1, 0)), ("sha256-bb", None, ())]
    assert {(d.model, d.protocol) for d in drafts} == {("tiny-1", "all_at_once")}
    assert problems == []


def test_the_bridge_beside_a_cache_is_used_and_is_no_cache_itself(tmp_path):
    written(tmp_path, {"format": "x", "keys": {"000-aa": "sha256-aa"}}, "legacy_run_keys.json")
    written(tmp_path, cache({"000-aa": prediction(0, [0])}), "one.json")
    [draft] = list(read_suggestions([tmp_path], "catchbench", Options({})))
    assert draft.which.run_key == "sha256-aa"


def test_a_bridge_that_leads_nowhere_costs_the_caches_beside_it_only(tmp_path):
    good, bad = tmp_path / "a", tmp_path / "b"
    for folder in (good, bad):
        folder.mkdir()
        written(folder, cache({"k": prediction(1, [1])}))
    written(bad, [1], "legacy_run_keys.json")
    draft, problem = read_suggestions([good, bad], "catchbench", Options({}))
    assert (draft.file, problem.file, problem.code) == ("a/file.json", "b/file.json", "bad_keys")


def test_provenance_that_cannot_be_kept_is_cleaned_or_refused(tmp_path):
    predictions = {"k": prediction(1, [1])}
    [draft], _ = read(tmp_path, "catchbench", cache(predictions, model="a\0b\ud800", method="m" * 80))
    assert (draft.model, draft.protocol) == ("a\ufffdb\ufffd", "m" * 60)
    assert draft.raw["provenance"]["model"] == draft.model
    drafts, problems = read(tmp_path, "catchbench", cache(predictions, method=["x"]))
    assert (drafts, codes(problems)) == ([], [("/provenance/method", "bad_field")])


def test_a_judge_without_a_list_of_failures_costs_only_itself(tmp_path):
    drafts, problems = read(tmp_path, "agentrx", {"detailed_results": [judged() | {"failures": 5}, judged()]})
    assert (len(drafts), codes(problems)) == (1, [("/detailed_results/0/failures", "bad_field")])


def test_a_judges_run_is_named_after_as_much_of_its_file_as_fits(tmp_path):
    [draft], _ = read(tmp_path, "agentrx", {"detailed_results": [judged()]}, f"{'r' * 120}.json")
    assert draft.run == "r" * 100


def test_a_ranking_that_is_not_what_the_raw_answer_says_is_a_warning(tmp_path):
    drafts, problems = read(tmp_path, "catchbench", cache({"k": prediction(1, [1]) | {"top": 2}}))
    assert (len(drafts), [problem.code for problem in problems]) == (1, ["raw_differs"])


def test_lines_hold_judgements_and_violations(tmp_path):
    lines = '{"trajectory_id": 5, "model": "m", "critical_step": null}\n{"trajectory_id": "x", "constraint": "c", "step": 0}\n{"trajectory_id": "x"}\n'
    [judgement, violation_], problems = read(tmp_path, "jsonl", lines)
    assert (judgement.which.external_id, judgement.step, judgement.model) == ("5", None, "m")
    assert (violation_.name, violation_.step) == ("c", 0)
    assert codes(problems) == [("line 3", "not_a_record")]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"critical_step": 1, "model": "m"}, "missing_id"),
        ({"trajectory_id": True, "critical_step": 1, "model": "m"}, "missing_id"),
        ({"trajectory_id": "x", "critical_step": -1, "model": "m"}, "bad_step"),
        ({"trajectory_id": "x", "critical_step": "two", "model": "m"}, "bad_step"),
        ({"trajectory_id": "x", "critical_step": 1}, "bad_field"),
        ({"trajectory_id": "x", "critical_step": 1, "model": "m", "ranking": "1, 2"}, "bad_field"),
        (7, "not_a_record"),
    ],
)
def test_a_bad_record_costs_only_itself(tmp_path, record, code):
    good = {"trajectory_id": "x", "critical_step": 1, "model": "m"}
    drafts, problems = read(tmp_path, "jsonl", [record, good])
    assert (len(drafts), [problem.code for problem in problems]) == (1, [code])


@pytest.mark.parametrize("format", [reader.name for reader in READERS])
@pytest.mark.parametrize(
    "content", ["", "no json", "[[[[", "null", "{}", '{"history": []}', '{"predictions": 3, "provenance": 1}']
)
def test_other_content_is_one_refused_record(tmp_path, format, content):
    drafts, problems = read(tmp_path, format, content)
    assert (drafts, len(problems)) == ([], 1)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["detailed_results", "failures", "task_id", "trajectory_id", "critical_step", "constraint", "step"]
                + ["predictions", "provenance", "top", "ranking", "raw", "invariants", "assertion_name", "step_index"]
                + ["failure_case", "index", "step_mean", "check_type", "python_check", "per_step_outputs", "parsed"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values, st.sampled_from([reader.name for reader in READERS]))
def test_nothing_a_file_holds_raises(tmp_path, value, format):
    read(tmp_path, format, value)
