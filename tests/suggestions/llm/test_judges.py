"""What each protocol asks, in which order, and what it makes of the answers. Steps are counted from 1 in questions."""

import json

import pytest

from suggestions.actions import evaluate_dataset
from suggestions.llm.actions import suggest_by_model
from suggestions.models import Judgement
from suggestions.queries import answers_by_judge
from tests.suggestions.llm.conftest import JUDGED
from tests.suggestions.llm.server import Reply, answering, in_turn, said

pytestmark = pytest.mark.django_db(transaction=True)


def judged(project, plan, protocol: str) -> Judgement:
    suggest_by_model(dataset=project.dataset, plan=plan(protocol))
    return Judgement.objects.get(protocol=protocol)


def replies(*values: dict):
    return in_turn(*(Reply(json.dumps(value)) for value in values))


@pytest.mark.parametrize(
    ("protocol", "has_questions", "has_violations"),
    [
        ("all_at_once", False, False),
        ("all_at_once+checklist", True, False),
        ("all_at_once+violations", False, True),
        ("all_at_once+checklist+violations", True, True),
    ],
)
def test_all_at_once_with_and_without_questions_and_violations(
    project, connect, plan, protocol, has_questions, has_violations
):
    evaluate_dataset(dataset=project.dataset)
    server = connect(answering(JUDGED))
    assert judged(project, plan, protocol).critical_step == 1
    [question] = map(said, server.requests)
    assert ("Was the call valid?" in question, "final_answer_is_given" in question) == (has_questions, has_violations)


def test_the_step_first_then_its_category(project, connect, plan):
    first = {"reason": "r", "critical_step": 3, "participant": "Assistant", "cited_steps": [3]}
    server = connect(replies(first, {"category": "Invalid Invocation", "category_reason": "c"}))
    judgement = judged(project, plan, "step_then_category+checklist")
    assert (judgement.critical_step, judgement.category, judgement.raw["category_reason"]) == (
        2,
        "Invalid Invocation",
        "c",
    )
    asked = [said(body) for body in server.requests]
    assert ["Was the call valid?" in question for question in asked] == [False, True]
    assert "at step 3" in asked[1]


def test_without_a_step_no_category_is_asked_for(project, connect, plan):
    server = connect(replies({"reason": "r", "critical_step": None}))
    assert judged(project, plan, "step_then_category").critical_step is None
    assert len(server.requests) == 1


def test_decisive_error_at_once(project, connect, plan):
    connect(replies({"reason": "r", "critical_step": 4, "participant": "Assistant", "cited_steps": [4]}))
    judgement = judged(project, plan, "whowhen_all_at_once")
    assert (judgement.critical_step, judgement.category) == (3, "")


def test_step_by_step_shows_no_more_than_the_step_it_asks_about(project, connect, plan):
    server = connect(replies({"decisive": False}, {"decisive": False}, {"decisive": True, "reason": "r"}))
    judgement = judged(project, plan, "step_by_step")
    assert (judgement.critical_step, judgement.participant) == (2, "Assistant")
    shown = [[n for n in range(4) if f"step {n} says something" in said(body)] for body in server.requests]
    assert shown == [[0], [0, 1], [0, 1, 2]]


def test_step_by_step_abstains_when_no_step_is_it(project, connect, plan):
    server = connect(replies({"decisive": False}))
    assert judged(project, plan, "step_by_step").critical_step is None
    assert len(server.requests) == 4


def test_binary_search_halves_what_it_shows(project, connect, plan):
    server = connect(replies({"half": "second", "reason": "late"}, {"half": "first", "reason": "r"}))
    judgement = judged(project, plan, "binary_search")
    assert (judgement.critical_step, judgement.participant) == (2, "Assistant")
    shown = [[n for n in range(4) if f"step {n} says something" in said(body)] for body in server.requests]
    assert shown == [[0, 1, 2, 3], [2, 3]]


def test_who_searches_for_one_step_has_no_second_guess_on_the_board(project, connect, plan):
    connect(replies({"half": "first"}))
    judged(project, plan, "binary_search")
    [(judge, [answer])] = answers_by_judge(project.dataset).items()
    assert (judge.source, judge.model, judge.protocol) == ("llm", "tiny", "binary_search")
    assert (answer.step, answer.names_one_step) == (0, True)


def test_a_model_is_shown_nothing_that_people_or_oracles_said(project, connect, plan, ann):
    from tests.factories import annotate_and_submit, make_trajectory, only_item

    annotate_and_submit(only_item(project), ann, step_reason="zebrafinch")
    layers = {
        "task": {},
        "expected": {"answer": "zebrafinch"},
        "oracle": {"step": "zebrafinch"},
        "outcome": {"r": "zebrafinch"},
    }
    make_trajectory(project, "second", layers=layers, instruction="Find another lamp.")
    server = connect()
    suggest_by_model(dataset=project.dataset, plan=plan("synthesis", "all_at_once", "step_by_step"))
    assert len(server.requests) > 3
    assert "zebrafinch" not in json.dumps(server.requests)
