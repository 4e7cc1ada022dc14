import pytest
from django.urls import reverse

from people.actions import imported_user
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def post(client, user, project, **fields):
    client.force_login(user)
    return client.post(reverse("members", args=[project.slug]), fields)


def roles(project, name):
    return set(project.memberships.filter(user__username=name).values_list("role", flat=True))


def test_a_lead_adds_a_person(client, project, mia, eve):
    response = post(client, mia, project, username="eve", role="annotator")
    assert response.url == reverse("members", args=[project.slug])
    assert roles(project, "eve") == {"annotator"}


def test_adding_twice_changes_nothing(client, project, mia, ann):
    assert post(client, mia, project, username="ann", role="annotator").status_code == 302
    assert roles(project, "ann") == {"annotator"}


@pytest.mark.parametrize("name", ["nobody", "whowhen"])
def test_an_unknown_or_imported_name_is_refused_and_kept(client, project, mia, name):
    imported_user("whowhen")
    response = post(client, mia, project, username=name, role="viewer")
    page = response.content.decode()
    assert response.status_code == 422
    assert "No person has this user name." in page
    assert f'value="{name}"' in page


def test_an_unknown_role_is_refused(client, project, mia, eve):
    assert post(client, mia, project, username="eve", role="king").status_code == 422
    assert roles(project, "eve") == set()


@pytest.mark.parametrize(("name", "status"), [("mia", 200), ("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404)])
def test_who_may_see_the_members(client, project, name, status):
    client.force_login(make_user(name))
    assert client.get(reverse("members", args=[project.slug])).status_code == status


def test_who_may_not_manage_adds_nobody(client, project, ann, eve):
    assert post(client, ann, project, username="eve", role="annotator").status_code == 403
    assert roles(project, "eve") == set()
