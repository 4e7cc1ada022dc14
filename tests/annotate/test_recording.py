import pytest

from annotate.actions import record
from annotate.errors import Conflict, Frozen, NotHeld, NotYours
from annotate.fold import fold
from annotate.models import Failure, Project, Submission
from annotate.operations import Refused
from annotate.rows import state_of
from jobs.models import Job
from tests.factories import annotate_and_submit, do, hold, join, make_user

pytestmark = pytest.mark.django_db
MARK = {"failure": "m1", "fields": {"first_step": 1, "codes": ["wrong call"], "category": "invalid_invocation"}}


def state(item, user):
    annotation = item.annotations.get(user=user)
    return state_of(annotation, item.project.taxonomy_version)


def test_mark_stands_in_rows_and_in_the_log(item, ann):
    recorded = do(item, ann, "mark", MARK)

    (failure,) = Failure.objects.all()
    assert (recorded.revision, failure.number, failure.first_step, failure.last_step) == (1, 1, 1, 1)
    assert [code.phrase for code in failure.codes.all()] == ["wrong call"]
    assert failure.codings.get().category.key == "invalid_invocation"
    assert fold(recorded.annotation.revisions.all()).state == state(item, ann)


def test_the_same_key_answers_its_first_revision_and_changes_nothing(item, ann):
    first = do(item, ann, "mark", MARK, key="k")
    again = do(item, ann, "mark", MARK, key="k")

    assert (again.revision, again.patch, again.repeated) == (first.revision, first.patch, True)
    assert Failure.objects.count() == 1


def test_an_old_base_is_a_conflict_that_names_the_revision(item, ann):
    do(item, ann, "mark", MARK)

    with pytest.raises(Conflict) as caught:
        do(item, ann, "change", {"failures": ["m1"], "fields": {"first_step": 2}}, base=0)
    assert caught.value.facts == {"revision": 1}


def test_undo_and_redo_reach_back_to_the_start(item, ann):
    do(item, ann, "mark", MARK)
    do(item, ann, "conclude", {"fields": {"critical": "m1", "confidence": 0.5}})
    full = state(item, ann)
    do(item, ann, "undo")
    do(item, ann, "undo")
    assert state(item, ann)["failures"] == {}
    do(item, ann, "redo")
    do(item, ann, "redo")

    assert state(item, ann) == full
    with pytest.raises(Refused):
        do(item, ann, "redo")


def test_a_changed_reason_costs_four_statements_and_its_transaction(item, ann, django_assert_num_queries):
    do(item, ann, "mark", MARK)
    change = {"failures": ["m1"], "fields": {"step_reason": "it guesses"}}

    with django_assert_num_queries(6):
        record(item=item.pk, user=ann, key="change", base=1, op="change", payload=change)


def test_the_last_mark_stays_removed(item, ann):
    do(item, ann, "mark", MARK)
    do(item, ann, "conclude", {"fields": {"critical": "m1"}})
    do(item, ann, "remove", {"failure": "m1"})

    assert state(item, ann)["failures"] == {}
    assert state(item, ann)["answers"]["outcome"] == ""
    assert not item.annotations.get().answers.exists()


def test_changing_the_critical_failure_leaves_one(item, ann):
    do(item, ann, "mark", MARK)
    do(item, ann, "mark", {"failure": "m2", "fields": {"first_step": 3}})
    for key in ("m1", "m2", "m1"):
        do(item, ann, "conclude", {"fields": {"critical": key}})

    assert [failure.key for failure in Failure.objects.filter(is_critical=True)] == ["m1"]
    assert item.annotations.get().answers.get(question="critical_step").value == 1


@pytest.mark.parametrize(
    ("op", "payload", "field"),
    [
        ("mark", {"failure": "x", "fields": {"first_step": 4}}, "first_step"),
        ("mark", {"failure": "x", "fields": {"first_step": True}}, "first_step"),
        ("mark", {"failure": "x", "fields": {}}, "first_step"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "category": "other"}}, "category"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "author": "ben"}}, "author"),
        ("mark", {"failure": "x", "fields": {"first_step": 3, "last_step": 1, "anchor": "range"}}, "last_step"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "evidence": [{"step": 1}]}}, "evidence"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "codes": [{"phrase": " "}]}}, "codes"),
        ("change", {"failures": ["nobody"], "fields": {}}, "failures"),
        ("conclude", {"fields": {"critical": "nobody"}}, "critical"),
        ("conclude", {"fields": {"confidence": 1.5}}, "confidence"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "anchor": ["step"]}}, "anchor"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "effect": {}}}, "effect"),
        ("mark", {"failure": "x", "fields": {"first_step": 1, "category": ["other"]}}, "category"),
        ("conclude", {"fields": {"outcome": []}}, "outcome"),
        ("conclude", {"fields": {"critical": {}}}, "critical"),
        ("dance", {}, "op"),
        ("mark", [], "payload"),
    ],
)
def test_a_wrong_operation_is_refused_by_field_and_leaves_nothing(item, ann, op, payload, field):
    with pytest.raises(Refused) as caught:
        do(item, ann, op, payload)

    assert caught.value.field == field
    assert item.annotations.get().revision == 0


def test_submit_freezes_and_wakes_agreement(item, ann, django_capture_on_commit_callbacks):
    annotation = annotate_and_submit(item, ann)

    submission = Submission.objects.get()
    assert (submission.outcome, submission.critical_step, submission.failure_steps) == ("critical", 1, [1])
    assert submission.state == state_of(annotation, item.project.taxonomy_version)
    assert Job.objects.get().kind == "item_changed"
    with pytest.raises(Frozen):
        do(item, ann, "undo")


def test_submit_says_what_is_missing(item, ann):
    with pytest.raises(Refused) as caught:
        do(item, ann, "submit")
    assert caught.value.field == "no_outcome"

    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1, "effect": "recovered"}})
    do(item, ann, "conclude", {"fields": {"critical": "m1", "reason_for_root_cause": "because"}})
    with pytest.raises(Refused) as caught:
        do(item, ann, "submit")
    assert caught.value.field == "critical_recovered"


def test_closed_coding_warns_of_a_mark_without_a_category_and_lets_it_pass(item, ann):
    bare = {"failure": "m1", "fields": {"first_step": 1, "step_reason": "why", "effect": "persists"}}
    warnings = [(each.code, each.failure, each.blocks) for each in do(item, ann, "mark", bare).warnings]
    assert ("no_category", "m1", False) in warnings
    for fields, is_missing in (({"none_fits": True}, False), ({"none_fits": False}, True)):
        said = do(item, ann, "change", {"failures": ["m1"], "fields": fields}).warnings
        assert ("no_category" in [each.code for each in said]) is is_missing
    said = do(item, ann, "change", {"failures": ["m1"], "fields": {"category": "invalid_invocation"}}).warnings
    assert "no_category" not in [each.code for each in said]
    do(item, ann, "change", {"failures": ["m1"], "fields": {"category": None}})
    do(item, ann, "conclude", {"fields": {"critical": "m1", "reason_for_root_cause": "never undone"}})
    handed_in = do(item, ann, "submit")
    assert [each.text for each in handed_in.warnings] == ["F1 has no category yet; say one, or that none fits."]


def test_open_coding_asks_for_no_category(item, ann):
    Project.objects.update(coding="open")
    bare = {"failure": "m1", "fields": {"first_step": 1, "step_reason": "why", "effect": "persists"}}
    assert "no_category" not in [each.code for each in do(item, ann, "mark", bare).warnings]


def test_codes_in_another_case_are_one_code(item, ann):
    do(item, ann, "mark", MARK)
    do(item, ann, "mark", {"failure": "m2", "fields": {"first_step": 2, "codes": ["WRONG CALL"]}})

    assert state(item, ann)["failures"]["m2"]["codes"] == ["wrong call"]
    assert fold(item.annotations.get().revisions.all()).state == state(item, ann)


def test_a_hold_that_ran_out_is_renewed_while_there_is_room(item, ann, ben):
    from django.utils import timezone

    do(item, ann, "mark", MARK)
    item.assignments.update(held_until=timezone.now())
    do(item, ann, "remove", {"failure": "m1"})
    assert item.assignments.get().held_until > timezone.now()

    item.assignments.update(held_until=timezone.now())
    for name in ("ben", "cleo"):
        join(item.project, make_user(name))
        hold(item, make_user(name))
    with pytest.raises(NotHeld):
        do(item, ann, "mark", MARK)


def test_nobody_writes_where_she_was_not_given_the_run(item, ann, eve):
    from annotate.actions import record

    with pytest.raises(NotYours):
        record(item=item, user=eve, key="k", base=0, op="mark", payload=MARK)
