"""Constraints that a model writes, and language checks that it evaluates by a rubric."""

import json

import pytest

from suggestions.constraints import stored_constraint
from suggestions.llm.actions import suggest_by_model
from suggestions.models import Constraint, Evaluation, Violation
from suggestions.schema import parse
from tests.suggestions.llm.server import Reply, answering, in_turn, said
from tests.suggestions.samples import constraint

pytestmark = pytest.mark.django_db(transaction=True)

SAYS_NO = ["def order_is_named(trajectory, current_step_index):", "    return current_step_index != 2"]


def python(**fields) -> dict:
    return constraint(python_check={"function_name": "order_is_named", "code_lines": SAYS_NO}, **fields)


def language(name: str = "user_agreed", **fields) -> dict:
    rubric = {"judge_rubric": ["Did the user agree?", "Is the price named?"]}
    return constraint(name, check_type="nl_check", nl_check=rubric, check_hint="The user agrees first.", **fields)


def checked(*results: dict):
    return answering({"results": list(results)})


def result(step: int, *evaluations: str, **fields) -> dict:
    rubric = [{"criterion": "c", "evaluation": each, "reasoning": "because"} for each in evaluations]
    return {"check": "C1", "step": step, "rubric": rubric, "cited_steps": [step], "reason": "No yes."} | fields


def ask(project, plan, *tasks):
    return suggest_by_model(dataset=project.dataset, plan=plan(*tasks))


def found(source: str) -> list[tuple[str, int]]:
    rows = Violation.objects.standing().filter(source=source).order_by("constraint__name", "step")
    return list(rows.values_list("constraint__name", "step"))


def test_constraints_written_at_once_hold_for_their_run_and_run_in_the_sandbox(project, connect, plan):
    server = connect(answering({"constraints": [python(), language(), {"assertion_name": "no type"}]}))
    told = ask(project, plan, "synthesis")
    rows = Constraint.objects.exclude(trajectory=None).order_by("name")
    assert [(row.name, row.check_type, row.check_body["written_by"]) for row in rows] == [
        ("order_is_named", "python_check", "tiny"),
        ("user_agreed", "nl_check", "tiny"),
    ]
    assert Evaluation.objects.get(source="llm:synthesis:tiny").counts["refused"] == 1
    assert ("order_is_named", 2) in found("builtin")
    assert told.not_evaluated == 3  # the language check still waits for a model
    ask(project, plan, "synthesis")
    assert len(server.requests) == 1


def test_constraints_written_step_by_step_hold_from_their_step_on(project, connect, plan):
    nothing = Reply(json.dumps({"constraints": []}))
    server = connect(in_turn(nothing, nothing, Reply(json.dumps({"constraints": [python()]})), nothing))
    ask(project, plan, "synthesis_step_by_step")
    row = Constraint.objects.get(name="order_is_named")
    assert (row.from_position, len(server.requests)) == (2, 4)
    assert "order_is_named" in said(server.requests[3])


def test_unclear_criteria_are_left_out_and_the_rest_decides(project, connect, plan):
    stored_constraint(project.dataset, parse(language()))
    server = connect(
        checked(
            result(2, "UNCLEAR", "CLEAR_FAIL"),
            result(3, "CLEAR_PASS", "UNCLEAR"),
            result(4, "UNCLEAR", "UNCLEAR"),
        )
    )
    told = ask(project, plan, "language_checks")
    assert found("llm") == [("user_agreed", 1)]
    evaluation = Evaluation.objects.get(source="llm:language_checks:tiny")
    assert evaluation.counts == {"violated": 1, "satisfied": 1, "not_evaluated": 1}
    assert evaluation.not_evaluated == [
        {"constraint": "user_agreed", "step": 3, "why": "no criterion could be settled"}
    ]
    assert told.not_evaluated == 1
    violation = Violation.objects.get(source="llm")
    assert (violation.run, violation.evidence["text"], violation.evidence["cited_steps"]) == ("tiny", "No yes.", [1])
    assert "Did the user agree?" in said(server.requests[0])
    ask(project, plan, "language_checks")
    assert len(server.requests) == 1


def test_what_cites_no_step_is_marked_and_what_was_not_asked_is_not_taken(project, connect, plan):
    stored_constraint(project.dataset, parse(language()))
    connect(checked(result(2, "CLEAR_FAIL", cited_steps=[99]), result(1, "CLEAR_FAIL"), result(9, "CLEAR_FAIL")))
    ask(project, plan, "language_checks")
    assert found("llm") == [("user_agreed", 1)]  # the trigger does not fire at step 1, there is no step 9
    assert Violation.objects.get(source="llm").evidence["cites_no_step"] is True
    whys = {each["why"] for each in Evaluation.objects.get(source="llm:language_checks:tiny").not_evaluated}
    assert whys == {"the model said nothing about it"}


def test_a_refusal_is_not_the_same_as_satisfied(project, connect, plan):
    stored_constraint(project.dataset, parse(language()))
    connect(in_turn(Reply(refusal="No.")))
    ask(project, plan, "language_checks")
    assert Evaluation.objects.get(source="llm:language_checks:tiny").counts == {"not_evaluated": 3}


def test_what_is_no_longer_found_is_withdrawn(project, connect, plan):
    stored_constraint(project.dataset, parse(language()))
    connect(checked(result(2, "CLEAR_FAIL")))
    ask(project, plan, "language_checks")
    stored_constraint(project.dataset, parse(language("another")))  # the run is looked at again
    connect(checked(result(2, "CLEAR_PASS"), result(3, "CLEAR_FAIL")))
    ask(project, plan, "language_checks")
    assert found("llm") == [("user_agreed", 2)]


def test_language_checks_without_constraints_ask_nothing(project, connect, plan):
    server = connect()
    ask(project, plan, "language_checks")
    assert server.requests == []
