from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate import throttle
from people.models import Attempt
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def log_in(client, password=PASSWORD, username="ann", headers=None, **extra):
    return client.post(reverse("login"), {"username": username, "password": password, **extra}, headers=headers)


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
    assert Attempt.objects.filter(key__startswith="login:").count() == 10  # in the database, not in this process

    Attempt.objects.update(at=timezone.now() - timedelta(seconds=61))
    assert log_in(client, "wrong").status_code == 200
    assert Attempt.objects.filter(key__startswith="login:").count() == 1  # what counts no more is not kept
    assert log_in(client).status_code == 302


def test_failures_of_one_name_do_not_stop_another(client):
    make_user("ann")
    make_user("ben")
    for _ in range(10):
        log_in(client, "wrong")
    assert log_in(client, username="ben").status_code == 302


def fail(client, n=10, username="ann", **headers):
    for _ in range(n):
        log_in(client, "wrong", username, headers=headers)


def log_in_from(client, forwarded, username="ann"):
    return log_in(client, username=username, headers={"X-Forwarded-For": forwarded}).status_code


def test_failures_elsewhere_lock_nobody_out_behind_a_proxy(client, settings):
    settings.TRUSTED_PROXIES = 1
    make_user("ann")
    fail(client, **{"X-Forwarded-For": "203.0.113.9"})
    assert log_in_from(client, "203.0.113.9") == 200
    assert log_in_from(client, "198.51.100.7") == 302


def test_what_a_client_says_of_itself_is_never_its_address(client, settings):
    settings.TRUSTED_PROXIES = 1
    make_user("ann")
    for n in range(10):
        fail(client, 1, **{"X-Forwarded-For": f"192.0.2.{n}, 203.0.113.9"})
    assert log_in_from(client, "192.0.2.77, 203.0.113.9") == 200


def test_without_a_proxy_the_header_is_not_read(client):
    make_user("ann")
    for n in range(10):
        fail(client, 1, **{"X-Forwarded-For": f"192.0.2.{n}"})
    assert log_in_from(client, "192.0.2.77") == 200


FORWARDED = {
    (1, "198.51.100.7"): "198.51.100.7",
    (1, "192.0.2.1, 198.51.100.7"): "198.51.100.7",
    (2, "192.0.2.1,198.51.100.7 , 10.0.0.2"): "198.51.100.7",
    (1, "2001:DB8::0:7"): "2001:db8::7",
    (0, "198.51.100.7"): "127.0.0.1",
    (2, "198.51.100.7"): "127.0.0.1",
    (1, ""): "127.0.0.1",
    (1, None): "127.0.0.1",
    (1, "198.51.100.7,"): "127.0.0.1",
    (1, "somebody"): "127.0.0.1",
    (1, "198.51.100.7:4711"): "127.0.0.1",
}


@pytest.mark.parametrize(("proxies", "forwarded"), FORWARDED)
def test_the_address_is_that_many_places_from_the_right(rf, settings, proxies, forwarded):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    assert throttle.address_of(rf.get("/", headers=headers)) == FORWARDED[proxies, forwarded]


def test_guessing_across_names_is_bounded_by_address(client, settings, monkeypatch):
    monkeypatch.setattr(throttle, "FAILED_FROM_AN_ADDRESS", 5)
    settings.TRUSTED_PROXIES = 1
    make_user("ann")
    for n in range(5):
        fail(client, 1, f"guess-{n}", **{"X-Forwarded-For": "203.0.113.9"})
    assert log_in_from(client, "203.0.113.9") == 200
    assert log_in_from(client, "198.51.100.7") == 302


def test_logging_in_oneself_does_not_make_room_for_guessing(client, monkeypatch):
    monkeypatch.setattr(throttle, "FAILED_FROM_AN_ADDRESS", 5)
    make_user("ann")
    fail(client, 4, "ben")
    log_in(client)
    fail(client, 1, "cleo")
    assert "Too many failed attempts" in log_in(client).content.decode()


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
