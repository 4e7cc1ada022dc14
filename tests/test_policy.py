"""Every verb, every role, written out: what changes in the table has to be changed here as well."""

import pytest
from django.contrib.auth.models import AnonymousUser

from annotate.models import Membership, Project
from annotate.policy import ALLOWED, Forbidden, may, require, roles_of
from tests.factories import join, make_user

pytestmark = pytest.mark.django_db

YES, NO = True, False
ROLES = ("annotator", "adjudicator", "lead", "viewer")
TABLE = {
    #                    annotator adjudicator lead viewer
    "see project": (YES, YES, YES, YES),
    "annotate": (YES, NO, NO, NO),
    "see figures": (NO, NO, YES, YES),
    "see items": (NO, NO, YES, NO),
    "see people": (NO, NO, YES, NO),
    "see cases": (NO, YES, YES, NO),
    "rule": (NO, YES, NO, NO),
    "rule again": (NO, YES, NO, NO),
    "see jobs": (NO, NO, YES, NO),
    "cancel job": (NO, NO, YES, NO),
    "see spend": (NO, NO, YES, NO),
    "ask models": (NO, NO, YES, NO),
    "see codebook": (YES, YES, YES, YES),
    "propose codes": (YES, YES, YES, NO),
    "refine codebook": (NO, NO, YES, NO),
    "recode": (YES, NO, YES, NO),
    "see releases": (NO, NO, YES, YES),
    "export gold": (NO, NO, YES, YES),
    "export annotator": (NO, NO, YES, NO),
    "release": (NO, NO, YES, NO),
    "reopen": (NO, NO, YES, NO),
    "read memos": (NO, NO, YES, NO),
    "declare contrasts": (NO, NO, YES, NO),
    "score suggestions": (NO, NO, YES, NO),
    "manage members": (NO, NO, YES, NO),
    "close project": (NO, NO, YES, NO),
    "set rules": (NO, NO, YES, NO),
    "set reveal rule": (NO, NO, YES, NO),
}
CELLS = [(verb, role, yes) for verb, row in TABLE.items() for role, yes in zip(ROLES, row, strict=True)]


def test_every_verb_and_every_role_stands_in_the_table():
    assert set(TABLE) == set(ALLOWED)
    assert set(ROLES) == set(Membership.Role.values)


@pytest.mark.parametrize(("verb", "role", "allowed"), CELLS)
def test_a_role_may(verb, role, allowed, project):
    user = make_user("noor")
    join(project, user, role)

    assert may(user, verb, project) is allowed
    if allowed:
        assert require(user, verb, project) == {role}
    else:
        with pytest.raises(Forbidden, match=role):
            require(user, verb, project)


@pytest.mark.parametrize("verb", TABLE)
def test_strangers_superusers_and_members_elsewhere_hear_of_no_project(verb, project, eve):
    from tests.factories import make_project

    root = make_user("root", is_superuser=True, is_staff=True)
    make_project("elsewhere", members=dict.fromkeys(["eve"], "lead"), runs=0)
    for user in (eve, root, AnonymousUser()):
        assert not may(user, verb, project)
        with pytest.raises(Project.DoesNotExist):
            require(user, verb, project)


def test_roles_add_up(project, ann):
    join(project, ann, "lead")

    assert roles_of(ann, project) == {"annotator", "lead"}
    assert may(ann, "annotate", project)
    assert may(ann, "release", project)
    assert not may(ann, "rule", project)
