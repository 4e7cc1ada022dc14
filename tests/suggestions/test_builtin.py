"""Every built-in constraint: where it has nothing to say, where it holds, where it is broken."""

import pytest

from suggestions.builtin import BUILTINS
from suggestions.builtin.base import Builtin
from suggestions.builtin.facts import Facts
from suggestions.engine import evaluate
from suggestions.runs import Run
from suggestions.verdicts import Verdict
from taxonomy.presets import load
from taxonomy.presets.spelling import resolve
from tests.suggestions.builders import a_run, answered, called, said

BY_NAME = {builtin.name: builtin for builtin in BUILTINS}
CONFIRM = "Get the user's explicit confirmation before changing anything. Make one tool call at a time."
TOOL = {
    "type": "function",
    "function": {
        "name": "find_order",
        "parameters": {
            "type": "object",
            "required": ["order_id"],
            "properties": {
                "order_id": {"type": "string"},
                "count": {"type": "integer"},
                "sort": {"enum": ["up", "down"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        },
    },
}


def find(**arguments) -> Run:
    return a_run(called(0, "find_order", arguments), toolset=(TOOL,))


def terminal(output: str, after: str = "It failed.") -> Run:
    return a_run(
        said(0, "Coder_Expert", "Run this:\n```python\nprint(1)\n```"),
        said(1, "Computer_terminal", output),
        said(2, "Coder_Expert", after),
        format="whowhen",
    )


def browser(text: str) -> Run:
    return a_run(said(0, "WebSurfer", text), format="magentic")


def variants(text: str) -> Run:
    items = {f"v{n}": {"price": 9.5, "available": n % 2 == 0} for n in range(9)}
    return a_run(
        called(0, "list_variants", {}, "c1"),
        answered(1, "list_variants", {"variants": items}, "c1"),
        said(2, "Assistant", text),
    )


def write_after(words: str) -> Run:
    return a_run(said(0, "User", words), called(1, "cancel_order", {"order_id": "A-77"}), policy=CONFIRM)


def reads(second: str, used: str) -> Run:
    return a_run(
        called(0, "get_user", {"id": "u-100"}, "c1"),
        answered(1, "get_user", {"card": "card-1111"}, "c1"),
        called(2, "get_user", {"id": "u-100"}, "c2"),
        answered(3, "get_user", {"card": second}, "c2"),
        called(4, "pay", {"card": used}, "c3"),
    )


def handed_over(next_speaker: str) -> Run:
    return a_run(
        said(0, "Orchestrator", "Please look it up.", "Orchestrator (-> WebSurfer)"),
        said(1, "Orchestrator", "Next speaker", "Orchestrator (thought)"),
        said(2, next_speaker, "Here it is."),
        format="magentic",
    )


def cycle(*texts: str) -> Run:
    return a_run(*(said(n, "Assistant", f"{text}, which is a rather long remark") for n, text in enumerate(texts)))


# name, run, step, what is said of that step
CASES = [
    ("arguments_are_json", find(order_id="A1"), 0, "satisfied"),
    ("arguments_are_json", a_run(called(0, "find_order", "order_id=A1")), 0, "violated"),
    ("arguments_are_json", a_run(said(0, "User", "hi")), 0, "skipped"),
    ("arguments_match_schema", find(order_id="A1", count=2, sort="up", tags=["x"]), 0, "satisfied"),
    ("arguments_match_schema", find(count=2), 0, "violated"),
    ("arguments_match_schema", find(order_id="A1", count="2"), 0, "violated"),
    ("arguments_match_schema", find(order_id="A1", count=True), 0, "violated"),
    ("arguments_match_schema", find(order_id="A1", sort="left"), 0, "violated"),
    ("arguments_match_schema", find(order_id="A1", tags=[1]), 0, "violated"),
    ("arguments_match_schema", find(order_id="A1", colour="red"), 0, "violated"),
    ("arguments_match_schema", a_run(called(0, "find_order", {})), 0, "skipped"),
    ("tool_is_known", find(order_id="A1"), 0, "satisfied"),
    ("tool_is_known", a_run(called(0, "find_oder", {}), toolset=(TOOL,)), 0, "violated"),
    ("tool_is_known", a_run(called(0, "find_oder", {})), 0, "skipped"),
    ("agent_is_known", a_run(said(0, "Ada_Expert", "hi"), roster=frozenset({"Ada_Expert"})), 0, "satisfied"),
    ("agent_is_known", a_run(said(0, "Eve_Expert", "hi"), roster=frozenset({"Ada_Expert"})), 0, "violated"),
    ("agent_is_known", a_run(said(0, "Eve_Expert", "hi")), 0, "skipped"),
    ("call_has_result", variants("done"), 0, "satisfied"),
    ("call_has_result", a_run(called(0, "find_order", {}, "c1"), said(1, "User", "well?")), 0, "violated"),
    ("call_has_result", a_run(called(0, "find_order", {}), answered(1, "find_order", "ok")), 0, "satisfied"),
    ("agent_answers", handed_over("WebSurfer"), 0, "satisfied"),
    ("agent_answers", handed_over("FileSurfer"), 0, "violated"),
    ("agent_answers", handed_over("WebSurfer"), 2, "skipped"),
    (
        "identifiers_are_grounded",
        a_run(said(0, "User", "order A-77"), called(1, "get", {"id": "A-77"})),
        1,
        "satisfied",
    ),
    ("identifiers_are_grounded", a_run(said(0, "User", "my order"), called(1, "get", {"id": "A-77"})), 1, "violated"),
    ("identifiers_are_grounded", a_run(called(0, "get", {"id": "A-77"}), said(1, "User", "A-77")), 0, "violated"),
    ("identifiers_are_grounded", a_run(called(0, "get", {"name": "lamp"})), 0, "skipped"),
    ("values_are_current", reads("card-2222", "card-2222"), 4, "satisfied"),
    ("values_are_current", reads("card-2222", "card-1111"), 4, "violated"),
    ("values_are_current", reads("card-1111", "card-1111"), 4, "satisfied"),
    ("no_repeated_action", cycle("one", "two", "one"), 2, "violated"),
    ("no_repeated_action", cycle("one", "two", "three"), 2, "satisfied"),
    ("no_repeated_action", reads("card-2222", "card-2222"), 2, "satisfied"),  # the second answer was another
    ("no_repeated_action", reads("card-1111", "card-1111"), 2, "violated"),
    ("no_repeated_action", a_run(said(0, "User", "hi")), 0, "skipped"),
    ("no_loop", cycle("one", "two", "one", "two", "one", "two"), 5, "violated"),
    ("no_loop", cycle("one", "two", "one", "two", "one", "three"), 5, "satisfied"),
    ("action_succeeds", terminal("exitcode: 0 (execution succeeded)\nCode output: 1"), 0, "satisfied"),
    ("action_succeeds", terminal("exitcode: 1 (execution failed)\nCode output: "), 0, "violated"),
    (
        "action_succeeds",
        a_run(called(0, "get", {}, "c"), answered(1, "get", "Error: no such order", "c")),
        0,
        "violated",
    ),
    ("action_succeeds", a_run(called(0, "get", {}, "c"), answered(1, "get", "no", "c", is_error=True)), 0, "violated"),
    ("action_succeeds", a_run(said(0, "User", "Error: I am sad")), 0, "skipped"),
    ("result_is_in_time", terminal("exitcode: 124\nTimeout"), 1, "violated"),
    ("result_is_in_time", terminal("all good"), 1, "satisfied"),
    ("page_is_there", browser("I typed a name. Title: Error 404"), 0, "violated"),
    ("page_is_there", browser("The page lists 404 lamps."), 0, "satisfied"),
    ("page_is_there", a_run(said(0, "User", "HTTP 500")), 0, "skipped"),
    ("access_is_allowed", browser("Here is a screenshot of [Just a moment...](https://example.org)"), 0, "violated"),
    ("access_is_allowed", browser("Here is a screenshot of [Lamps](https://example.org)"), 0, "satisfied"),
    ("no_success_after_error", terminal("exitcode: 1", "The file was written successfully."), 2, "violated"),
    ("no_success_after_error", terminal("exitcode: 1", "Let me fix this."), 2, "satisfied"),
    ("no_success_after_error", terminal("exitcode: 0", "The file was written successfully."), 2, "skipped"),
    ("count_fits_data", variants("There are 5 available lamp options."), 2, "satisfied"),
    ("count_fits_data", variants("There are 9 options."), 2, "satisfied"),
    ("count_fits_data", variants("There are 7 available lamp options."), 2, "violated"),
    ("count_fits_data", variants("There are many options."), 2, "skipped"),
    ("list_is_complete", a_run(said(0, "Assistant", "Here are 3 lamps:\n1. red\n2. blue\n")), 0, "violated"),
    ("list_is_complete", a_run(said(0, "Assistant", "Here are 2 lamps:\n1. red\n2. blue\n")), 0, "satisfied"),
    ("list_is_complete", a_run(said(0, "Assistant", "Here are lamps:\n1. red\n")), 0, "skipped"),
    ("write_is_confirmed", write_after("Yes, cancel it."), 1, "satisfied"),
    ("write_is_confirmed", write_after("What does the order hold?"), 1, "violated"),
    ("write_is_confirmed", a_run(called(0, "cancel_order", {})), 0, "skipped"),
    ("one_call_at_a_time", write_after("Yes."), 1, "satisfied"),
    ("one_call_at_a_time", a_run(called(0, "get", {}, text="One moment."), policy=CONFIRM), 0, "violated"),
    ("final_answer_is_given", a_run(said(0, "Assistant", "FINAL ANSWER: 42"), format="magentic"), 0, "satisfied"),
    ("final_answer_is_given", a_run(said(0, "WebSurfer", "I clicked."), format="magentic"), 0, "violated"),
    ("final_answer_is_given", a_run(said(0, "User", "Thanks!")), 0, "satisfied"),
    ("final_answer_is_given", cycle("one", "two"), 0, "skipped"),
]


@pytest.mark.parametrize(
    ("name", "run", "step", "verdict"), CASES, ids=[f"{c[0]} {c[3]} {n}" for n, c in enumerate(CASES)]
)
def test_verdict(name, run, step, verdict):
    result = BY_NAME[name].verdict(Facts(run), run.steps[step])
    assert (result.verdict, bool(result.evidence.get("text"))) == (verdict, verdict == "violated"), result


def test_every_constraint_has_a_case_in_which_it_is_broken():
    assert {name for name, _, _, verdict in CASES if verdict == "violated"} == set(BY_NAME)


@pytest.mark.parametrize("builtin", BUILTINS, ids=BY_NAME)
def test_targets_are_categories_of_the_taxonomy_and_the_sentence_is_one(builtin):
    assert all(resolve(load("agentrx"), target) for target in builtin.targets)
    assert builtin.sentence.endswith(".")
    assert builtin.kind in ("SCHEMA", "PROTOCOL", "RELATIONAL_POST", "PROVENANCE", "TEMPORAL", "CAPABILITY")


def test_an_evaluation_says_something_of_every_step_and_constraint():
    run = variants("There are 7 available lamp options.")
    tally = evaluate(run, BUILTINS)
    assert sum(tally.counts.values()) == len(run.steps) * len(BUILTINS)
    assert [(v.constraint, v.step) for v in tally.violations] == [("count_fits_data", 2)]


def test_content_nobody_thought_of_is_not_evaluated_and_costs_no_other_constraint():
    def stumbles(facts, step):
        raise KeyError("surprise")

    broken = Builtin("broken", "SCHEMA", (), "It works.", lambda facts, step: True, stumbles)
    tally = evaluate(a_run(said(0, "User", "hi")), [broken, BY_NAME["final_answer_is_given"]])
    assert tally.counts == {Verdict.NOT_EVALUATED: 1, Verdict.SATISFIED: 1}
    assert tally.not_evaluated[0].why == "KeyError: 'surprise'"
