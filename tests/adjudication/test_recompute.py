import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudication.actions import agree, recompute, recompute_values
from adjudication.models import AgreementFigures, KeptComparisons
from jobs.actions import run
from jobs.models import Job
from tests.factories import annotate_and_submit, make_project, make_user

pytestmark = pytest.mark.django_db


def without_intervals(node):
    if isinstance(node, dict):
        return {
            name: without_intervals(each)
            for name, each in node.items()
            if not name.startswith("ci") and not name.endswith("_ci")
        }
    return [without_intervals(each) for each in node] if isinstance(node, list) else node


turns = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["ann", "ben", "cat"]),
        st.sampled_from([None, 0, 1, 3]),
        st.sampled_from(["system_failure", "invalid_invocation"]),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda turn: turn[:2],
)


@given(turns)
@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
def test_values_after_each_submission_equal_a_full_recomputation(order):
    from uuid import uuid4

    people = dict.fromkeys(("ann", "ben", "cat"), "annotator")
    project = make_project(f"p-{uuid4().hex[:8]}", runs=4, overlap=3, members=people)
    items = list(project.items.order_by("pk"))
    for run_number, name, step, category in order:
        annotate_and_submit(items[run_number], make_user(name), step, category)
        values = copy.deepcopy(recompute_values(project).figures)
    assert without_intervals(values) == without_intervals(recompute(project).figures)


def test_only_touched_items_are_compared_again(monkeypatch):
    project = make_project(runs=3)
    first, second, third = project.items.order_by("pk")
    ann, ben = make_user("ann"), make_user("ben")
    for item in (first, second):
        annotate_and_submit(item, ann)
        annotate_and_submit(item, ben)
    recompute(project)
    made = []
    keep = agree.keep_comparisons
    monkeypatch.setattr(
        agree,
        "keep_comparisons",
        lambda project, comparisons, basis: (made.extend(comparisons.made), keep(project, comparisons, basis)),
    )
    annotate_and_submit(third, ann, step=2)
    recompute_values(project)
    recompute_values(project)
    assert made == [str(third.pk)]
    assert KeptComparisons.objects.get(project=project).by_item[str(third.pk)][1] is None


def test_intervals_follow_in_a_job_and_both_say_as_of_when():
    project = make_project(runs=3)
    for item in project.items.all():
        annotate_and_submit(item, make_user("ann"))
        annotate_and_submit(item, make_user("ben"), step=2)
    run(Job.objects.get(kind="item_changed", state="queued").pk)
    first = AgreementFigures.objects.get(project=project)
    exact = first.figures["measures"]["critical_step"]["percent"]
    assert (first.intervals_wait, exact) == (True, {"value": 0, "ci": None, "ci_undefined": "not computed yet"})

    run(Job.objects.get(kind="agreement_intervals", state="queued").pk)
    second = AgreementFigures.objects.get(project=project)
    assert (second.intervals_wait, second.figures["measures"]["critical_step"]["percent"]) == (
        False,
        {"value": 0, "ci": [0, 0]},
    )
    assert second.as_of > first.as_of

    third = recompute_values(project)
    assert third.intervals_wait
    assert third.figures["measures"]["critical_step"]["percent"] == {"value": 0, "ci": [0, 0]}


def test_slow_intervals_never_put_older_values_back():
    project = make_project(runs=2)
    for item in project.items.all():
        annotate_and_submit(item, make_user("ann"))
        annotate_and_submit(item, make_user("ben"))
    slow = recompute(project)
    newest = recompute_values(project)
    older = {**copy.deepcopy(slow.figures), "pairable": 99}
    kept = agree.keep_with_intervals(project, older, slow.as_of)
    assert (kept.figures["pairable"], kept.as_of, kept.intervals_as_of) == (2, newest.as_of, slow.as_of)


def test_figures_rest_on_the_first_blind_submission_of_planned_annotators():
    from annotate.models import Submission

    project = make_project(runs=2)
    first, second = project.items.order_by("pk")
    for item in (first, second):
        annotate_and_submit(item, make_user("ann"))
        annotate_and_submit(item, make_user("ben"))
    marked = Submission.objects.get(annotation__item=second, annotation__user__username="ben")
    kept = {
        name: getattr(marked, name)
        for name in ("annotation_id", "revision", "version_id", "state", "sha256", "outcome")
    }
    Submission.objects.create(number=2, planned=True, **{**kept, "outcome": "no_failure"})
    assert recompute(project).figures["measures"]["outcome"]["agree"] == 2
