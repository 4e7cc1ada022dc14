import hashlib

import pytest
from django.db import transaction
from django.db.utils import DatabaseError, IntegrityError
from django.urls import reverse

from annotate.actions import open_suggestions, show_suggestions
from annotate.fold import fold
from annotate.models import Annotation, Failure, Item, Project, Submission, SuggestionEvent
from annotate.operations import Refused
from annotate.queries import own_annotation
from annotate.reveal import is_drawn, is_revealed
from annotate.rows import state_of
from annotate.suggested import suggestions_for
from suggestions.models import Constraint, Judgement, Violation
from tests.factories import annotate_and_submit, do, hold, make_user

pytestmark = pytest.mark.django_db
WORDS = "The call repeats step 1."


@pytest.fixture
def suggested(item):
    """A violation at step 2 and a model that names step 1."""
    constraint = Constraint.objects.create(
        name="repeated_action",
        kind="TEMPORAL",
        check_type="log",
        taxonomy_targets=["Invalid Invocation"],
        digest="made",
    )
    violation = Violation.objects.create(
        trajectory=item.trajectory, constraint=constraint, step=2, evidence={"text": WORDS}, source="agentrx"
    )
    judgement = Judgement.objects.create(
        trajectory=item.trajectory, source="made", model="m-1", protocol="all_at_once", critical_step=1, ranking=[1, 3]
    )
    return violation, judgement


def under(item, rule, **fields) -> Item:
    Project.objects.filter(pk=item.project_id).update(reveal=rule, **fields)
    return Item.objects.select_related("project__taxonomy_version", "trajectory").get(pk=item.pk)


def names(found) -> list[str]:
    return [each.name for each in found]


def test_under_never_nothing_is_shown_before_or_after_submitting(item, ann, suggested):
    hold(item, ann)
    assert suggestions_for(ann, item) == show_suggestions(item=item, user=ann) == []
    annotate_and_submit(item, ann)

    assert show_suggestions(item=item, user=ann) == []
    assert not SuggestionEvent.objects.exists()
    assert not Submission.objects.get().assisted


def test_always_shows_to_who_holds_the_run_and_notes_it_once(item, ann, ben, suggested):
    item = under(item, "always")
    hold(item, ann)
    violation, judgement = show_suggestions(item=item, user=ann)
    show_suggestions(item=item, user=ann)

    assert (violation.text, violation.steps, violation.category) == (WORDS, (2,), "invalid_invocation")
    assert (judgement.source, judgement.steps) == ("m-1 · all at once", (1, 3))
    assert [event.kind for event in SuggestionEvent.objects.all()] == ["opened", "shown", "shown"]
    assert show_suggestions(item=item, user=ben) == []


def test_an_accepted_suggestion_becomes_a_mark_that_says_so(item, ann, suggested):
    item = under(item, "always")
    hold(item, ann)
    (violation, _) = show_suggestions(item=item, user=ann)
    payload = {"suggestion": violation.name, "failure": "m1", "fields": {"first_step": 2, "step_reason": "repeats"}}
    recorded = do(item, ann, "accept", payload)

    assert Failure.objects.get().suggested_by == violation.name
    event = SuggestionEvent.objects.get(kind="accepted")
    assert (event.violation_id, event.failure) == (suggested[0].pk, "m1")
    version = item.project.taxonomy_version
    assert fold(recorded.annotation.revisions.all()).state == state_of(recorded.annotation, version)
    do(item, ann, "undo")
    assert not Failure.objects.exists()


def test_a_dismissed_one_keeps_its_reason_and_leaves_undo_alone(item, ann, suggested):
    item = under(item, "always")
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    (violation, _) = show_suggestions(item=item, user=ann)
    recorded = do(item, ann, "dismiss", {"suggestion": violation.name, "reason": "the user asked twice"})

    assert suggestions_for(ann, item)[0].dismissed == "the user asked twice"
    assert recorded.annotation.undoable == [1]
    assert fold(recorded.annotation.revisions.all()).undoable == [1]
    with pytest.raises(Refused, match="why"):
        do(item, ann, "dismiss", {"suggestion": violation.name, "reason": " "})


@pytest.mark.parametrize("name", ["violation:999999", "judgement:1x", "m1", 7, None])
def test_only_what_was_shown_can_be_answered(item, ann, suggested, name):
    item = under(item, "always")
    hold(item, ann)
    show_suggestions(item=item, user=ann)
    with pytest.raises(Refused):
        do(item, ann, "accept", {"suggestion": name, "failure": "m1", "fields": {"first_step": 2}})


def test_no_operation_but_accepting_says_that_a_mark_was_suggested(item, ann):
    with pytest.raises(Refused, match="no field"):
        do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1, "suggested_by": "violation:1"}})


def test_after_phase_1_the_annotator_asks_and_the_log_keeps_when(item, ann, suggested):
    item = under(item, "after_phase_1")
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    assert show_suggestions(item=item, user=ann) == []
    do(item, ann, "reveal")

    assert len(show_suggestions(item=item, user=ann)) == 2
    annotation = own_annotation(ann, item)
    assert [(each.number, each.op) for each in annotation.revisions.all()] == [(1, "mark"), (2, "reveal")]
    assert annotation.undoable == [1]


def test_nobody_reveals_what_the_rule_keeps_hidden(item, ann, suggested):
    with pytest.raises(Refused):
        do(item, ann, "reveal")
    assert not is_revealed(own_annotation(ann, item))


def test_what_is_submitted_after_a_showing_is_assisted_even_where_nothing_was_found(item, ann, ben):
    item = under(item, "always")
    hold(item, ann)
    assert show_suggestions(item=item, user=ann) == []
    annotate_and_submit(item, ann)
    annotate_and_submit(item, ben)

    assert dict(Submission.objects.values_list("annotation__user__username", "assisted")) == {"ann": True, "ben": False}


def test_a_late_suggestion_touches_nothing_that_was_submitted(item, ann, suggested):
    item = under(item, "always")
    hold(item, ann)
    shown = names(show_suggestions(item=item, user=ann))
    annotate_and_submit(item, ann)
    before = list(Annotation.objects.values()), list(Failure.objects.values()), list(Submission.objects.values())
    Judgement.objects.create(
        trajectory=item.trajectory, source="late", model="m-2", protocol="all_at_once", critical_step=3
    )

    assert names(show_suggestions(item=item, user=ann)) == shown
    after = list(Annotation.objects.values()), list(Failure.objects.values()), list(Submission.objects.values())
    assert after == before


def test_a_randomised_run_is_in_one_arm_and_a_randomised_assignment_by_itself(item, ann):
    item = under(item, "randomised")
    people = [make_user(f"p{number}").pk for number in range(40)]
    assert len({is_drawn(item, pk) for pk in people}) == 1
    item = under(item, "randomised", reveal_unit="assignment")
    drawn = [is_drawn(item, pk) for pk in people]
    assert 8 < sum(drawn) < 32
    assert drawn == [is_drawn(item, pk) for pk in people]


def test_the_share_is_kept_and_who_is_drawn_stays_drawn_under_a_larger_one(item):
    def drawn(share: int) -> set[int]:
        now = under(item, "randomised", reveal_unit="assignment", reveal_share=share, salt="s")
        return {number for number in range(1000) if is_drawn(now, number)}

    few, half, many = drawn(20), drawn(50), drawn(80)
    assert few < half < many
    assert [len(found) // 10 for found in (few, half, many)] == pytest.approx([20, 50, 80], abs=5)


def test_a_share_of_half_is_the_coin_that_drew_before_there_were_shares(item):
    now = under(item, "randomised", reveal_unit="assignment")
    told = f"{now.project.salt}\nreveal\n{now.trajectory.source}\n{now.trajectory.external_id}"
    coins = [hashlib.sha256(f"{told}\n{number}".encode()).digest()[0] % 2 == 0 for number in range(100)]
    assert [is_drawn(now, number) for number in range(100)] == coins


@pytest.mark.parametrize("share", [0, 100])
def test_a_share_that_leaves_an_arm_empty_is_refused(project, share):
    with pytest.raises(IntegrityError, match="a_lot_can_fall_either_way"), transaction.atomic():
        Project.objects.update(reveal_share=share)


def test_an_adjudicator_sees_them_after_asking_which_is_recorded(item, ada, suggested):
    assert suggestions_for(ada, item) == []
    assert len(open_suggestions(item=item, user=ada)) == 2
    assert len(suggestions_for(ada, item)) == 2
    assert SuggestionEvent.objects.filter(user=ada, annotation=None).count() == 3
    assert item.exposures.filter(user=ada, to="suggestions").exists()


def test_what_was_shown_is_never_changed_and_noted_once(item, ann):
    event = SuggestionEvent.objects.create(item=item, user=ann, kind="opened")
    with pytest.raises(IntegrityError), transaction.atomic():
        SuggestionEvent.objects.create(item=item, user=ann, kind="opened")
    with pytest.raises(IntegrityError), transaction.atomic():
        SuggestionEvent.objects.create(item=item, user=ann, kind="shown")
    with pytest.raises(DatabaseError), transaction.atomic():
        SuggestionEvent.objects.filter(pk=event.pk).delete()


@pytest.mark.parametrize(
    ("rule", "reach", "status"), [("never", "", 404), ("after_phase_1", "closed", 404), ("always", "open", 200)]
)
def test_the_page_and_its_fragment_say_what_the_rule_allows(client, item, ann, suggested, rule, reach, status):
    item = under(item, rule)
    hold(item, ann)
    client.force_login(ann)

    assert client.get(reverse("workbench", args=[item.pk])).context["page"]["suggestions"] == reach
    answer = client.get(reverse("item_suggestions", args=[item.pk]))
    assert answer.status_code == status
    assert (WORDS in answer.content.decode()) is (status == 200)
    client.force_login(make_user("ben"))
    assert client.get(reverse("item_suggestions", args=[item.pk])).status_code == 404
