"""Who sees what of colleagues, by role and by how far things are. There is always something to leak."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from adjudication.models import Case
from annotate.actions import reopen, skip
from annotate.models import Annotation, Assignment, Exposure, Item, Project
from annotate.queries import codes_for, layers_for, own_annotation, skeleton_for, steps_for
from taxonomy.actions import act
from taxonomy.codebook import code_node
from taxonomy.models import Code
from tests.factories import annotate_and_submit, do, hold, join, make_project, make_trajectory, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def colleague(item, ben):
    """Ben has submitted: here is what must not be seen."""
    return annotate_and_submit(item, ben, step=2)


def settle(item):
    Item.objects.filter(pk=item.pk).update(settled_at=timezone.now())


def sees(user, annotation):
    return Annotation.objects.visible_to(user).filter(pk=annotation.pk).exists()


def person(project, *roles):
    user = make_user("noor", is_superuser="superuser" in roles)
    # An annotator first: whoever could see already, as a lead can, is not handed the item any more.
    for role in sorted(set(roles) - {"superuser"}):
        join(project, user, role)
    return user


STATES = ("untouched", "held", "run out", "skipped", "submitted", "reopened")


def bring(item, user, state):
    if state == "untouched":
        return
    hold(item, user)
    if state == "run out":
        Assignment.objects.filter(user=user).update(held_until=timezone.now())
    elif state == "skipped":
        skip(item=item, user=user, reason="x")
    elif state in ("submitted", "reopened"):
        own = annotate_and_submit(item, user)
        if state == "reopened":  # by hand: the action refuses who could have compared
            Annotation.objects.filter(pk=own.pk).update(state="draft", submitted_at=None)
            Assignment.objects.filter(user=user).update(state="held")


# {roles: what somebody who has not begun sees, before and after the item is settled}
WHO_SEES = {
    (): (False, False),
    ("superuser",): (False, False),
    ("viewer",): (False, False),
    ("annotator",): (False, False),
    ("annotator", "viewer", "superuser"): (False, False),
    ("adjudicator",): (False, True),
    ("lead",): (True, True),
    ("lead", "superuser"): (True, True),
    ("adjudicator", "lead"): (True, True),
    ("annotator", "adjudicator"): (False, True),
    ("annotator", "lead"): (False, True),
    ("annotator", "lead", "adjudicator", "superuser"): (False, True),
}


@pytest.mark.parametrize("roles", WHO_SEES)
def test_who_has_not_begun_sees_a_colleague(item, colleague, roles):
    user = person(item.project, *roles)
    before, after = WHO_SEES[roles]

    assert sees(user, colleague) is before
    settle(item)
    assert sees(user, colleague) is after


@pytest.mark.parametrize("also", ["lead", "adjudicator"])
@pytest.mark.parametrize("state", STATES)
def test_who_may_still_write_sees_no_colleague_in_any_role(item, colleague, also, state):
    user = person(item.project, "annotator", also)
    bring(item, user, state)

    assert sees(user, colleague) is (state == "submitted" and also == "lead")
    settle(item)
    assert sees(user, colleague) is (state in ("untouched", "run out", "skipped", "submitted"))


def test_a_hold_outlasts_the_role_of_annotator(item, colleague):
    user = person(item.project, "annotator", "lead")
    hold(item, user)
    item.project.memberships.filter(user=user, role="annotator").delete()

    assert not sees(user, colleague)


def test_nobody_sees_a_colleagues_draft(item, ben, mia, ada):
    do(item, ben, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    settle(item)

    draft = item.annotations.get()
    assert [sees(user, draft) for user in (ben, mia, ada)] == [True, False, False]


def test_a_reopened_annotation_is_a_draft_again(item, colleague, mia):
    assert sees(mia, colleague)
    reopen(annotation=colleague, by=mia, reason="x")
    assert not sees(mia, colleague)


def test_ones_own_is_seen_while_one_is_a_member(item, colleague, ben):
    assert sees(ben, colleague)
    item.project.memberships.filter(user=ben).delete()
    assert not sees(ben, colleague)


def test_roles_elsewhere_open_nothing(item, colleague):
    make_project("elsewhere", members={"noor": "lead"}, runs=0)
    settle(item)

    assert not sees(make_user("noor"), colleague)


def test_nobody_logged_in_sees_nothing(item, colleague):
    nobody = AnonymousUser()
    settle(item)
    Case.objects.create(item=item)

    assert not Annotation.objects.visible_to(nobody).exists()
    assert not Case.objects.visible_to(nobody).exists()
    assert not Item.objects.visible_to(nobody).exists()
    assert not Project.objects.visible_to(nobody).exists()
    assert not Assignment.objects.visible_to(nobody).exists()
    assert not steps_for(nobody, item).exists()


def test_a_turn_is_ones_own(item, colleague, ben, mia):
    assert [Assignment.objects.visible_to(user).count() for user in (ben, mia)] == [1, 0]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("is_settled", [False, True])
def test_may_get(item, state, is_settled):
    user = person(item.project, "annotator")
    bring(item, user, state)
    if is_settled:
        settle(item)
    holds = state in ("held", "reopened")

    assert Item.objects.may_get(user).exists() is (holds or not is_settled and state != "submitted")


def test_an_exposed_annotator_may_not_get_the_item(item, ann):
    Exposure.objects.create(item=item, user=ann, to="case")

    assert not Item.objects.may_get(ann).exists()


# Cases

WHO_SEES_CASES = {
    (): False,
    ("superuser",): False,
    ("viewer",): False,
    ("annotator",): False,
    ("adjudicator",): True,
    ("lead",): True,
    ("lead", "superuser"): True,
    ("annotator", "adjudicator"): True,
}


@pytest.mark.parametrize("roles", WHO_SEES_CASES)
@pytest.mark.parametrize("state", ["open", "ruled", "withdrawn"])
def test_who_sees_a_case_of_a_settled_item(item, colleague, roles, state):
    Case.objects.create(item=item, state=state)
    settle(item)

    assert Case.objects.visible_to(person(item.project, *roles)).exists() is WHO_SEES_CASES[roles]


@pytest.mark.parametrize("also", ["lead", "adjudicator"])
@pytest.mark.parametrize("state", [state for state in STATES if state != "untouched"])
def test_nobody_sees_a_case_of_what_she_worked_on(item, colleague, also, state):
    user = person(item.project, "annotator", also)
    bring(item, user, state)
    Case.objects.create(item=item)
    settle(item)

    assert not Case.objects.visible_to(user).exists()


@pytest.mark.parametrize("also", ["lead", "adjudicator"])
def test_nobody_sees_a_case_of_what_she_may_still_get(item, colleague, also):
    Case.objects.create(item=item)

    assert not Case.objects.visible_to(person(item.project, "annotator", also)).exists()


# The run itself

MEMBERS = ["annotator", "adjudicator", "lead", "viewer"]


@pytest.mark.parametrize("role", MEMBERS)
def test_members_read_the_run_by_windows(item, role):
    user = person(item.project, role)

    assert [step.position for step in steps_for(user, item)] == [0, 1, 2, 3]
    assert [step.position for step in steps_for(user, item, 1, 3)] == [1, 2]
    assert [row["position"] for row in skeleton_for(user, item)] == [0, 1, 2, 3]
    assert "blocks" not in skeleton_for(user, item)[0]


@pytest.mark.parametrize("roles", [(), ("superuser",)])
def test_others_read_nothing(item, roles):
    user = person(item.project, *roles)

    assert (list(steps_for(user, item)), list(skeleton_for(user, item)), layers_for(user, item)) == ([], [], {})


LAYERS = {name: {"words": name} for name in ("task", "user_script", "expected", "outcome", "oracle", "injection")}


@pytest.mark.parametrize(
    ("chosen", "seen"),
    [
        ([], {"task", "outcome"}),
        (["expected"], {"task", "outcome", "expected"}),
        (["user_script", "expected"], {"task", "outcome", "expected", "user_script"}),
        (["oracle", "injection"], {"task", "outcome"}),
    ],
)
def test_layers_by_the_projects_setting_and_never_what_gives_the_answer_away(chosen, seen, ann, project):
    Project.objects.filter(pk=project.pk).update(layers=chosen)
    run = make_trajectory(project, "layered", layers=LAYERS)
    item = Item.objects.get(trajectory=run)

    assert set(layers_for(ann, item)) == seen


# Codes

MARK = {"failure": "m1", "fields": {"first_step": 1, "codes": [{"phrase": "burnt toast", "definition": "too hot"}]}}


def phrases(user, item, search=""):
    return [code.phrase for code in codes_for(user, item, search)]


def test_a_colleagues_code_of_this_very_item_never_shows(item, ann, ben):
    hold(item, ann)
    do(item, ben, "mark", MARK)
    assert (phrases(ann, item), phrases(ben, item)) == ([], ["burnt toast"])
    do(item, ben, "undo")
    assert phrases(ann, item) == []
    do(item, ben, "redo")
    do(item, ben, "change", {"failures": ["m1"], "fields": {"codes": ["other"]}})
    assert phrases(ann, item) == []
    do(item, ben, "remove", {"failure": "m1"})
    assert phrases(ann, item, "burnt") == phrases(ann, item, "toast") == phrases(ann, item) == []


def test_it_never_shows_after_submit_either(item, ann, colleague):
    hold(item, ann)

    assert phrases(ann, item) == []


def test_a_code_of_a_run_she_has_behind_her_shows_with_name_and_definition_only(project, item, ann, ben):
    make_trajectory(project, "other")
    other = project.items.get(trajectory__external_id="other")
    do(other, ben, "mark", MARK)
    assert phrases(ann, item, "TOAST") == []
    annotate_and_submit(other, ann, codes=["own"])

    (code,) = codes_for(ann, item, "TOAST")
    assert vars(code) == {"phrase": "burnt toast", "definition": "too hot"}
    do(other, ben, "undo")
    assert phrases(ann, item) == ["own"]


def test_lists_are_the_same_before_and_after_taking_up_a_run(project, ann, ben):
    """Ben's codes stand on one, two and three runs. A list that changes when a run is taken up would tell on which."""
    for name in ("one", "two", "three"):
        make_trajectory(project, name)
    runs = [project.items.get(trajectory__external_id=name) for name in ("one", "two", "three")]
    annotate_and_submit(runs[0], ann, codes=["of Ann"])
    for count, run in enumerate(runs, start=1):
        codes = ["on all", f"on {count} alone", *(["on two and three"] if count > 1 else [])]
        do(run, ben, "mark", {"failure": "b", "fields": {"first_step": 1, "codes": codes}})

    before = phrases(ann, runs[0])
    assert before == ["of Ann", "on 1 alone", "on all", "on two and three"]
    for taken in (runs[1], runs[2]):
        hold(taken, ann)
        assert [phrases(ann, run) for run in runs] == [before] * 3
    skip(item=runs[2], user=ann, reason="another language")
    assert [phrases(ann, run) for run in runs] == [before] * 3


def test_a_code_of_several_runs_is_offered_on_all_of_them(project, item, ann, ben):
    make_trajectory(project, "other")
    other = project.items.get(trajectory__external_id="other")
    do(item, ben, "mark", MARK)
    assert phrases(ann, item) == phrases(ann, other) == []
    do(other, ben, "mark", MARK)
    assert phrases(ann, item) == phrases(ann, other) == ["burnt toast"]


def test_a_retired_code_is_not_offered_any_more(project, item, ann, mia):
    fields = {"first_step": 1, "codes": ["too vague", "burnt toast"]}
    do(item, ann, "mark", {"failure": "m1", "fields": fields})
    retired = [code_node(Code.objects.get(phrase="too vague").pk)]
    act(taxonomy=project.taxonomy, op="retire", payload={"nodes": retired}, reason="", base=9, by=mia)
    assert phrases(ann, item) == phrases(ann, item, "to") == ["burnt toast"]


def test_codes_of_another_project_stay_there(item, ann, ben):
    elsewhere = make_project("elsewhere", members={"ben": "annotator"})
    do(elsewhere.items.get(), ben, "mark", MARK)

    assert phrases(ann, item) == []


@pytest.mark.parametrize("search", ["\0", "%", "_", "\\", "x" * 10_000])
def test_any_search_is_answered(item, ann, search):
    do(item, ann, "mark", MARK)

    assert phrases(ann, item, search) in ([], ["burnt toast"])


# One's own annotation


def test_own_annotation_is_nobody_elses(item, colleague, ann, ben, mia, eve):
    assert [own_annotation(user, item) for user in (ann, mia, eve)] == [None, None, None]
    assert own_annotation(ben, item) == colleague
