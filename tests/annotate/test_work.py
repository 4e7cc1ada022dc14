"""Handing out: every item to as many people as it wants, never more, never twice to one, and nothing lost on the way."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from annotate.actions import claim, claim_next, heartbeat, put_items, reopen, skip
from annotate.errors import Closed, Frozen, NotHeld
from annotate.models import Annotation, Assignment, Exposure, Item, Submission
from annotate.policy import Forbidden
from people.models import AuditEvent
from tests.factories import annotate_and_submit, do, hold, join, make_project, make_trajectory, make_user

pytestmark = pytest.mark.django_db
MARK = {"failure": "m1", "fields": {"first_step": 1}}


def more(project, n):
    for number in range(n):
        make_trajectory(project, f"more-{number}")


def run_out(item, user):
    Assignment.objects.filter(item=item, user=user).update(held_until=timezone.now())


def at_once(people, act):
    """Each person in a thread of her own, all starting together."""
    start = Barrier(len(people))

    def worker(person):
        try:
            start.wait()
            return act(person)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as pool:
        return list(pool.map(worker, people))


def until_nothing_is_left(project):
    def work(user):
        done = []
        while (turn := claim_next(project=project, user=user)) is not None:
            done.append(turn.item_id)
            annotate_and_submit(turn.item, user, step=None)
        return done

    return work


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
@pytest.mark.parametrize("overlap", [1, 2])
def test_eight_workers_fill_every_item_exactly(overlap):
    people = {f"worker-{n}": "annotator" for n in range(8)}
    project = make_project(runs=6, members=people, overlap=overlap)

    done = at_once([make_user(name) for name in people], until_nothing_is_left(project))

    assert all(len(items) == len(set(items)) for items in done)
    times = Counter(item for items in done for item in items)
    assert times == dict.fromkeys(project.items.values_list("pk", flat=True), overlap)
    assert Submission.objects.count() == 6 * overlap


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_the_last_place_goes_to_one_and_nobody_is_turned_away_too_early():
    people = [f"worker-{n}" for n in range(8)]
    project = make_project(runs=1, members=dict.fromkeys(people, "annotator"), overlap=5)

    turns = at_once([make_user(name) for name in people], lambda user: claim_next(project=project, user=user))

    assert sum(turn is not None for turn in turns) == 5


@pytest.mark.django_db(transaction=True)
def test_two_clicks_of_one_person_end_at_one_item():
    project = make_project(runs=4)
    ann = make_user("ann")

    turns = at_once([ann] * 4, lambda user: claim_next(project=project, user=user).pk)

    assert len(set(turns)) == Assignment.objects.count() == Annotation.objects.count() == 1


def test_what_one_holds_comes_first(project, item, ann):
    more(project, 2)
    first = claim_next(project=project, user=ann)

    assert claim_next(project=project, user=ann) == first


def test_nobody_gets_an_item_twice(item, ann):
    annotate_and_submit(item, ann)

    assert claim_next(project=item.project, user=ann) is None


def test_a_colleague_gets_what_one_has_finished(project, item, ann, ben):
    more(project, 2)
    for each in project.items.all():
        annotate_and_submit(each, ann)

    assert claim_next(project=project, user=ben) is not None


@pytest.mark.parametrize("name", ["ada", "mia", "vic"])
def test_only_annotators_are_handed_items(project, item, name):
    with pytest.raises(Forbidden):
        claim_next(project=project, user=make_user(name))


def test_a_stranger_hears_of_no_project(project, item, eve):
    with pytest.raises(type(project).DoesNotExist):
        claim_next(project=project, user=eve)


def test_a_closed_project_hands_nothing_out(project, item, ann):
    project.closed_at = timezone.now()
    project.save()

    with pytest.raises(Closed):
        claim_next(project=project, user=ann)


def test_who_saw_what_colleagues_did_does_not_get_the_item(item, ann):
    Exposure.objects.create(item=item, user=ann, to="case")

    assert claim_next(project=item.project, user=ann) is None
    with pytest.raises(NotHeld):
        claim(item=item, user=ann)


def test_a_lead_who_begins_to_annotate_gets_only_what_she_could_not_see(project, item, mia, ann):
    more(project, 1)
    annotate_and_submit(item, ann)
    join(project, mia, "annotator")

    assert claim_next(project=project, user=mia).item != item
    assert list(Exposure.objects.values_list("item", "user", "to")) == [(item.pk, mia.pk, "annotations")]


def test_a_viewer_who_begins_to_annotate_gets_no_run_of_which_figures_could_tell(project, item, vic, ann):
    more(project, 1)
    annotate_and_submit(item, ann)
    join(project, vic, "annotator")

    assert item not in Item.objects.may_get(vic)
    assert claim_next(project=project, user=vic).item != item


def test_joining_again_changes_nothing(project, item, ann):
    before = AuditEvent.objects.count()

    assert join(project, ann) == project.memberships.get(user=ann)
    assert AuditEvent.objects.count() == before


def test_settled_items_are_not_handed_out(item, ann):
    Item.objects.update(settled_at=timezone.now())

    assert claim_next(project=item.project, user=ann) is None


def test_no_room_is_no_claim_however_often_one_asks(item, ann, ben):
    for user in (ann, ben):
        hold(item, user)
    cleo = make_user("cleo")
    join(item.project, cleo)

    assert claim_next(project=item.project, user=cleo) is None
    with pytest.raises(NotHeld):
        claim(item=item, user=cleo)
    assert not Annotation.objects.filter(user=cleo).exists()


def test_asking_costs_the_same_however_many_items_are_full(django_assert_num_queries):
    project = make_project(members={"ann": "annotator", "ben": "annotator"}, overlap=1, runs=6)
    first, *others = project.items.order_by("order")
    for each in others:
        hold(each, make_user("ann"))
    Item.objects.filter(pk=first.pk).update(order=2**31 - 1)

    with django_assert_num_queries(17):
        assert claim_next(project=project, user=make_user("ben")).item == first


# Holds run out


def test_a_hold_that_ran_out_makes_room_and_the_draft_stays(item, ann, ben):
    do(item, ann, "mark", MARK)
    hold(item, ben)
    run_out(item, ann)
    cleo = make_user("cleo")
    join(item.project, cleo)

    assert claim_next(project=item.project, user=cleo).item == item
    with pytest.raises(NotHeld):
        do(item, ann, "remove", {"failure": "m1"})
    assert item.annotations.get(user=ann).failures.count() == 1


def test_a_hold_that_ran_out_is_claimed_again_with_its_draft(item, ann):
    do(item, ann, "mark", MARK)
    run_out(item, ann)
    turn = claim_next(project=item.project, user=ann)

    assert turn.held_until > timezone.now()
    assert sorted(Assignment.objects.values_list("state", flat=True)) == ["expired", "held"]
    assert item.annotations.get().revision == 1


def test_begun_drafts_come_before_new_items_and_skipped_ones_last(project, item, ann):
    more(project, 2)
    begun, skipped, new = project.items.order_by("-order")
    hold(begun, ann)
    run_out(begun, ann)
    hold(skipped, ann)
    skip(item=skipped, user=ann, reason="too long")
    order = []
    while (turn := claim_next(project=project, user=ann)) is not None:
        order.append(turn.item)
        annotate_and_submit(turn.item, ann, step=None)

    assert order == [begun, new, skipped]


def test_a_hold_that_ran_out_at_a_settled_item_is_not_renewed(item, ann):
    hold(item, ann)
    run_out(item, ann)
    Item.objects.update(settled_at=timezone.now())

    with pytest.raises(NotHeld):
        do(item, ann, "mark", MARK)


# Skipping


def test_a_skipped_item_goes_to_others_and_says_why(item, ann, ben):
    hold(item, ann)
    turn = skip(item=item, user=ann, reason="in a language I do not read\0")

    assert (turn.state, turn.reason) == ("skipped", "in a language I do not read\ufffd")
    assert AuditEvent.objects.get(verb="item skipped").by == ann
    for name in ("ben", "cleo"):
        join(item.project, make_user(name))
        assert claim_next(project=item.project, user=make_user(name)).item == item


def test_an_old_tab_does_not_take_a_skipped_item_back(item, ann):
    do(item, ann, "mark", MARK)
    skip(item=item, user=ann, reason="too long")

    for act in (
        lambda: heartbeat(item=item, user=ann, active_seconds=1),
        lambda: do(item, ann, "remove", {"failure": "m1"}),
        lambda: skip(item=item, user=ann, reason="again"),
    ):
        with pytest.raises(NotHeld):
            act()
    assert Assignment.objects.get().state == "skipped"


def test_what_is_not_held_is_not_skipped(item, ann, ben):
    hold(item, ben)
    with pytest.raises(NotHeld):
        skip(item=item, user=ann, reason="x")
    annotate_and_submit(item, ben)
    with pytest.raises(NotHeld):
        skip(item=item, user=ben, reason="x")


# Heartbeats


@pytest.mark.parametrize(
    ("said", "passed", "counted"),
    [(20, 30, 20), (-5, 30, 0), (10**12, 30, 30), (10**12, 4000, 90), (2.9, 30, 2), (float("inf"), 30, 30)]
    + [(float("nan"), 30, 0), (50, 0, 0), (True, 30, 1)],
)
def test_active_time_is_never_more_than_the_clock_allows(item, ann, said, passed, counted):
    turn = hold(item, ann)
    Assignment.objects.update(seen_at=timezone.now() - timedelta(seconds=passed))
    before = turn.held_until
    turn = heartbeat(item=item, user=ann, active_seconds=said)

    assert turn.active_seconds == counted
    assert turn.held_until > before
    assert heartbeat(item=item, user=ann, active_seconds=said).active_seconds == counted


def test_a_heartbeat_needs_a_hold(item, ann, ben):
    with pytest.raises(NotHeld):
        heartbeat(item=item, user=ann, active_seconds=1)
    annotate_and_submit(item, ben)
    with pytest.raises(NotHeld):
        heartbeat(item=item, user=ben, active_seconds=1)
    assert Assignment.objects.get().user == ben


# Reopening


def test_reopening_keeps_the_first_submission_and_the_place(item, ann, ben, mia):
    annotation = annotate_and_submit(item, ann, step=1)
    first = annotation.submissions.values().get()
    reopen(annotation=annotation, by=mia, reason="wrong button")
    run_out(item, ann)
    hold(item, ben)
    cleo = make_user("cleo")
    join(item.project, cleo)
    assert claim_next(project=item.project, user=cleo) is None  # two people, however long Ann takes

    do(item, ann, "change", {"failures": ["m1"], "fields": {"first_step": 3}})
    do(item, ann, "submit")

    assert annotation.submissions.values().first() == first
    assert list(annotation.submissions.values_list("number", "critical_step", "revision")) == [(1, 1, 3), (2, 3, 6)]
    assert [row.op for row in annotation.revisions.all()][-3:] == ["reopen", "change", "submit"]


def test_a_second_submission_is_not_a_second_person(item, ann, ben, mia):
    annotation = annotate_and_submit(item, ann)
    reopen(annotation=annotation, by=mia, reason="wrong button")
    do(item, ann, "submit")

    assert claim_next(project=item.project, user=ann) is None
    assert claim_next(project=item.project, user=ben).item == item


def test_undo_does_not_reach_behind_a_submission(item, ann, mia):
    from annotate.operations import Refused

    reopen(annotation=annotate_and_submit(item, ann), by=mia, reason="wrong button")

    with pytest.raises(Refused):
        do(item, ann, "undo")


def test_what_was_handed_in_once_is_not_skipped(item, ann, mia):
    reopen(annotation=annotate_and_submit(item, ann), by=mia, reason="wrong button")

    with pytest.raises(Frozen):
        skip(item=item, user=ann, reason="no time")


def test_work_its_author_could_compare_stays_as_submitted(item, ann, ben, mia):
    annotate_and_submit(item, ben)
    own = annotate_and_submit(item, ann)
    join(item.project, ann, "lead")

    with pytest.raises(Frozen):
        reopen(annotation=own, by=mia, reason="second thoughts")
    own.refresh_from_db()
    assert own.is_submitted


def test_work_of_a_viewer_whom_figures_could_tell_of_it_stays_as_submitted(item, ann, ben, mia):
    own = annotate_and_submit(item, ann)
    annotate_and_submit(item, ben)
    join(item.project, ann, "viewer")

    with pytest.raises(Frozen):
        reopen(annotation=own, by=mia, reason="second thoughts")


def test_work_whose_author_saw_the_case_stays_as_submitted(item, ann, mia):
    own = annotate_and_submit(item, ann)
    Exposure.objects.create(item=item, user=ann, to="case")

    with pytest.raises(Frozen):
        reopen(annotation=own, by=mia, reason="second thoughts")


# Putting items


def test_items_are_put_once_in_an_order_fixed_by_the_seed(project):
    more(project, 3)
    order = list(project.items.order_by("order").values_list("trajectory__external_id", flat=True))

    assert put_items(project) == 0
    twin = make_project("twin", dataset="shop", runs=0)
    assert list(twin.items.order_by("order").values_list("trajectory__external_id", flat=True)) == order
