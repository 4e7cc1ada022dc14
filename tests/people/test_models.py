import pytest

from people.actions import audit
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


def test_an_audit_event_never_changes():
    ann = make_user("ann")
    event = audit("greeted", ann, by=ann)

    never_changes(event, verb="ignored")
    assert AuditEvent.objects.get().verb == "greeted"
