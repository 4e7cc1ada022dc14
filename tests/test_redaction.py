"""What a redaction takes out is in no table any more: a word planted everywhere a run's text gets to, and looked for."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from adjudication.actions import route, rule
from adjudication.models import Case
from annotate.fold import fold
from annotate.models import Annotation, Failure, Item, Revision, Submission
from annotate.rows import state_of
from people.actions import system_user
from suggestions.actions import evaluate_trajectory
from suggestions.llm.ledger import this_month
from suggestions.models import BudgetMonth, Constraint, Evaluation, Judgement, ModelCall, Violation
from tests.adjudication.worlds import RULED, mark
from tests.breaking import never_changes
from tests.factories import annotate_and_submit, make_project, make_step, make_trajectory, make_user
from traces.actions import redact
from traces.redaction import REDACTED

pytestmark = pytest.mark.django_db
SECRET = "quaggafoal-4711"


def span(step: int, text: str) -> dict:
    return {"step": step, "block": 0, "start": 0, "end": len(text), "text": text}


def tables_with_the_secret() -> set[str]:
    return {
        model._meta.label for model in apps.get_models() for row in model._base_manager.values() if holds(row.values())
    }


def holds(values) -> bool:
    return any(SECRET in (bytes(value) if isinstance(value, memoryview) else value).__str__() for value in values)


@pytest.fixture
def world(db):
    project = make_project(runs=0)
    steps = [make_step(0, "User"), make_step(1, text=f"call {SECRET}"), make_step(2), make_step(3)]
    run = make_trajectory(
        project,
        steps=steps,
        instruction=f"Find {SECRET}.",
        layers={"task": {"who": [SECRET, 4711]}, "outcome": {"is_correct": False, "reward": 0.5}},
        origin={"format": "tau", "file": "1.json", "where": "", "number": 1, "extras": {"note": SECRET}},
    )
    say(run)
    item = Item.objects.get()
    for name, step in (("ann", 1), ("ben", 2)):
        annotate_and_submit(item, make_user(name), step=step, evidence=[span(1, SECRET), span(2, "step 2")])
    route(project)
    case = Case.objects.get()
    ruled = {"key": "r1", "first_step": 1, "evidence": [span(1, SECRET)], "is_critical": True, "from": []}
    Case.objects.update(draft={"failures": [ruled]})
    return project, run, item, case


def say(run):
    constraint = Constraint.objects.create(
        name=SECRET,
        kind="PROTOCOL",
        check_type="python_check",
        hint=SECRET,
        code=f"def known(): '{SECRET}'",
        check_body={"code_lines": [SECRET]},
        trigger={"content_regex": SECRET},
        dataset=run.dataset,
        trajectory=run,
        digest="made",
    )
    Violation.objects.create(
        trajectory=run, constraint=constraint, step=1, source="llm", run="tiny", evidence={"text": SECRET}
    )
    Judgement.objects.create(
        trajectory=run, source="llm", model="tiny", protocol="all_at_once", critical_step=1, reason=SECRET,
        raw={"reason": SECRET}, category="Invalid Invocation", ranking=[1],
    )  # fmt: skip
    Evaluation.objects.create(trajectory=run, source="llm", key="k", not_evaluated=[{"why": SECRET}])
    now = timezone.now()
    ModelCall.objects.create(
        key="k", state="done", project="shop", trajectory=run, purpose="all_at_once", prompt="p", model="tiny",
        month=BudgetMonth.objects.create(budget="study", month=this_month(), spent=1), cost=1, input_tokens=7,
        answer=SECRET, settled_at=now, lease_until=now + timedelta(minutes=1),
    )  # fmt: skip


def test_after_a_redaction_no_table_holds_the_word(world):
    _, run, _, _ = world
    assert tables_with_the_secret() >= {
        "traces.Step", "traces.Trajectory", "suggestions.ModelCall", "suggestions.Judgement", "suggestions.Violation",
        "suggestions.Constraint", "suggestions.Evaluation", "annotate.Failure", "annotate.Revision",
        "annotate.Submission", "adjudication.Case",
    }  # fmt: skip
    redact(trajectory=run, positions=[1], reason="a number", by=system_user())
    assert tables_with_the_secret() == set()


def test_a_policy_that_is_a_redacted_step_goes_and_another_runs_stays(db):
    project = make_project(runs=0)
    steps = [make_step(0, "System", f"Never say {SECRET}."), make_step(1)]
    run, other = (make_trajectory(project, name, steps=steps, policy=f"Never say {SECRET}.") for name in ("one", "two"))
    redact(trajectory=run, positions=[1], reason="another step", by=system_user())
    assert run.policy is not None
    redact(trajectory=run, positions=[0], reason="a number", by=system_user())
    run.refresh_from_db()
    other.refresh_from_db()
    assert (run.policy, bytes(other.policy.content).decode()) == (None, f"Never say {SECRET}.")


def handed_in():
    names = ("pk", "sha256", "critical_step", "outcome", "failure_steps")
    return list(Submission.objects.order_by("pk").values(*names))


def test_what_was_judged_and_paid_stays(world):
    _, run, item, _ = world
    submitted = handed_in()
    redact(trajectory=run, positions=[1], reason="a number", by=system_user())

    run.refresh_from_db()
    assert (run.instruction, run.layers) == (
        REDACTED, {"task": {"who": [REDACTED, REDACTED]}, "outcome": {"is_correct": False, "reward": 0.5}},
    )  # fmt: skip
    assert run.origin == {"format": "tau", "file": "1.json", "where": "", "number": 1, "extras": {"note": REDACTED}}
    judged = Judgement.objects.get()
    assert (judged.critical_step, judged.category, judged.ranking) == (1, "Invalid Invocation", [1])
    assert list(Violation.objects.values_list("step", "source")) == [(1, "llm")]
    call = ModelCall.objects.get()
    assert (call.state, call.cost, call.input_tokens) == ("done", 1, 7)
    assert handed_in() == submitted
    quoted = {tuple(each["text"] for each in failure.evidence) for failure in Failure.objects.all()}
    assert quoted == {(REDACTED, "step 2")}


def test_annotations_still_are_the_fold_of_their_revisions_and_as_frozen_as_before(world):
    project, run, _, _ = world
    redact(trajectory=run, positions=[1], reason="a number", by=system_user())
    for annotation in Annotation.objects.all():
        folded = fold(annotation.revisions.all()).state
        assert folded == state_of(annotation, project.taxonomy_version) == annotation.submissions.get().state
    never_changes(Revision.objects.first(), payload={})
    never_changes(Submission.objects.first(), state={})


def test_a_constraint_written_for_the_run_is_not_tried_again_and_the_others_are(world):
    _, run, _, _ = world
    redact(trajectory=run, positions=[1], reason="a number", by=system_user())
    assert evaluate_trajectory(trajectory=run)[0]
    assert Evaluation.objects.get().not_evaluated == []


def test_steps_that_were_not_redacted_and_other_runs_keep_their_words(world):
    project, run, item, _ = world
    other = make_trajectory(project, "other", steps=[make_step(0), make_step(1, text=SECRET)])
    say_again = Judgement.objects.create(
        trajectory=other, source="made", model="m", protocol="all_at_once", critical_step=1, reason=SECRET
    )
    redact(trajectory=run, positions=[2], reason="a name", by=system_user())
    assert run.steps.get(position=1).blocks[0]["text"] == f"call {SECRET}"
    assert {tuple(each["text"] for each in failure.evidence) for failure in Failure.objects.all()} == {
        (SECRET, REDACTED)
    }
    say_again.refresh_from_db()
    assert say_again.reason == SECRET


def test_rulings_and_gold_quote_no_longer(world):
    project, run, item, case = world
    Case.objects.update(draft={})
    rule(case=case, by=make_user("ada"), **RULED | {"failures": [mark(is_critical=True, evidence=[span(1, SECRET)])]})
    assert tables_with_the_secret() >= {"adjudication.Ruling", "adjudication.GoldLabel"}
    redact(trajectory=run, positions=[1], reason="a number", by=system_user())
    assert tables_with_the_secret() == set()
