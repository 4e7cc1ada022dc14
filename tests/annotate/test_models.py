import pytest
from django.utils import timezone

from annotate.models import (
    Annotation,
    Answer,
    Assignment,
    Coding,
    Exposure,
    Failure,
    FailureCode,
    Item,
    Membership,
    Project,
)
from annotate.states import ANNOTATION, ASSIGNMENT
from taxonomy.models import Category, Code, TaxonomyVersion
from tests.breaking import never_changes, sql, turned_down
from tests.factories import annotate_and_submit, do, hold, make_trajectory

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(item, ann):
    hold(item, ann)
    return item.annotations.get()


@pytest.fixture
def submitted(item, ben):
    return annotate_and_submit(item, ben)


def mark(annotation, key="m", **fields):
    fields = {"number": 1, "first_step": 1, "last_step": 1, **fields}
    return Failure.objects.create(annotation=annotation, key=key, **fields)


def code(project, phrase="late"):
    return Code.objects.create(taxonomy=project.taxonomy, phrase=phrase, coined_by=project.memberships.first().user)


# Projects, members, items


def test_a_project_asks_for_at_least_one_person(project):
    with turned_down("overlap_is_at_least_one"):
        Project.objects.update(overlap=0)


def test_a_role_is_held_once(project, ann):
    with turned_down("a_role_is_held_once"):
        Membership.objects.create(project=project, user=ann, role="annotator")
    Membership.objects.create(project=project, user=ann, role="viewer")


def test_a_run_is_put_before_people_once(item):
    with turned_down("an_item_is_put_once"):
        Item.objects.create(project=item.project, trajectory=item.trajectory)
    Item.objects.create(project=item.project, trajectory=item.trajectory, claimed_step=1)


def test_an_item_stays_on_its_run(project, item):
    other = make_trajectory(project, "other")
    for change in ({"trajectory": other}, {"claimed_step": 2}):
        with turned_down("Cannot update"):
            Item.objects.filter(pk=item.pk).update(**change)
    item.wanted = 3
    item.save()


def test_an_exposure_is_noted_once(item, ann):
    Exposure.objects.create(item=item, user=ann, to="case")

    with turned_down("an_exposure_is_noted_once"):
        Exposure.objects.create(item=item, user=ann, to="case")


# Turns


def turn(item, user, state="held"):
    return Assignment.objects.create(item=item, user=user, state=state, held_until=timezone.now())


@pytest.mark.parametrize("state", ["held", "submitted"])
def test_a_person_has_one_turn_at_an_item(item, ann, state):
    turn(item, ann, "skipped")
    turn(item, ann, "expired")
    turn(item, ann, state)

    with turned_down("one_turn_per_person"):
        turn(item, ann)


@pytest.mark.parametrize("state", Assignment.State.values)
@pytest.mark.parametrize("after", Assignment.State.values)
def test_a_turn_moves_by_its_table(item, ann, state, after):
    turn(item, ann, state)

    if state == after or (state, after) in ASSIGNMENT.pairs:
        Assignment.objects.update(state=after)
    else:
        with turned_down("Invalid transition"):
            Assignment.objects.update(state=after)


# Annotations


def test_a_person_has_one_current_annotation_of_an_item(item, ann, draft):
    with turned_down("one_current_annotation_per_person_and_item"):
        Annotation.objects.create(item=item, user=ann)
    Annotation.objects.create(item=item, user=ann, is_current=False)


def test_what_is_submitted_has_an_outcome_and_a_time(draft):
    rows = Annotation.objects.filter(pk=draft.pk)
    with turned_down("submitted_has_an_outcome"):
        rows.update(state="submitted", submitted_at=timezone.now())
    with turned_down("submitted_has_a_time"):
        rows.update(state="submitted", outcome="no_failure")


@pytest.mark.parametrize("confidence", [-0.01, 1.01])
def test_confidence_is_a_share(draft, confidence):
    with turned_down("confidence_is_a_share"):
        Annotation.objects.update(confidence=confidence)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "no_failure"},
        {"confidence": 0.5},
        {"reason_for_root_cause": "x"},
        {"failure_summary": "x"},
        {"exhaustive": False},
        {"critical_definition": "decisive"},
        {"raw": {"a": 1}},
    ],
)
def test_the_content_of_a_submitted_annotation_is_frozen(submitted, change):
    with turned_down("Cannot update"):
        Annotation.objects.filter(pk=submitted.pk).update(**change)


def test_an_annotation_stays_its_authors(draft, submitted, ada):
    for row in (draft, submitted):
        for change in ({"user": ada}, {"process": "oracle"}):
            with turned_down("Cannot update"):
                Annotation.objects.filter(pk=row.pk).update(**change)


def test_an_annotation_is_kept(draft, submitted):
    for row in (draft, submitted):
        with turned_down("Cannot delete"):
            sql("DELETE FROM annotate_annotation WHERE id = %s", row.pk)


def test_an_annotation_moves_by_its_table():
    assert ANNOTATION.pairs == [("draft", "submitted"), ("submitted", "draft")]


def test_nothing_is_added_to_a_submitted_annotation(submitted, project):
    (failure,) = submitted.failures.all()
    with turned_down("a submitted annotation is frozen"):
        Answer.objects.create(annotation=submitted, unit="run", question="new", value=1)
    with turned_down("a submitted annotation is frozen"):
        mark(submitted, "late")
    with turned_down("a submitted annotation is frozen"):
        FailureCode.objects.create(failure=failure, code=code(project))


UNCHANGED = {Answer: {"confidence": None}, Failure: {"effect": "persists"}, FailureCode: {"order": 0}}


@pytest.mark.parametrize("model", [Answer, Failure, FailureCode])
def test_nothing_of_a_submitted_annotation_is_changed_or_taken_away(submitted, model):
    row = model.objects.first()
    with turned_down("a submitted annotation is frozen"):
        row.save()
    with turned_down("a submitted annotation is frozen"):
        model.objects.update(**UNCHANGED[model])
    with turned_down("a submitted annotation is frozen"):
        sql(f"DELETE FROM {model._meta.db_table} WHERE id = %s", row.pk)


def test_nothing_moves_between_a_draft_and_a_submitted_annotation(draft, submitted, project):
    (failure,) = submitted.failures.all()
    own = mark(draft, "own")
    Answer.objects.create(annotation=draft, unit="run", question="own", value=1)
    FailureCode.objects.create(failure=own, code=code(project))
    for model, into, out in (
        (Answer, {"annotation": submitted}, {"annotation": draft}),
        (Failure, {"annotation": submitted}, {"annotation": draft}),
        (FailureCode, {"failure": failure}, {"failure": own}),
    ):
        link = next(iter(into))
        with turned_down("a submitted annotation is frozen"):
            model.objects.filter(**out).update(**into)
        with turned_down("a submitted annotation is frozen"):
            model.objects.filter(**{link: into[link]}).update(**out)


def test_a_draft_may_lose_what_it_had(item, ann, draft):
    do(item, ann, "mark", {"failure": "m", "fields": {"first_step": 1, "codes": ["x"], "effect": "persists"}})
    do(item, ann, "conclude", {"fields": {"critical": "m"}})
    Failure.objects.all().delete()
    Answer.objects.all().delete()

    assert not FailureCode.objects.exists()


# Marks


def test_keys_codes_and_questions_stand_once(draft, project):
    failure = mark(draft)
    with turned_down("failure_keys_are_unique"):
        mark(draft)
    FailureCode.objects.create(failure=failure, code=code(project))
    with turned_down("a_code_stands_once_on_a_failure"):
        FailureCode.objects.create(failure=failure, code=Code.objects.get())
    Answer.objects.create(annotation=draft, unit="run", question="outcome", value="x")
    with turned_down("a_question_is_answered_once"):
        Answer.objects.create(annotation=draft, unit="run", question="outcome", value="y")


def test_one_failure_is_critical(draft):
    mark(draft, "a", is_critical=True)
    mark(draft, "b")

    with turned_down("one_critical_failure"):
        Failure.objects.update(is_critical=True)


@pytest.mark.parametrize(
    ("anchor", "first", "last"),
    [
        ("step", None, None),
        ("step", 1, 2),
        ("step", 1, None),
        ("range", 1, 1),
        ("range", 2, 1),
        ("range", 1, None),
        ("range", None, 2),
        ("task", 1, 1),
        ("tools", None, 1),
        ("moon", 1, 1),
    ],
)
def test_an_anchor_has_its_steps(draft, anchor, first, last):
    with turned_down("an_anchor_has_its_steps"):
        mark(draft, anchor=anchor, first_step=first, last_step=last)


@pytest.mark.parametrize("effect", ["", "persists", "harmless", "unknown"])
def test_only_what_recovered_has_a_step_where_it_did(draft, effect):
    mark(draft, "a", effect="recovered", recovered_at=2)

    with turned_down("only_recovered_failures_recover"):
        mark(draft, "b", effect=effect, recovered_at=2)


def test_a_failure_has_one_category_per_version_and_of_that_version(draft, project, ann):
    version = project.taxonomy_version
    one, two = version.categories.all()[:2]
    failure = mark(draft)
    given = {"failure": failure, "version": version, "by": ann, "event": "test"}
    coding = Coding.objects.create(**given, category=one)
    with turned_down("one_category_per_version"):
        Coding.objects.create(**given, category=two)

    other = TaxonomyVersion.objects.create(taxonomy=project.taxonomy, number=2)
    new = Category.objects.create(version=other, key="new", name="New")
    with turned_down("the category is not of this taxonomy version"):
        Coding.objects.create(**{**given, "version": other}, category=one)
    with turned_down("the category is not of this taxonomy version"):
        Coding.objects.filter(pk=coding.pk).update(category=new)
    Coding.objects.create(**{**given, "version": other}, category=new)


# The log


def test_a_revision_never_changes(submitted):
    never_changes(submitted.revisions.first(), payload={})


def test_revision_numbers_and_keys_are_used_once(submitted):
    row = submitted.revisions.first()
    row.pk, row.key = None, "fresh"
    with turned_down("revision_numbers_are_unique"):
        row.save()
    row = submitted.revisions.first()
    row.pk, row.number = None, 99
    with turned_down("a_key_is_used_once"):
        row.save()


def test_a_submission_never_changes(submitted):
    never_changes(submitted.submissions.get(), critical_step=3)
    row = submitted.submissions.get()
    row.pk = None
    with turned_down("submission_numbers_are_unique"):
        row.save()
