from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.test import APIRequestFactory

from annotate.api_auth import TokenAuthentication
from people.actions import create_token, imported_user, system_user
from people.models import AuditEvent, Token
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def authenticate(header: str | None, method: str = "get"):
    headers = {} if header is None else {"Authorization": header}
    return TokenAuthentication().authenticate(getattr(APIRequestFactory(), method)("/", headers=headers))


def new_token(scope="read", user="mia", **fields) -> str:
    owner = make_user(user) if isinstance(user, str) else user
    return create_token(user=owner, scope=scope, by=system_user(), **fields)[1]


def test_a_token_stands_for_its_user_and_notes_its_use():
    secret = new_token()

    user, token = authenticate(f"bearer {secret}")

    token.refresh_from_db()
    assert (user.username, token.scope) == ("mia", "read")
    assert timezone.now() - token.last_used_at < timedelta(seconds=5)


def test_use_is_written_once_a_minute():
    secret = new_token()
    just_now = timezone.now() - timedelta(seconds=30)
    Token.objects.update(last_used_at=just_now)

    authenticate(f"Bearer {secret}")

    assert Token.objects.get().last_used_at == just_now


@pytest.mark.parametrize("header", [None, "", "Basic bWlhOng=", "Token x"])
def test_other_ways_to_log_in_are_left_to_others(header):
    assert authenticate(header) is None


@pytest.mark.parametrize("header", ["Bearer", "Bearer a b", "Bearer unknown", "Bearer \xff\xfe"])
def test_a_token_that_is_none_is_refused(header):
    with pytest.raises(AuthenticationFailed):
        authenticate(header)


def test_a_read_token_only_reads():
    read, write = new_token("read"), new_token("write")

    for method in ("post", "put", "patch", "delete"):
        with pytest.raises(PermissionDenied):
            authenticate(f"Bearer {read}", method)
        assert authenticate(f"Bearer {write}", method)
    assert authenticate(f"Bearer {read}", "head")


def test_a_token_of_nobody_who_logs_in_is_refused():
    for user in (imported_user("agentrx"), system_user()):
        secret = new_token(user=user)
        with pytest.raises(AuthenticationFailed):
            authenticate(f"Bearer {secret}")


def test_create_token_prints_the_secret_once_and_keeps_its_digest():
    make_user("mia")
    out = StringIO()

    call_command("create_token", "MIA", "--scope", "read", "--days", "30", stdout=out, stderr=StringIO())

    secret = out.getvalue().strip()
    token = Token.objects.get()
    assert Token.objects.find(secret) == token
    assert secret not in str(vars(token)) and (token.expires_at - timezone.now()).days in (29, 30)
    event = AuditEvent.objects.get(verb="token created")
    assert event.facts == {"user": "mia", "scope": "read"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nobody", "--scope", "read"], "there is no user"),
        (["agentrx", "--scope", "read"], "only people have tokens"),
        (["off", "--scope", "read"], "is not active"),
        (["mia", "--scope", "admin"], "invalid choice"),
        (["mia"], "--scope"),
        (["mia", "--scope", "read", "--days", "0"], "give 1 to 3650"),
    ],
)
def test_create_token_refuses_whom_it_does_not_know(arguments, reason):
    make_user("mia")
    make_user("off", is_active=False)
    imported_user("agentrx")

    with pytest.raises(CommandError, match=reason):
        call_command("create_token", *arguments)
    assert not Token.objects.exists()
