from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from people.models import Attempt
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def log_in(client, password=PASSWORD, username="ann", **extra):
    return client.post(reverse("login"), {"username": username, "password": password, **extra})


def test_logging_in_leads_to_the_page_that_asked_for_it(client):
    make_user("ann")
    assert log_in(client, next="/jobs/").url == "/jobs/"


def test_logging_in_never_leads_to_another_site(client):
    make_user("ann")
    assert log_in(client, next="https://example.org/").url == "/"


def test_a_wrong_password_keeps_the_user_name_and_says_why(client):
    make_user("ann")
    page = log_in(client, "wrong").content.decode()
    assert "User name and password do not match." in page
    assert 'value="ann"' in page
    assert "wrong" not in page


def test_the_eleventh_failure_in_a_minute_is_refused_unread(client):
    make_user("ann")
    for _ in range(10):
        log_in(client, "wrong")
    assert "Too many failed attempts" in log_in(client).content.decode()


def test_failures_count_over_all_processes_and_for_a_minute(client):
    make_user("ann")
    for _ in range(10):
        log_in(client, "wrong")
    assert Attempt.objects.count() == 10  # in the database, not in this process

    Attempt.objects.update(at=timezone.now() - timedelta(seconds=61))
    assert log_in(client, "wrong").status_code == 200
    assert Attempt.objects.count() == 1  # what counts no more is not kept
    assert log_in(client).status_code == 302


def test_failures_of_one_name_do_not_stop_another(client):
    make_user("ann")
    make_user("ben")
    for _ in range(10):
        log_in(client, "wrong")
    assert log_in(client, username="ben").status_code == 302


def test_logging_in_forgets_the_failures_before(client):
    make_user("ann")
    for _ in range(9):
        log_in(client, "wrong")
    log_in(client)
    client.post(reverse("logout"))
    log_in(client, "wrong")
    assert log_in(client).status_code == 302


def test_logging_out_takes_a_post(client):
    client.force_login(make_user("ann"))
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).url == reverse("login")
    assert client.get(reverse("home")).status_code == 302


def test_a_fragment_of_an_ended_session_sends_the_whole_page_to_the_login(client):
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/jobs/?page=2"}
    response = client.get(reverse("jobs"), headers=headers)
    assert response.headers["HX-Redirect"] == "/login/?next=%2Fjobs%2F%3Fpage%3D2"
    assert not response.content
