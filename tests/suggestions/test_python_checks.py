"""Checks from outside: verdicts, the four of them, and what hostile code comes to."""

import time

import pytest

from suggestions.ir import as_ir
from suggestions.python_checks import Prepared, PythonConstraint
from suggestions.runs import RunBlock, RunStep
from suggestions.triggers import Trigger
from suggestions.verdicts import Verdict
from tests.suggestions.builders import a_run, said
from traces.formats.agentrx_ir import AgentRxIR

TALK = a_run(*(said(n, "Assistant", f"number {n}", "assistant") for n in range(4)), policy="Be kind.")
HOSTILE = {
    "an endless loop": "while True: pass",
    "a loop that catches everything": "while True:\n        try:\n            while True: pass\n        except: pass",
    "a text bomb": "return 'a' * 10**9",
    "a list bomb": "return [0] * 10**9",
    "a number bomb": "return 10 ** 10 ** 9",
    "endless recursion": "return check(t, i)",
    "the operating system": "import os\n    os.system('id')",
    "a process": "import subprocess\n    subprocess.run(['id'])",
    "a file": "return open('/etc/passwd').read()",
    "the network": "import socket\n    socket.create_connection(('127.0.0.1', 80))",
    "a way out of the sandbox": "return ().__class__.__base__.__subclasses__()",
    "a slow pattern": "import re\n    return re.search(r'(a|a?)+\\1b$', 'a' * 40)",
    "a flood of words": "while True: print('x' * 1000)",
    "an exit": "raise SystemExit",
}


def check(body: str, **fields) -> PythonConstraint:
    code = f"def check(t, i):\n    {body}"
    values = {"name": "c", "kind": "ANY", "targets": (), "trigger": Trigger(), "check_type": "python_check"}
    return PythonConstraint(**{**values, "function_name": "check", "code": code, **fields})


def verdicts(constraint: PythonConstraint, run=TALK) -> list[Verdict]:
    return [result.verdict for result in constraint.evaluate(Prepared(run))]


def test_falsy_is_violated_truthy_satisfied_and_an_exception_not_evaluated():
    assert verdicts(check("return {0: 1, 1: None, 2: 'yes', 3: 1}[i] if i < 3 else 1 // 0")) == [
        Verdict.SATISFIED,
        Verdict.VIOLATED,
        Verdict.SATISFIED,
        Verdict.NOT_EVALUATED,
    ]


@pytest.mark.parametrize("said", ["[0]", "{}", "'0'", "None", "99"])
def test_a_check_that_meddles_with_its_positions_is_not_evaluated_there(said):
    assert verdicts(check(f"return True\npositions[:] = [{said}]")) == [Verdict.NOT_EVALUATED] * 4


def test_a_check_gets_the_run_in_the_benchmark_shape_and_a_position_from_zero():
    constraint = check("return t['steps'][i]['index'] == i + 1 and t['steps'][i]['substeps'][0]['role'] == 'assistant'")
    assert verdicts(constraint) == [Verdict.SATISFIED] * 4


def test_a_run_that_came_with_substeps_keeps_them():
    blocks = (RunBlock("text", "Restart the queue.", "Orchestrator"), RunBlock("text", "Restarted.", "Restarter"))
    several, alone = RunStep(0, 1, "", "", blocks), RunStep(1, 4, "assistant", "Assistant", (blocks[0],) * 2)
    ir = as_ir(a_run(several, alone, format=AgentRxIR.name))
    assert [[(each["sub_index"], each["role"]) for each in step["substeps"]] for step in ir["steps"]] == [
        [(1, "Orchestrator"), (2, "Restarter")],
        [(1, "assistant"), (2, "assistant")],
    ]
    assert verdicts(
        check("return True", trigger=Trigger(substep_index=1, content_regex="Restarted")),
        a_run(several, format=AgentRxIR.name),
    ) == [Verdict.SATISFIED]


def test_a_violation_carries_the_hint_and_the_words_it_is_about():
    [first, *_] = check("return False", hint="Say less.").evaluate(Prepared(TALK))
    assert first.evidence == {"text": "Say less.", "matched": ["number 0"]}


def test_a_check_about_a_policy_is_skipped_where_there_is_none():
    constraint = check("return 'kind' in POLICY_TEXT")
    assert verdicts(constraint) == [Verdict.SATISFIED] * 4
    assert verdicts(constraint, a_run(said(0, "Assistant", "hi"))) == [Verdict.SKIPPED]


def test_a_language_check_is_not_evaluated_without_a_model():
    assert verdicts(check("", check_type="nl_check", trigger=Trigger(step_index=2))) == [
        Verdict.SKIPPED,
        Verdict.NOT_EVALUATED,
        Verdict.SKIPPED,
        Verdict.SKIPPED,
    ]


def test_a_dynamic_constraint_says_nothing_of_steps_before_it_was_written():
    assert verdicts(check("return True", from_position=2))[:3] == [Verdict.SKIPPED, Verdict.SKIPPED, Verdict.SATISFIED]


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_code_ends_in_not_evaluated_within_its_limits_and_the_worker_lives_on(body):
    started = time.monotonic()
    assert set(verdicts(check(body))) == {Verdict.NOT_EVALUATED}
    assert time.monotonic() - started < 10
    assert verdicts(check("return True")) == [Verdict.SATISFIED] * 4


def test_one_bad_step_does_not_cost_the_others_their_verdict():
    constraint = check("while i == 1: pass\n    return i != 3")
    assert verdicts(constraint) == [Verdict.SATISFIED, Verdict.NOT_EVALUATED, Verdict.SATISFIED, Verdict.VIOLATED]


def test_code_that_lies_about_its_answers_only_lies_about_itself():
    constraint = check("return True", code="def check(t, i):\n    return True\npositions = [7, 8, 'x']")
    assert verdicts(constraint) == [Verdict.NOT_EVALUATED] * 4


def test_what_a_check_does_to_the_run_is_not_seen_by_the_next_check():
    prepared = Prepared(TALK)
    list(check("t['steps'].clear()").evaluate(prepared))
    assert [r.verdict for r in check("return len(t['steps']) == 4").evaluate(prepared)] == [Verdict.SATISFIED] * 4
