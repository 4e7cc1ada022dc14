import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from people.actions import audit, system_user
from people.models import AuditEvent, User
from tests.breaking import never_changes, turned_down
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_name_is_taken_in_any_case():
    make_user("ann")

    with turned_down("username_unique_in_any_case"):
        User.objects.create(username="ANN", password="!")


@pytest.mark.parametrize("kind", ["imported", "system"])
def test_only_people_have_passwords(kind):
    with turned_down("only_people_have_passwords"):
        User.objects.create_user("robot", password="correct horse battery", kind=kind)
    ann = make_user("ann")
    with turned_down("only_people_have_passwords"):
        User.objects.filter(pk=ann.pk).update(kind=kind)


def test_only_the_system_is_called_system():
    with pytest.raises(ValidationError, match="the name under which Assay itself acts"):
        User.objects.create_user("System", password="correct horse battery")
    with turned_down("nobody_else_is_called_system"):
        User.objects.create(username="SYSTEM", password="!")
    assert system_user().kind == "system"


def test_making_a_superuser_of_that_name_says_why_not():
    command = ("createsuperuser", "--noinput", "--username", "system", "--email", "a@example.org")
    with pytest.raises(CommandError, match="choose another name"):
        call_command(*command)


def test_an_audit_event_never_changes():
    ann = make_user("ann")
    event = audit("greeted", ann, by=ann)

    never_changes(event, verb="ignored")
    assert AuditEvent.objects.get().verb == "greeted"
