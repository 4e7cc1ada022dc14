"""What users of other tools ran into with agreement and adjudication: one test for each, by the number of its case."""

import time

import krippendorff
import numpy as np
import pytest

from adjudication.actions import recompute, report, route, rule
from adjudication.agreement import agreement
from adjudication.bootstrap import Bootstrap
from adjudication.judgements import Study
from adjudication.models import Case, GoldLabel
from annotate.actions import claim_next, reopen
from annotate.models import Failure, FailureCode
from tests.adjudication.builders import item, judged
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, do, join, make_project, make_trajectory, make_user, only_item

NONE = Bootstrap(b=0)


def measures(study: Study) -> dict:
    return agreement(study, NONE)["measures"]


def test_d03_alpha_over_steps_with_gaps_equals_the_reference():
    """Three runs of 20 steps; the third annotator saw one of them only."""
    sets = [({3, 4}, {4}, None), ({1}, {1, 9}, {9}), (set(), {5}, None)]
    judgements = [
        judged(f"t{run}", f"r{rater}", failures=marks)
        for run, row in enumerate(sets)
        for rater, marks in enumerate(row)
        if marks is not None
    ]
    columns = [
        [np.nan if marks is None else float(step in marks) for marks in row] for row in sets for step in range(20)
    ]
    theirs = krippendorff.alpha(np.array(columns).T, level_of_measurement="nominal")
    told = measures(Study.of([item(f"t{run}") for run in range(3)], judgements))
    assert told["failure_steps"]["alpha"]["value"] == pytest.approx(theirs, abs=1e-6)


@pytest.mark.django_db
def test_d04_equal_marks_in_another_order_and_spacing_are_accepted(item, ann, ben):
    for user, order in ((ann, (1, 2)), (ben, (2, 1))):
        for place, step in enumerate(order):
            mark = {
                "first_step": step,
                "participant": "Assistant" if user == ann else " assistant ",
                "effect": "persists",
            }
            do(item, user, "mark", {"failure": f"k{place}", "fields": mark | {"category": "system_failure"}})
        critical = f"k{order.index(1)}"
        do(item, user, "conclude", {"fields": {"critical": critical, "reason_for_root_cause": "never undone"}})
        do(item, user, "submit")
    told = report(route(item.project))
    assert (told["accept"], told["adjudicate"]) == (1, 0)
    assert recompute(item.project).figures["measures"]["failure_steps"]["masi"]["value"] == 1


@pytest.mark.django_db
def test_d05_an_edit_after_the_ruling_keeps_the_ruling_and_asks_again(project, ann, ada):
    case = disagree(project)
    ruling = rule(case=case, by=ada, **RULED)
    route(project)
    annotation = case.item.annotations.get(user=ann)
    reopen(annotation=annotation, by=make_user("mia"), reason="a slip of the key")
    do(case.item, ann, "conclude", {"fields": {"failure_summary": "It was the lamp."}})
    do(case.item, ann, "submit")
    route(project)
    kept = GoldLabel.objects.filter(item=case.item).values_list("basis", "rests_on").distinct()
    assert list(kept) == [("adjudicated", [{"ruling": ruling.pk}])]
    assert Case.objects.open().filter(item=case.item).exists()


@pytest.mark.django_db
def test_d07_all_marks_rejected_is_gold_no_failure_and_not_undecided(project, ada):
    case = disagree(project)
    assert not GoldLabel.objects.filter(item=case.item).exists()
    rule(case=case, by=ada, outcome="no_failure", rationale="Neither step is a failure.", cause="slip")
    gold = dict(GoldLabel.objects.filter(item=case.item).values_list("field", "value"))
    assert (gold["outcome"], gold["critical_step"], gold["failures"]) == ("no_failure", None, [])


@pytest.mark.django_db
def test_e01_total_disagreement_is_zero_and_stands_in_the_queue(db):
    project = make_project(steps=6)
    run = only_item(project)
    annotate_and_submit(run, make_user("ann"), step=2, participant="Planner")
    annotate_and_submit(run, make_user("ben"), step=4, participant="Verifier", category="system_failure")
    told = recompute(project).figures["measures"]
    assert (told["critical_step"]["exact"], told["agent"]["agree"], told["category"]["agree"]) == (0, 0, 0)
    assert told["critical_step"]["chance_corrected"]["value"] < 0
    route(project)
    kinds = {reason["kind"] for reason in Case.objects.open().get(item=run).reasons}
    assert {"critical_step", "agent", "category"} <= kinds


@pytest.mark.django_db
def test_e02_what_two_people_marked_is_pairable(item, ann, ben):
    annotate_and_submit(item, ann)
    annotate_and_submit(item, ben)
    told = recompute(item.project).figures
    assert (told["pairable"], told["measures"]["failure_steps"]["n_pairs"]) == (1, 1)


@pytest.mark.django_db
def test_e03_two_of_five_get_the_run_and_the_others_another_one(db):
    project = make_project(members={}, runs=1)
    people = [make_user(f"u{number}") for number in range(5)]
    for user in people:
        join(project, user)
    first = only_item(project)
    assert [claim_next(project=project, user=user) is not None for user in people] == [True, True, False, False, False]
    make_trajectory(project, "second")
    rest = [claim_next(project=project, user=user) for user in people[2:]]
    assert [turn.item != first if turn else None for turn in rest] == [True, True, None]


def test_e14_no_marks_against_three_is_disagreement():
    study = Study.of([item("t1")], [judged("t1", "ann", failures=()), judged("t1", "ben", 3, failures=(3, 5, 9))])
    told = measures(study)
    sets = told["failure_steps"]
    assert (sets["n"], sets["masi"]["value"], sets["f1"]["5"]["value"]) == (1, 0, 0)
    assert sets["alpha"]["value"] < 0
    assert (told["outcome"]["n"], told["outcome"]["agree"], told["critical_step"]["one_sided"]) == (1, 0, 1)


@pytest.mark.django_db
def test_f02_two_people_with_one_step_and_code_are_two_rows(item, ann, ben):
    annotate_and_submit(item, ann)
    annotate_and_submit(item, ben)
    rows = Failure.objects.filter(annotation__item=item, first_step=1)
    assert set(rows.values_list("annotation__user__username", flat=True)) == {"ann", "ben"}
    assert FailureCode.objects.filter(failure__in=rows).values("code").distinct().count() == 1


def test_h02_missing_is_no_category():
    """Ben names a category on half of the runs: those are compared, the others are absent, in every number."""
    runs = [item(f"t{n}") for n in range(8)]
    ann = [judged(f"t{n}", "ann", 3, category="ab"[n % 2]) for n in range(8)]
    ben = [judged(f"t{n}", "ben", 3, category="ab"[n % 2] if n < 4 else None) for n in range(8)]
    told = measures(Study.of(runs, ann + ben))["category"]
    assert (told["n"], told["agree"], told["kappa"]["value"], told["alpha"]["value"]) == (4, 4, 1, 1)
    assert told["confusion"]["values"] == ["a", "b"]


def test_h03_one_category_only_is_undefined_and_says_that_all_agree():
    runs = [item(f"t{n}") for n in range(5)]
    told = measures(
        Study.of(runs, [judged(f"t{n}", name, 3, category="A") for n in range(5) for name in ("ann", "ben")])
    )
    why = "only one value used: A; observed agreement 1.0"
    assert told["category"]["percent"]["value"] == 1
    for number in ("kappa", "alpha", "ac1"):
        assert (told["category"][number]["value"], told["category"][number]["undefined"]) == (None, why)


def test_h04_alpha_of_a_hundred_thousand_pairs_takes_no_square_of_them():
    """Processor time, so that a busy machine does not fail it: 2 seconds for all figures of 100,000 pairs."""
    random = np.random.default_rng(4)
    runs = [item(f"t{n}", n_steps=30) for n in range(100_000)]
    study = Study.of(
        runs, [judged(run.item_id, name, int(step), failures=()) for name in ("ann", "ben") for run, step in zip(runs, random.integers(0, 30, 100_000), strict=True)]
    )  # fmt: skip
    from adjudication.critical_step import critical_step

    started = time.process_time()
    told = critical_step(study, NONE)
    assert abs(told["alpha_nominal"]["value"]) < 0.01
    assert time.process_time() - started < 2
