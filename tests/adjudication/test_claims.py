from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.utils import timezone

from adjudication.actions import HeldByAnother, claim_case, claim_next_case, keep_draft, next_free, release, undo_draft
from adjudication.models import Case, FirstLook
from adjudication.queue import QueueFilter, queue_of
from annotate.policy import Forbidden
from tests.adjudication.worlds import disagree
from tests.factories import join, make_project, make_user


def adjudicators(project, *names):
    users = [make_user(name) for name in names]
    for user in users:
        join(project, user, "adjudicator")
    return users


@pytest.fixture
def three(db):
    project = make_project(runs=3)
    for item in project.items.order_by("pk"):
        disagree(project, item)
    return project


def test_the_next_case_is_the_oldest_that_nobody_holds(three, ada):
    bea, _ = adjudicators(three, "bea", "cy")
    first, second, _ = Case.objects.order_by("opened_at", "pk")
    assert claim_next_case(project=three, by=make_user("ada")) == first
    assert claim_next_case(project=three, by=bea) == second
    assert claim_next_case(project=three, by=bea) == second


@pytest.fixture
def ada(three):
    return make_user("ada")


def test_passing_a_case_over_brings_the_one_behind_it_and_at_the_end_the_first(three, ada):
    first, second, third = Case.objects.order_by("opened_at", "pk")
    assert claim_next_case(project=three, by=ada, after=first.pk) == second
    assert claim_next_case(project=three, by=ada, after=third.pk) == first


def test_a_kind_of_reason_narrows_the_queue(three, ada):
    assert claim_next_case(project=three, by=ada, asked=QueueFilter(kind="agent")) is None
    assert claim_next_case(project=three, by=ada, asked=QueueFilter(kind="critical_step")) is not None


@pytest.mark.parametrize(
    ("asked", "n"),
    [
        ({"domain": "shop"}, 3),
        ({"domain": "elsewhere"}, 0),
        ({"category": "invalid_invocation"}, 3),
        ({"category": "system_failure"}, 0),
        ({"age": "7"}, 1),
        ({"kind": "critical_step", "domain": "shop", "age": "1"}, 1),
        ({"age": "tomorrow", "kind": "nonsense"}, 3),
    ],
)
def test_the_queue_is_narrowed_by_domain_category_and_age(three, ada, asked, n):
    old = Case.objects.earliest("pk")
    Case.objects.filter(pk=old.pk).update(opened_at=timezone.now() - timedelta(days=8))
    assert queue_of(ada, three, "open", QueueFilter.of(asked)).count() == n
    claimed = claim_next_case(project=three, by=ada, asked=QueueFilter.of(asked))
    assert (claimed is not None) is (n > 0)


def test_a_case_to_be_judged_first_is_in_no_filter_that_tells_what_differs(three, ada):
    first = Case.objects.earliest("pk")
    Case.objects.filter(pk=first.pk).update(judge_first=True)

    def found(user, **asked):
        return set(queue_of(user, three, "open", QueueFilter(**asked)).values_list("pk", flat=True))

    telling = [{"kind": "critical_step"}, {"category": "invalid_invocation"}]
    assert [first.pk in found(ada, **asked) for asked in telling] == [False, False]
    assert found(ada, kind="judge_first") == {first.pk}
    assert first.pk in found(make_user("mia"), kind="critical_step")  # she rules nothing
    FirstLook.objects.create(case=first, by=ada, outcome="no_failure")
    assert [first.pk in found(ada, **asked) for asked in telling] == [True, True]


def test_undo_takes_back_choices_one_by_one_and_no_words(three, ada):
    case = Case.objects.earliest("pk")
    start = {"keep": ["a"]}
    drafts = [
        {"keep": ["a", "b"]},
        {"keep": ["a", "b"], "choice": ["no_failure"]},
        {"keep": ["a", "b"], "choice": ["no_failure"], "rationale": ["Be"]},
        {"keep": [], "choice": ["no_failure"], "rationale": ["Because"]},
    ]
    for draft in drafts:
        keep_draft(case=case, by=ada, draft=draft)
    now, seen = drafts[-1], []
    for _ in range(4):
        now = undo_draft(case=case, by=ada, now=now, start=start).draft[str(ada.pk)]
        seen.append((now["keep"], now.get("choice")))
        assert now["rationale"] == ["Because"]
    assert seen == [(["a", "b"], ["no_failure"]), (["a", "b"], None), (["a"], None), (["a"], None)]


def test_undo_first_takes_back_what_was_not_saved_yet(three, ada):
    case = Case.objects.earliest("pk")
    keep_draft(case=case, by=ada, draft={"keep": ["a"]})
    assert undo_draft(case=case, by=ada, now={"keep": []}, start={}).draft[str(ada.pk)] == {"keep": ["a"]}


def test_asking_what_comes_next_claims_nothing(three, ada):
    assert next_free(project=three, by=ada) == Case.objects.order_by("opened_at", "pk").first()
    assert not Case.objects.exclude(held_by=None).exists()


def test_a_claim_runs_out_and_the_draft_stays_with_whoever_wrote_it(three, ada):
    (bea,) = adjudicators(three, "bea")
    case = claim_next_case(project=three, by=ada)
    keep_draft(case=case, by=ada, draft={"rationale": ["Because"]})
    with pytest.raises(HeldByAnother):
        claim_case(case=case, by=bea)
    Case.objects.filter(held_by=ada).update(held_until=timezone.now() - timedelta(seconds=1))
    assert claim_case(case=case, by=bea).held_by == bea
    keep_draft(case=case, by=bea, draft={"rationale": ["No"]})
    case.refresh_from_db()
    assert case.draft == {str(ada.pk): {"rationale": ["Because"]}, str(bea.pk): {"rationale": ["No"]}}


def test_a_released_case_is_free_at_once(three, ada):
    (bea,) = adjudicators(three, "bea")
    case = claim_next_case(project=three, by=ada)
    release(case=case, by=bea)
    assert Case.objects.get(pk=case.pk).held_by == ada  # only who holds it gives it back
    release(case=case, by=ada)
    assert claim_next_case(project=three, by=bea) == case


def test_leads_claim_nothing(three):
    with pytest.raises(Forbidden):
        claim_next_case(project=three, by=make_user("mia"))


@pytest.mark.django_db(transaction=True)
def test_adjudicators_who_claim_at_once_never_get_the_same_case():
    project = make_project(runs=3)
    for item in project.items.order_by("pk"):
        disagree(project, item)
    users = adjudicators(project, *(f"judge-{n}" for n in range(6)))
    barrier, got = Barrier(len(users)), []

    def claim(user):
        barrier.wait()
        try:
            got.append(claim_next_case(project=project, by=user))
        finally:
            connection.close()

    threads = [Thread(target=claim, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(case.pk for case in got if case) == sorted(Case.objects.values_list("pk", flat=True))
    assert got.count(None) == 3
