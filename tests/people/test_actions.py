from datetime import timedelta

import pytest
from django.utils import timezone

from people.actions import NameTaken, create_token, imported_user, system_user
from people.models import AuditEvent, Token, User
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_an_imported_user_is_made_once_and_cannot_log_in():
    first, again = imported_user("agentrx"), imported_user("AgentRx")

    assert (first.pk, first.kind, first.has_usable_password()) == (again.pk, "imported", False)


def test_nobody_takes_the_name_of_a_person():
    make_user("ann")

    with pytest.raises(NameTaken, match="person"):
        imported_user("Ann")
    assert User.objects.get(username="ann").kind == "person"


def test_the_system_is_one_user():
    assert system_user() == system_user()
    with pytest.raises(NameTaken, match="system"):
        imported_user("system")


def test_a_token_is_found_by_its_secret_which_is_stored_nowhere():
    ann = make_user("ann")
    token, secret = create_token(user=ann, scope="read", by=ann)

    assert Token.objects.find(secret) == token
    assert Token.objects.find(secret + "x") is None
    assert secret not in str(Token.objects.values().get())
    event = AuditEvent.objects.get()
    assert (event.verb, event.subject, event.facts) == (
        "token created",
        f"people.token:{token.pk}",
        {"user": "ann", "scope": "read"},
    )
    assert secret not in str(event.facts)


@pytest.mark.parametrize(
    "change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(seconds=1)}]
)
def test_a_revoked_or_expired_token_opens_nothing(change):
    ann = make_user("ann")
    _, secret = create_token(user=ann, scope="read", by=ann)
    Token.objects.update(**change)

    assert Token.objects.find(secret) is None


def test_the_token_of_a_closed_account_opens_nothing():
    ann = make_user("ann")
    _, secret = create_token(user=ann, scope="write", by=ann, expires_at=timezone.now() + timedelta(days=1))
    assert Token.objects.find(secret).user == ann

    User.objects.update(is_active=False)
    assert Token.objects.find(secret) is None
