import hashlib
import secrets

import pgtrigger
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

SYSTEM = "system"
MARK = "assay_"  # with which every token begins, so that one can be told where it leaked
RESERVED = f"“{SYSTEM}” is the name under which Assay itself acts; choose another name."


class UserQuerySet(models.QuerySet):
    def people(self):
        return self.filter(kind=User.Kind.PERSON)

    def called(self, name: str):
        """In any case; nobody is called what the database could not hold."""
        return self.none() if "\0" in name else self.filter(username__iexact=name)


class AssayUserManager(UserManager.from_queryset(UserQuerySet)):
    def create_user(self, username, *args, **fields):
        refuse_reserved(username)
        return super().create_user(username, *args, **fields)

    def create_superuser(self, username, *args, **fields):
        refuse_reserved(username)
        return super().create_superuser(username, *args, **fields)


def refuse_reserved(username: str) -> None:
    if username and username.casefold() == SYSTEM:
        raise ValidationError(RESERVED)


class User(AbstractUser):
    class Kind(models.TextChoices):
        PERSON = "person"
        IMPORTED = "imported"  # stands for the author of imported labels; never logs in
        SYSTEM = "system"

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PERSON)

    objects = AssayUserManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("username"), name="username_unique_in_any_case"),
            models.CheckConstraint(
                condition=models.Q(kind="person") | models.Q(password__startswith="!"),
                name="only_people_have_passwords",
            ),
            models.CheckConstraint(
                condition=models.Q(kind="system") | ~models.Q(username__iexact=SYSTEM),
                name="nobody_else_is_called_system",
                violation_error_message=RESERVED,
            ),
        ]

    def __str__(self):
        return self.username

    @property
    def is_person(self) -> bool:
        return self.kind == self.Kind.PERSON


class Attempt(models.Model):
    """Something that people may do only so often, each time it was done; kept for as long as it counts."""

    key = models.CharField(max_length=100)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["key", "at"], name="attempts_by_key")]

    def __str__(self):
        return f"{self.key} at {self.at}"


class TokenQuerySet(models.QuerySet):
    def usable(self):
        now = timezone.now()
        return self.filter(revoked_at=None, user__is_active=True).filter(
            models.Q(expires_at=None) | models.Q(expires_at__gt=now)
        )

    def find(self, secret: str) -> "Token | None":
        return self.usable().select_related("user").filter(digest=digest(secret)).first()


class Token(models.Model):
    """A scoped key to the API; only its digest is stored, the secret is shown once."""

    class Scope(models.TextChoices):
        READ = "read"
        WRITE = "write"

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    scope = models.CharField(max_length=5, choices=Scope)
    digest = models.CharField(max_length=64, unique=True)
    prefix = models.CharField(max_length=12)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)

    objects = TokenQuerySet.as_manager()

    def __str__(self):
        return f"{self.prefix}… ({self.scope})"


def new_secret() -> str:
    return f"{MARK}{secrets.token_urlsafe(32)}"


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


class AuditEvent(models.Model):
    """What was done to what, and by whom. Written in the transaction of the act; never changed."""

    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, models.PROTECT, related_name="+")
    verb = models.CharField(max_length=40)
    subject = models.CharField(max_length=200)  # "<model>:<pk>", so that no app above has to be imported
    project = models.CharField(max_length=60, blank=True)
    facts = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["subject", "at"]), models.Index(fields=["project", "-at"])]
        triggers = [pgtrigger.Protect(name="audit_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self):
        return f"{self.verb} {self.subject}"
