"""A lead closes a project: nothing is handed out or changed until it is opened again, and reading stays."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.actions import claim, claim_next, close_project, heartbeat, open_project, skip
from annotate.errors import Closed
from annotate.models import Assignment, Item, Project
from annotate.policy import Forbidden
from people.models import AuditEvent
from tests.factories import (
    annotate_and_submit,
    do,
    hold,
    join,
    make_draft,
    make_project,
    make_user,
    only_item,
)
from traces.actions import store

pytestmark = pytest.mark.django_db
MARK = {"failure": "m1", "fields": {"first_step": 1}}


def close(project):
    close_project(project=project, by=make_user("mia"))
    project.refresh_from_db()


def reopen(project):
    open_project(project=project, by=make_user("mia"))
    project.refresh_from_db()


def page(client, user, name, *arguments):
    client.force_login(user)
    return client.get(reverse(name, args=arguments)).content.decode()


ACTS = {
    "claim next": lambda item, user: claim_next(project=item.project, user=user),
    "claim": lambda item, user: claim(item=item, user=user),
    "change": lambda item, user: do(item, user, "mark", MARK),
    "heartbeat": lambda item, user: heartbeat(item=item, user=user, active_seconds=1),
    "skip": lambda item, user: skip(item=item, user=user, reason="too long"),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_nothing_is_handed_out_or_changed_until_it_is_open_again(item, ann, act):
    before = hold(item, ann)
    close(item.project)

    with pytest.raises(Closed):
        act(item, ann)
    assert Assignment.objects.values().get() == Assignment.objects.filter(pk=before.pk).values().get()
    assert not item.annotations.get().revision

    reopen(item.project)
    act(item, ann)


def test_a_hold_that_ran_out_meanwhile_is_taken_up_again(item, ann):
    hold(item, ann)
    close(item.project)
    Assignment.objects.update(held_until=timezone.now())
    reopen(item.project)

    do(item, ann, "mark", MARK)


def test_a_closed_project_opens_nothing_of_colleagues_to_who_may_get_a_run_once_it_is_open(item, ann, ben):
    join(item.project, ann, "lead")
    annotate_and_submit(item, ben)
    close(item.project)
    assert item in Item.objects.may_get(ann)


def test_runs_imported_meanwhile_are_put_once_it_is_open(project, mia):
    close(project)
    store(dataset=project.dataset, draft=make_draft("late"))
    reopen(project)
    assert project.items.filter(trajectory__external_id="late").exists()


def test_both_are_audited_once(project, mia):
    for act in (close, close, reopen, reopen):
        act(project)
    events = AuditEvent.objects.filter(verb__in=["project closed", "project opened"]).order_by("pk")
    assert list(events.values_list("verb", "by", "project")) == [
        ("project closed", mia.pk, "shop"),
        ("project opened", mia.pk, "shop"),
    ]


@pytest.mark.parametrize("act", [close_project, open_project])
def test_the_actions_ask_the_policy_too(project, ann, act):
    with pytest.raises(Forbidden):
        act(project=project, by=ann)


# The pages


@pytest.mark.parametrize(
    ("name", "status"), [("mia", 302), ("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404), ("max", 404)]
)
def test_who_may_close_and_open(client, project, name, status):
    make_project("other", members={"max": "lead"}, runs=0)
    client.force_login(make_user(name))
    for url, is_closed in (("close_project", status == 302), ("open_project", False)):
        assert client.post(reverse(url, args=[project.slug])).status_code == status
        assert (Project.objects.get(pk=project.pk).closed_at is not None) == is_closed


@pytest.mark.parametrize("name", ["close_project", "open_project"])
def test_looking_changes_nothing(client, project, mia, name):
    client.force_login(mia)
    assert client.get(reverse(name, args=[project.slug])).status_code == 405


def test_the_overview_offers_what_can_be_done(client, project, mia, vic):
    close_url, open_url = (reverse(name, args=["shop"]) for name in ("close_project", "open_project"))
    shown = page(client, mia, "project", "shop")
    assert close_url in shown and open_url not in shown
    assert close_url not in page(client, vic, "project", "shop")

    client.force_login(mia)
    said = client.post(close_url, follow=True).content.decode()

    assert f"{project.name} is closed." in said
    assert open_url in said and close_url not in said and '<span class="pill">closed</span>' in said
    assert f"{project.name} is open again." in client.post(open_url, follow=True).content.decode()


def test_my_work_says_so_and_offers_held_runs_to_read(client, item, ann):
    hold(item, ann)
    close(item.project)
    shown = page(client, ann, "home")
    assert "This project is closed." in shown
    assert ">Read</a>" in shown and "Continue" not in shown and "held for you until" not in shown


def test_my_work_shows_open_projects_first(client, item, ann):
    hold(item, ann)
    other = only_item(make_project("another"))
    close(item.project)
    client.force_login(ann)
    work = client.get(reverse("home")).context["work"]
    assert [one.project for one in work] == [other.project, item.project]


def test_the_workbench_is_there_to_be_read(client, item, ann):
    hold(item, ann)
    close(item.project)
    client.force_login(ann)
    answer = client.get(reverse("item_state", args=[item.pk])).json()
    assert (answer["held"], answer["closed"]) == (True, True)
    assert client.get(reverse("workbench", args=[item.pk])).status_code == 200


def test_asking_for_the_next_run_is_answered_in_a_sentence(client, project, ann):
    close(project)
    client.force_login(ann)
    said = client.post(reverse("next_item", args=["shop"]), follow=True).content.decode()
    assert "this project is closed" in said
