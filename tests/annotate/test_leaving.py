"""A role is taken away: nothing is lost, nothing is blocked, and whoever comes back annotates blind or not at all."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.actions import claim_next, reopen, take_role
from annotate.actions.leaving import LastLead
from annotate.actions.work import one_at_a_time
from annotate.codebook.memos import memos_for
from annotate.errors import NotYours
from annotate.models import Annotation, Assignment, Exposure, Item
from annotate.my_work import my_work
from annotate.policy import Forbidden, roles_of
from people.actions import imported_user
from people.models import AuditEvent
from taxonomy.actions import note
from tests.factories import annotate_and_submit, do, hold, join, make_project, make_user, only_item

pytestmark = pytest.mark.django_db


def take(project, user, role, by="mia"):
    membership = project.memberships.get(user=user, role=role)
    take_role(membership=membership, by=make_user(by))


def url_of(project, user, role):
    return reverse("take_role", args=[project.slug, project.memberships.get(user=user, role=role).pk])


def turn_of(user, item):
    return Assignment.objects.get(item=item, user=user).state


def test_an_annotators_holds_go_back_and_what_she_wrote_stays(item, ann, ben):
    project = item.project
    cleo = make_user("cleo")
    join(project, cleo)
    annotate_and_submit(item, ben)
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    assert claim_next(project=project, user=cleo) is None

    take(project, ann, "annotator")

    assert turn_of(ann, item) == "expired"
    assert claim_next(project=project, user=cleo).item == item
    assert Annotation.objects.get(user=ann).failures.count() == 1
    assert my_work(ann) == []
    with pytest.raises(NotYours):
        do(item, ann, "mark", {"failure": "m2", "fields": {"first_step": 2}})


def test_a_hold_that_has_run_out_is_let_go_too(item, ann):
    hold(item, ann)
    Assignment.objects.update(held_until=timezone.now())
    take(item.project, ann, "annotator")
    assert turn_of(ann, item) == "expired"


def test_what_was_handed_in_stays_and_counts(item, ann):
    annotate_and_submit(item, ann)
    take(item.project, ann, "annotator")
    assert turn_of(ann, item) == "submitted"
    assert Annotation.objects.submitted().filter(user=ann).exists()


def test_a_reopened_run_keeps_its_place_as_agreement_rests_on_its_first_submission(item, ann, mia):
    reopen(annotation=annotate_and_submit(item, ann), by=mia, reason="a slip")
    join(item.project, ann, "viewer")

    take(item.project, ann, "annotator")

    assert turn_of(ann, item) == "held"
    assert [one.held for one in my_work(ann)] == [[]]  # she could change nothing there


def test_with_the_role_again_she_goes_on_where_she_was(item, ann):
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    take(item.project, ann, "annotator")
    join(item.project, ann)

    assert claim_next(project=item.project, user=ann).item == item
    do(item, ann, "mark", {"failure": "m2", "fields": {"first_step": 2}})
    assert Annotation.objects.get(user=ann).failures.count() == 2


def test_runs_of_other_projects_are_kept(item, ann):
    elsewhere = only_item(make_project("elsewhere"))
    hold(elsewhere, ann)
    take(item.project, ann, "annotator")
    assert turn_of(ann, elsewhere) == "held"


@pytest.mark.parametrize("role", ["lead", "viewer", "adjudicator"])
def test_who_comes_back_to_annotate_does_not_get_what_she_could_see(item, ann, role):
    annotate_and_submit(item, ann)
    Item.objects.update(settled_at=timezone.now())
    noor = make_user("noor")
    join(item.project, noor, role)

    take(item.project, noor, role)
    Item.objects.update(settled_at=None)
    join(item.project, noor)

    assert claim_next(project=item.project, user=noor) is None
    assert list(Exposure.objects.values_list("item", "user", "to")) == [(item.pk, noor.pk, "annotations")]


def test_a_lead_sees_nothing_of_a_run_she_holds_and_so_keeps_it(item, ann, ben):
    hold(item, ann)
    join(item.project, ann, "lead")
    annotate_and_submit(item, ben)

    take(item.project, ann, "lead")

    assert claim_next(project=item.project, user=ann).item == item
    assert not Exposure.objects.exists()


def test_memos_of_who_annotated_stay_closed_to_who_still_does(item, ann, ben):
    project = item.project
    annotate_and_submit(item, ann)
    note(taxonomy=project.taxonomy, subject="system_failure", text="step 1 of that run", by=ann)
    assert memos_for(ben, project, "system_failure") == []

    take(project, ann, "annotator")

    assert memos_for(ben, project, "system_failure") == []


def test_the_last_lead_stays(item, mia, ann):
    with pytest.raises(LastLead):
        take(item.project, mia, "lead")
    join(item.project, ann, "lead")
    take(item.project, mia, "lead")
    with pytest.raises(LastLead):
        take(item.project, ann, "lead", by="ann")
    assert roles_of(ann, item.project) == {"annotator", "lead"}


def test_it_is_audited(project, ann, mia):
    membership = project.memberships.get(user=ann)
    take(project, ann, "annotator")
    event = AuditEvent.objects.get(verb="role taken")
    assert (event.by, event.project, event.subject) == (mia, "shop", f"annotate.membership:{membership.pk}")
    assert event.facts == {"user": "ann", "role": "annotator"}


def test_the_action_asks_the_policy_too(project, ann, ben):
    with pytest.raises(Forbidden):
        take(project, ann, "annotator", by="ben")


def test_who_lost_the_role_while_asking_for_a_run_is_told_so(project, eve):
    with pytest.raises(NotYours):
        one_at_a_time(project, eve)


# The page


def test_a_lead_is_asked_first_and_told_afterwards(client, project, ann, mia):
    client.force_login(mia)
    url = url_of(project, ann, "annotator")
    assert url in client.get(reverse("members", args=[project.slug])).content.decode()
    assert "Take the role" in client.get(url).content.decode()
    assert roles_of(ann, project) == {"annotator"}

    response = client.post(url, follow=True)

    assert response.redirect_chain == [(reverse("members", args=[project.slug]), 302)]
    assert "ann is no longer annotator here." in response.content.decode()
    assert roles_of(ann, project) == set()


def test_the_page_says_that_the_last_lead_stays(client, project, mia):
    client.force_login(mia)
    url = url_of(project, mia, "lead")
    page = client.get(url).content.decode()
    assert "the only lead" in page and ">Take the role<" not in page

    assert "the only lead" in client.post(url, follow=True).content.decode()
    assert roles_of(mia, project) == {"lead"}


def test_a_lead_who_leaves_is_brought_to_a_page_of_hers(client, project, ann, mia):
    join(project, ann, "lead")
    client.force_login(mia)
    assert client.post(url_of(project, mia, "lead")).url == reverse("home")


@pytest.mark.parametrize(("name", "status"), [("mia", 200), ("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404)])
def test_who_may_take_a_role(client, project, ben, name, status):
    client.force_login(make_user(name))
    url = url_of(project, ben, "annotator")
    assert client.get(url).status_code == status
    assert client.post(url).status_code == (302 if status == 200 else status)
    assert roles_of(ben, project) == (set() if status == 200 else {"annotator"})


def test_a_role_in_another_project_or_of_imported_labels_is_not_found(client, project, mia):
    other = make_project("other", members={"max": "lead"}, runs=0)
    imported = imported_user("whowhen")
    join(project, imported)
    client.force_login(mia)
    for membership in (other.memberships.get(), project.memberships.get(user=imported)):
        url = reverse("take_role", args=[project.slug, membership.pk])
        assert client.post(url).status_code == 404
    assert url not in client.get(reverse("members", args=[project.slug])).content.decode()
