"""Triggers fire where the published checker fires, its oddities included."""

import pytest

from suggestions.python_checks import Prepared, PythonConstraint
from suggestions.runs import Run
from suggestions.triggers import Trigger, candidates
from suggestions.verdicts import Verdict
from tests.suggestions.builders import a_run, called, said


def four_steps() -> Run:
    return a_run(
        said(0, "System", "the policy", "system"),
        said(1, "User", "hello", "user"),
        called(2, "find_order", {"id": "A1"}),
        said(3, "Orchestrator", "go", "Orchestrator (-> WebSurfer)"),
    )


@pytest.mark.parametrize(
    ("index", "fires_at"),
    [
        ("*", [0, 1, 2, 3]),
        ("", [0, 1, 2, 3]),
        (None, [0, 1, 2, 3]),
        (1, [0]),
        ("3", [2]),
        (0, []),
        ("2-3", [1, 2]),
        ([1, 2], []),
        ("two", []),
        (True, []),
    ],
)
def test_step_index_is_the_number_counted_from_one(index, fires_at):
    assert candidates(four_steps(), Trigger(step_index=index)) == fires_at


@pytest.mark.parametrize(
    ("fields", "fires_at"),
    [
        ({"role_name": "assistant"}, [2]),
        ({"role_name": "Orchestrator"}, [3]),
        ({"role_name": "assistant|user"}, []),
        ({"role_name": "Orchestrator (-> WebSurfer)"}, []),  # equal, but as a pattern it does not match itself
        ({"tool_name": "FIND_order"}, [2]),
        ({"content_regex": "hello"}, [1]),
        ({"content_regex": "HELLO"}, []),
        ({"content_regex": "A1.*find"}, [2]),
        ({"substep_index": 0}, [0, 1, 2, 3]),
        ({"substep_index": 1}, []),
        ({"event_types": ["tool"], "role_name": "user"}, []),
        ({"event_types": ["user"], "role_name": "user"}, [1]),
        ({"event_types": ["*"], "role_name": "user"}, [1]),
    ],
)
def test_a_check_is_asked_where_all_fields_match(fields, fires_at):
    assert asked_at(Trigger.of(fields)) == fires_at


def test_a_pattern_that_is_none_means_not_evaluated_and_not_satisfied():
    results = evaluated(Trigger(content_regex="("))
    assert {result.verdict for result in results} == {Verdict.NOT_EVALUATED}


def test_a_pattern_made_to_be_slow_costs_its_limit_and_no_more():
    results = evaluated(Trigger(content_regex=r"(.|.?)+\1x$"))
    assert {result.verdict for result in results} <= {Verdict.NOT_EVALUATED, Verdict.SKIPPED}


def asked_at(trigger: Trigger) -> list[int]:
    return [result.step for result in evaluated(trigger) if result.verdict != Verdict.SKIPPED]


def evaluated(trigger: Trigger):
    constraint = PythonConstraint("c", "ANY", (), trigger, "python_check", "ok", "def ok(t, i):\n    return True")
    return list(constraint.evaluate(Prepared(four_steps())))
