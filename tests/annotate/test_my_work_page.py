from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.models import Case
from annotate.models import Assignment
from annotate.my_work import left_in_words
from tests.factories import annotate_and_submit, hold, join, make_project, make_user, only_item

pytestmark = pytest.mark.django_db


def home(client, user):
    client.force_login(user)
    return client.get(reverse("home")).content.decode()


def test_an_annotator_is_offered_the_next_run(client, project, ann):
    page = home(client, ann)
    assert "At most 10 runs are left." in page
    assert reverse("next_item", args=[project.slug]) in page
    assert "none submitted by you yet" in page


def test_a_held_run_can_be_continued_and_says_until_when(client, item, ann):
    turn = hold(item, ann)
    page = home(client, ann)
    assert reverse("workbench", args=[item.pk]) in page
    assert turn.held_until.strftime("%H:%M UTC") in page
    assert "No run is left for you here right now." in page


def test_a_hold_that_ran_out_says_so(client, item, ann):
    hold(item, ann)
    Assignment.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    assert "the hold has run out" in home(client, ann)


def test_who_holds_a_run_is_offered_no_other_until_the_hold_runs_out(client, ann):
    project = make_project("two", runs=2, members={"ann": "annotator"})
    hold(project.items.first(), ann)
    address = reverse("next_item", args=[project.slug])
    assert address not in home(client, ann)
    Assignment.objects.update(held_until=timezone.now() - timedelta(minutes=1))
    assert address in home(client, ann)


def test_what_is_left_does_not_change_with_a_colleagues_work(client, item, ann, ben):
    before = home(client, ann)
    annotate_and_submit(item, ben)
    assert without_tokens(home(client, ann)) == without_tokens(before)


def without_tokens(page):
    return [line for line in page.splitlines() if "csrfmiddlewaretoken" not in line]


def test_a_submitted_run_is_counted_and_opens_the_list(client, item, ann):
    annotate_and_submit(item, ann)
    page = home(client, ann)
    assert "1 submitted by you" in page
    assert item.trajectory.external_id in client.get(reverse("my_runs", args=["shop"])).content.decode()


def test_an_adjudicator_is_told_of_waiting_cases(client, item, ada):
    Case.objects.create(item=item)
    assert "1 case waits for a ruling." in home(client, ada)


def test_who_annotated_the_item_is_not_told_of_its_case(client, project, item, ann):
    join(project, ann, "adjudicator")
    annotate_and_submit(item, ann)
    Case.objects.create(item=item)
    assert "waits for a ruling" not in home(client, ann)


def test_a_lead_gets_the_overview(client, project, mia):
    page = home(client, mia)
    assert f'href="{reverse("project", args=[project.slug])}"' in page
    assert reverse("next_item", args=[project.slug]) not in page


def test_a_stranger_sees_no_project(client, project, eve):
    page = home(client, eve)
    assert "You are not a member of any project yet." in page
    assert project.name not in page


def test_a_superuser_sees_no_project_either(client, project):
    page = home(client, make_user("root", is_superuser=True))
    assert "You are not a member of any project yet." in page


def test_a_closed_project_hands_out_nothing(client, project, ann):
    project.closed_at = timezone.now()
    project.save()
    page = home(client, ann)
    assert "This project is closed." in page
    assert reverse("next_item", args=[project.slug]) not in page


def test_a_closed_project_comes_last_and_what_is_held_there_can_only_be_read(client, project, item, ann):
    hold(item, ann)
    make_project("open", name="Still open", members={"ann": "annotator"})
    project.closed_at = timezone.now()
    project.save()
    page = home(client, ann)
    assert page.index("Still open") < page.index(item.trajectory.external_id)
    assert (">Read<" in page, ">Continue<" in page, "held for you" in page) == (True, False, False)


def test_who_is_not_logged_in_is_asked_to(client):
    assert client.get(reverse("home")).url == "/login/?next=/"


def test_the_list_of_my_runs_is_for_annotators_of_the_project(client, project, mia, eve):
    client.force_login(mia)
    assert client.get(reverse("my_runs", args=[project.slug])).status_code == 403
    client.force_login(eve)
    assert client.get(reverse("my_runs", args=[project.slug])).status_code == 404


@pytest.mark.parametrize("projects", [1, 3])
def test_the_number_of_queries_does_not_grow_with_projects(client, django_assert_num_queries, projects):
    for number in range(projects):
        hold(only_item(make_project(f"shop-{number}", runs=2)), make_user("ann"))
    client.force_login(make_user("ann"))
    with django_assert_num_queries(9):
        client.get(reverse("home"))


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (0, "No run is left for you here right now."),
        (1, "At most 10 runs are left."),
        (11, "More than 10 runs are left."),
        (60, "More than 50 runs are left."),
        (1000, "More than 200 runs are left."),
    ],
)
def test_what_is_left_is_told_in_rounds(left, words):
    assert left_in_words(left) == words
