"""The τ-bench failures under a scripted model: one command fills violations, judgements, ledger and board."""

import json
import re
from decimal import Decimal

import pytest

from suggestions.models import BudgetMonth, Constraint, Evaluation, Judgement, ModelCall, Violation
from suggestions.queries import answers_by_judge
from tests.factories import make_project
from tests.shared_data import shared
from tests.suggestions.llm.server import Reply, said
from tests.suggestions.test_commands import output

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

CONSTRAINTS = [
    {
        "assertion_name": "the_user_is_known_first",
        "invariant_type": "PROTOCOL",
        "taxonomy_targets": ["InstructionAdherenceFailure"],
        "event_trigger": {"step_index": "*", "role_name": "tool"},
        "check_hint": "The user's identity is known before anything is looked up.",
        "check_type": "python_check",
        "python_check": {
            "function_name": "known",
            "args": ["trajectory", "current_step_index"],
            "code_lines": ["def known(trajectory, current_step_index):", "    return current_step_index != 5"],
        },
    },
    {
        "assertion_name": "the_change_was_confirmed",
        "invariant_type": "TEMPORAL",
        "taxonomy_targets": ["InstructionAdherenceFailure"],
        "event_trigger": {"step_index": "10-14", "role_name": "assistant"},
        "check_hint": "The user confirmed the change before it was made.",
        "check_type": "nl_check",
        "nl_check": {"judge_rubric": ["Did the user say yes?", "Was the whole change named before?"]},
    },
]


def scripted(body: dict, number: int) -> Reply:
    """What a model of middling skill would say to each of our questions."""
    question = said(body)
    if "Write the constraints" in question:
        return Reply(json.dumps({"constraints": CONSTRAINTS}))
    if "Check the statements" in question:
        found = re.search(r"^(C\d+) \(at steps ([\d, ]+)\)", question, re.MULTILINE)
        rubric = [{"criterion": "Did the user say yes?", "evaluation": "CLEAR_FAIL", "reasoning": "There is no yes."}]
        rubric.append({"criterion": "Was the change named?", "evaluation": "UNCLEAR", "reasoning": "It is not shown."})
        results = [
            {"check": found[1], "step": int(step), "rubric": rubric, "cited_steps": [int(step)], "reason": "No yes."}
            for step in found[2].split(",")
        ]
        return Reply(json.dumps({"results": results}))
    steps = [int(step) for step in re.findall(r"^=== \w+ step (\d+) ", question, re.MULTILINE)]
    middle = steps[len(steps) // 2]
    answer = {"reason": "The agent changed the order before the user agreed to it, and nobody noticed. " * 2}
    answer |= {"critical_step": middle, "participant": "Assistant", "category": "Intent-Plan Misalignment"}
    answer |= {
        "category_reason": "It followed a plan of its own.",
        "cited_steps": [middle],
        "ranking": [middle, middle - 1],
    }
    return Reply(json.dumps(answer))


def test_one_command_fills_everything_and_the_estimate_holds(connect):
    project = make_project("tau", runs=0)
    path = shared("agentrx/tau_retail/tau_dataset_failed.json")
    assert output("import_traces", str(path), "--project", "tau")["stored"] == 29
    server = connect(scripted, cap=5, input_price="0.15", output_price="0.6", concurrency=4, max_output=2_000)

    estimate = output("suggest", "--project", "tau", "--source", "llm", "--dry-run")
    assert (server.requests, estimate["trajectories"], estimate["calls"]) == ([], 29, 87)

    told = output("suggest", "--project", "tau", "--source", "llm")
    assert (told["failed"], told["stopped"]) == ([], None)
    assert (told["judgements"], told["abstained"], told["calls"]) == (29, 0, 87)
    calls = ModelCall.objects.answered()
    spent = [call.input_tokens + call.output_tokens for call in calls]
    expected = estimate["input_tokens"] + estimate["output_tokens"]
    assert abs(expected - sum(spent)) <= 0.1 * sum(spent), (expected, sum(spent))

    month = BudgetMonth.objects.get()
    assert month.spent == sum(call.cost for call in calls) == Decimal(str(told["cost"])).quantize(Decimal("1e-8"))
    assert Constraint.objects.exclude(trajectory=None).count() == 58
    assert Violation.objects.standing().filter(source="llm").values("trajectory").distinct().count() == 29
    assert Violation.objects.standing().filter(constraint__name="the_user_is_known_first").exists()
    assert Evaluation.objects.filter(source="llm:language_checks:tiny").count() == 29
    [(judge, answers)] = answers_by_judge(project.dataset).items()
    assert (judge.model, judge.protocol, len(answers)) == ("tiny", "all_at_once+checklist+violations", 29)

    again = output("suggest", "--project", "tau", "--source", "llm")
    assert (again["calls"], again["cost"], len(server.requests)) == (0, 0, 87)
    assert output("suggest", "--project", "tau", "--source", "llm", "--dry-run")["calls"] == 0
    print({"tokens": sum(spent), "estimate": expected, "cost": told["cost"], "calls": told["calls"]})
    print({"judgements": Judgement.objects.count()})
