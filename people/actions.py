from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from people.models import SYSTEM, AuditEvent, Token, User, digest, new_secret


class NameTaken(Exception):
    def __init__(self, name: str, kind: str):
        super().__init__(f"“{name}” is the name of a user of kind {kind}; choose another name")


class AlreadyRevoked(Exception):
    def __init__(self, token: Token):
        super().__init__(f"the token {token.prefix}… was revoked already, at {token.revoked_at:%Y-%m-%d %H:%M} UTC")


def audit(verb: str, subject: models.Model, *, by: User, project: str = "", **facts) -> AuditEvent:
    label = f"{subject._meta.label_lower}:{subject.pk}"
    return AuditEvent.objects.create(verb=verb, subject=label, by=by, project=project, facts=facts)


def audit_each(verb: str, found: Iterable[tuple[models.Model, dict[str, Any]]], *, by: User, project: str = "") -> None:
    """The same done to many things, with the facts of each; one statement however many they are."""
    events = [
        AuditEvent(verb=verb, subject=f"{subject._meta.label_lower}:{subject.pk}", by=by, project=project, facts=facts)
        for subject, facts in found
    ]
    AuditEvent.objects.bulk_create(events, batch_size=1000)


def system_user() -> User:
    return named_user(SYSTEM, kind=User.Kind.SYSTEM)


def imported_user(name: str) -> User:
    """The imported user of this name, made if missing; a person's name is refused."""
    return named_user(name, kind=User.Kind.IMPORTED)


def named_user(name: str, *, kind: str) -> User:
    user = User.objects.called(name).first()
    if user is None:
        user = User(username=name, kind=kind)
        user.set_unusable_password()
        user.full_clean()
        user.save()
    if user.kind != kind:
        raise NameTaken(name, user.kind)
    return user


@transaction.atomic
def create_token(*, user: User, scope: str, by: User, expires_at: datetime | None = None) -> tuple[Token, str]:
    """The token and its secret, which is not stored and cannot be shown again."""
    secret = new_secret()
    token = Token.objects.create(
        user=user, scope=scope, digest=digest(secret), prefix=secret[:12], expires_at=expires_at
    )
    audit("token created", token, by=by, user=user.username, scope=scope)
    return token, secret


@transaction.atomic
def revoke_token(*, token: Token, by: User) -> Token:
    """It opens nothing any more. Raises AlreadyRevoked."""
    token = Token.objects.select_for_update(of=("self",)).select_related("user").get(pk=token.pk)
    if token.revoked_at is not None:
        raise AlreadyRevoked(token)
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    audit("token revoked", token, by=by, user=token.user.username, scope=token.scope)
    return token
