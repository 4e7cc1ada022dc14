"""Operators see a user's tokens, never their secrets, and revoke one by how it begins."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from people.actions import create_token
from people.models import AuditEvent, Token
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def ran(*arguments):
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def token(mia):
    return create_token(user=mia, scope="read", by=mia)


def test_a_revoked_token_opens_nothing_and_it_is_audited(token, mia, ada):
    kept, secret = token
    said = ran("revoke_token", kept.prefix, "--by", "ada")
    assert said == f"the read token {kept.prefix}… of mia is revoked\n"
    assert Token.objects.find(secret) is None
    event = AuditEvent.objects.get(verb="token revoked")
    assert (event.by, event.subject, event.facts) == (ada, f"people.token:{kept.pk}", {"user": "mia", "scope": "read"})


def test_a_few_letters_are_enough_where_only_one_begins_so(token):
    said = json.loads(ran("revoke_token", token[0].prefix[:8], "--json"))
    revoked_at = Token.objects.get().revoked_at.isoformat()
    assert said == {"user": "mia", "prefix": token[0].prefix, "scope": "read", "revoked_at": revoked_at}


def test_one_that_was_revoked_does_not_stand_in_the_way(token, mia):
    Token.objects.update(revoked_at=timezone.now())
    live, secret = create_token(user=mia, scope="read", by=mia)
    Token.objects.update(prefix="assay_same01")
    ran("revoke_token", "assay_same")
    assert Token.objects.find(secret) is None


@pytest.mark.parametrize(
    ("prefix", "reason"),
    [
        ("assay_none", "no token begins with “assay_none”"),
        ("assay_", "give more of it"),
        ("", "give more of it"),
        ("assay_tw", "2 tokens begin with “assay_tw”; give more of it"),
        ("assay_gone", "was revoked already"),
    ],
)
def test_what_is_not_one_live_token_is_refused(mia, prefix, reason):
    for name in ("assay_two_01", "assay_two_02", "assay_gone01"):
        made, _ = create_token(user=mia, scope="read", by=mia)
        Token.objects.filter(pk=made.pk).update(prefix=name)
    Token.objects.filter(prefix="assay_gone01").update(revoked_at=timezone.now())
    before = list(Token.objects.order_by("pk").values())

    with pytest.raises(CommandError, match=reason):
        ran("revoke_token", prefix)
    assert list(Token.objects.order_by("pk").values()) == before


def test_a_users_tokens_are_told_without_secrets(token, mia, ada):
    kept, secret = token
    create_token(user=ada, scope="read", by=ada)
    ends = timezone.now() + timedelta(days=30)
    gone, other = create_token(user=mia, scope="write", by=mia, expires_at=ends)
    Token.objects.filter(pk=gone.pk).update(revoked_at=timezone.now())

    said = ran("tokens", "MIA")

    assert said.splitlines() == [
        f"{kept.prefix}…  read   never expires",
        f"{gone.prefix}…  write  expires {ends:%Y-%m-%d}, revoked {timezone.now():%Y-%m-%d}",
    ]
    in_full = ran("tokens", "mia", "--json")
    assert not any(hidden in said + in_full for hidden in (secret, other, kept.digest, gone.digest))
    assert json.loads(in_full) == {
        "user": "mia",
        "tokens": [facts(kept), facts(gone) | {"revoked_at": Token.objects.get(pk=gone.pk).revoked_at.isoformat()}],
    }


def facts(token):
    return {
        "prefix": token.prefix,
        "scope": token.scope,
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at and token.expires_at.isoformat(),
        "revoked_at": None,
        "last_used_at": None,
    }


def test_one_that_has_run_out_says_so(token):
    Token.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert "expired " in ran("tokens", "mia")


def test_who_has_none_is_told_so_and_nobody_is_refused():
    make_user("mia")
    assert ran("tokens", "mia") == "mia has no tokens\n"
    with pytest.raises(CommandError, match="there is no user"):
        ran("tokens", "nobody")
