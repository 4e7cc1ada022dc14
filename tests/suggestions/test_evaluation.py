"""Evaluation of stored runs: done once, kept up to date, never in anybody's way."""

from types import SimpleNamespace

from jobs.actions import cancel, run
from jobs.models import Job
from suggestions.actions import evaluate_dataset, evaluate_trajectory, prefetch
from suggestions.constraints import stored_constraint
from suggestions.models import Constraint, Evaluation, Violation
from suggestions.runs import run_of, run_of_draft
from suggestions.schema import parse
from tests.factories import annotate_and_submit, make_draft, make_step, make_trajectory, only_item
from tests.suggestions.samples import constraint

SAYS_NO = ["def order_is_named(trajectory, current_step_index):", "    return current_step_index != 2"]
HANGS = ["def order_is_named(trajectory, current_step_index):", "    while True: pass"]


def imported(project, code: list[str], **fields) -> Constraint:
    check = {"function_name": "order_is_named", "code_lines": code}
    row, _ = stored_constraint(project.dataset, parse(constraint(python_check=check, **fields)))
    return row


def found(project) -> list[tuple[str, int]]:
    rows = Violation.objects.standing().filter(trajectory__dataset=project.dataset).order_by("constraint__name", "step")
    return list(rows.values_list("constraint__name", "step"))


def test_what_constraints_find_is_stored_once(project):
    first = evaluate_dataset(dataset=project.dataset)
    second = evaluate_dataset(dataset=project.dataset)
    assert (first.trajectories, first.evaluated, second.evaluated) == (1, 1, 0)
    assert found(project) == [("final_answer_is_given", 3)]
    assert (first.violations, second.violations, first.not_evaluated) == (1, 1, 0)


def test_a_dry_run_finds_the_same_and_stores_nothing(project):
    told = evaluate_dataset(dataset=project.dataset, dry_run=True)
    assert (told.violations, told.evaluated) == (1, 1)
    assert (Violation.objects.count(), Evaluation.objects.count()) == (0, 0)


def test_a_new_constraint_makes_its_dataset_be_evaluated_again(project):
    evaluate_dataset(dataset=project.dataset)
    imported(project, SAYS_NO)
    assert evaluate_dataset(dataset=project.dataset).evaluated == 1
    assert found(project) == [("final_answer_is_given", 3), ("order_is_named", 2)]


def test_what_is_no_longer_found_is_withdrawn_and_comes_back_with_its_words(project):
    row = imported(project, SAYS_NO)
    evaluate_dataset(dataset=project.dataset)
    told = Violation.objects.get(constraint=row)

    Constraint.objects.filter(pk=row.pk).update(code="def order_is_named(t, i):\n    return True", digest="another")
    evaluate_dataset(dataset=project.dataset)
    assert found(project) == [("final_answer_is_given", 3)]
    assert Violation.objects.get(pk=told.pk).withdrawn_at is not None

    Constraint.objects.filter(pk=row.pk).update(code="\n".join(SAYS_NO), digest="a third")
    evaluate_dataset(dataset=project.dataset)
    assert Violation.objects.get(constraint=row).pk == told.pk
    assert found(project) == [("final_answer_is_given", 3), ("order_is_named", 2)]


def test_a_check_that_hangs_is_said_and_costs_nobody_else_a_verdict(project):
    imported(project, HANGS)
    told = evaluate_dataset(dataset=project.dataset)
    assert (told.violations, told.not_evaluated) == (1, 3)
    [said] = Evaluation.objects.get().not_evaluated
    assert (said["constraint"], said["step"], said["why"].split(":")[0]) == ("order_is_named", 1, "TimeoutError")


def test_constraints_of_another_dataset_and_of_another_run_say_nothing_here(project):
    other = make_trajectory(project, "another")
    row = imported(project, SAYS_NO)
    Constraint.objects.filter(pk=row.pk).update(trajectory=other)
    evaluate_dataset(dataset=project.dataset)
    assert [v.trajectory_id for v in Violation.objects.filter(constraint=row)] == [other.pk]


def test_a_late_suggestion_touches_no_human_work(project, ann):
    item = only_item(project)
    annotation = annotate_and_submit(item, ann)
    before = [list(annotation.failures.values()), list(annotation.revisions.values()), annotation.revision]
    evaluate_dataset(dataset=project.dataset)
    annotation.refresh_from_db()
    assert [list(annotation.failures.values()), list(annotation.revisions.values()), annotation.revision] == before


def test_a_stored_run_reads_as_its_draft_did_also_where_a_text_lies_outside_its_row(project):
    draft = make_draft("long", steps=[make_step(0, "User", "x" * 300_000), make_step(1)])
    trajectory = make_trajectory(project, "long", steps=list(draft.steps))
    assert run_of(trajectory) == run_of_draft(draft)


def test_prefetch_is_a_job_that_tells_its_progress_and_its_result(project):
    job = prefetch(dataset=project.dataset, project=project.slug)
    assert prefetch(dataset=project.dataset).pk == job.pk
    run(job.pk)
    job = Job.objects.get(pk=job.pk)
    assert (job.state, job.result["violations"], job.total, job.project) == ("done", 1, 1, project.slug)


def test_a_cancelled_prefetch_stops_at_the_next_run(project, monkeypatch):
    job = prefetch(dataset=project.dataset)
    cancel_at_first = SimpleNamespace(done=False)

    def stop(**given):
        if not cancel_at_first.done:
            cancel(job=Job.objects.get(pk=job.pk))
        return evaluate_trajectory(**given)

    make_trajectory(project, "second")
    monkeypatch.setattr("suggestions.actions.evaluation.evaluate_trajectory", stop)
    run(job.pk)
    assert Job.objects.get(pk=job.pk).state == "cancelled"
    assert Evaluation.objects.count() == 1


def test_constraints_are_read_with_the_same_number_of_queries_for_one_run_and_for_three(
    project, django_assert_num_queries
):
    evaluate_dataset(dataset=project.dataset)
    per_run = 2
    fixed = 3
    with django_assert_num_queries(fixed + per_run):
        evaluate_dataset(dataset=project.dataset)
    make_trajectory(project, "second")
    make_trajectory(project, "third")
    evaluate_dataset(dataset=project.dataset)
    with django_assert_num_queries(fixed + 3 * per_run):
        evaluate_dataset(dataset=project.dataset)
