"""The τ-bench failures under a scripted model: one command, or a lead from the page, fills violations, judgements,
ledger and board."""

import json
import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from suggestions.llm.actions import ASK_MODEL, ESTIMATE
from suggestions.models import BudgetMonth, Constraint, Evaluation, Judgement, ModelCall, Violation
from suggestions.queries import answers_by_judge
from tests.factories import PASSWORD, make_project
from tests.forms import form_with
from tests.shared_data import shared
from tests.suggestions.llm.server import Reply, said
from tests.suggestions.test_commands import output
from tests.worker import models_worker, outcome_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
FAILURES, LABELS = "agentrx/tau_retail/tau_dataset_failed.json", "agentrx/ground_truth/tau_ground_truth.json"
PRICED = {"cap": 5, "input_price": "0.15", "output_price": "0.6", "concurrency": 4, "max_output": 2_000}

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


@pytest.fixture
def tau(db):
    project = make_project("tau", runs=0)
    assert output("import_traces", str(shared(FAILURES)), "--project", "tau")["stored"] == 29
    return project


def everything_is_filled(project) -> None:
    """The validation log and the judgements hold what the script says."""
    assert Constraint.objects.exclude(trajectory=None).count() == 58
    assert Violation.objects.standing().filter(source="llm").values("trajectory").distinct().count() == 29
    assert Violation.objects.standing().filter(constraint__name="the_user_is_known_first").exists()
    assert Evaluation.objects.filter(source="llm:language_checks:tiny").count() == 29
    [(judge, answers)] = answers_by_judge(project.dataset).items()
    assert (judge.model, judge.protocol, len(answers)) == ("tiny", "all_at_once+checklist+violations", 29)


def test_one_command_fills_everything_and_the_estimate_holds(tau, connect):
    server = connect(scripted, **PRICED)

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
    everything_is_filled(tau)

    again = output("suggest", "--project", "tau", "--source", "llm")
    assert (again["calls"], again["cost"], len(server.requests)) == (0, 0, 87)
    assert output("suggest", "--project", "tau", "--source", "llm", "--dry-run")["calls"] == 0
    print({"tokens": sum(spent), "estimate": expected, "cost": told["cost"], "calls": told["calls"]})
    print({"judgements": Judgement.objects.count()})


def test_a_lead_fills_everything_from_the_page_and_the_estimate_it_shows_holds(tau, connect):
    output("import_labels", str(shared(LABELS)), "--project", "tau", "--format", "agentrx", "--annotator", "agentrx")
    server = connect(scripted, **PRICED)
    mia = Client(enforce_csrf_checks=True)
    assert mia.login(username="mia", password=PASSWORD)
    models = reverse("spend", args=["tau"])

    with models_worker():
        submit(mia, models, "tasks", act="estimate")
        assert (outcome_of(ESTIMATE).state, server.requests) == ("done", [])
        expected = estimate_on(mia.get(models))
        submit(mia, models, "tasks", act="ask")
        job = outcome_of(ASK_MODEL)
        submit(mia, models, "tasks", act="estimate", run="again")
        assert outcome_of(ESTIMATE).state == "done"
    assert (job.state, job.by, job.result["failed"], job.result["stopped"]) == ("done", "mia", [], None)
    everything_is_filled(tau)

    page = mia.get(models)
    assert '<span class="num">29 judgements, 0 without a step' in page.content.decode()
    ledger = {row["purpose"]: row for row in page.context["purposes"]}
    assert {purpose: row["answered"] for purpose, row in ledger.items()} == {
        "synthesis": 29, "language_checks": 29, "all_at_once+checklist+violations": 29,
    }  # fmt: skip
    tokens, cost = (sum(row[name] for row in ledger.values()) for name in ("tokens_in", "total"))
    tokens += sum(row["tokens_out"] for row in ledger.values())
    assert f"{cost:.4f} spent of 5.00" in page.content.decode()
    assert (expected["calls"], len(server.requests)) == (87, 87)
    assert expected["tokens"] == pytest.approx(tokens, rel=0.1)
    # How long answers are is known from the first run on, and with it what the next one costs.
    again = estimate_on(page)
    assert (again["calls"], again["tokens"]) == (87, pytest.approx(tokens, rel=0.1))
    assert again["dollars"] == pytest.approx(float(cost), rel=0.1)

    scores = reverse("scoreboard", args=["tau"]) + "?labels=annotator:agentrx"
    submit(mia, scores, "labels", "csrfmiddlewaretoken", to=reverse("score", args=["tau"]))
    [scored] = mia.get(scores).context["board"]["sources"]
    assert (scored["n"], scored["abstained"], scored["exact"]) == (29, 0, critical_in_the_middle(tau))


def submit(client: Client, url: str, *names: str, to: str = "", **given: str):
    """The page's form that has these fields, sent by the button that adds what is given."""
    form = form_with(client.get(url).content.decode(), *names)
    assert client.post(to or url, form | given).status_code == 302


def estimate_on(page) -> dict[str, float]:
    said = re.search(r"tiny: (\d+) calls, (\d+) tokens in, (\d+) out, ([\d.]+);", page.content.decode())
    return {"calls": int(said[1]), "tokens": int(said[2]) + int(said[3]), "dollars": float(said[4])}


def critical_in_the_middle(project) -> int:
    """How often the labels' root cause is the step that the script names."""
    lengths = dict(project.dataset.trajectories.values_list("external_id", "n_steps"))
    found = 0
    for record in json.loads(shared(LABELS).read_text()):
        root = record["root_cause"]["failure_id"]
        [number] = [each["step_number"] for each in record["failures"] if each["failure_id"] == root]
        found += number - 1 == lengths[str(record["trajectory_id"])] // 2
    return found
