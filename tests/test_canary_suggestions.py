"""No byte of a suggestion reaches an annotator before the project's rule allows it: every URL, with some to leak."""

import re

import pytest
from django.urls import reverse

from annotate.models import Item, Project
from suggestions.models import Constraint, Judgement, Violation
from tests import test_canary
from tests.factories import do, join, make_user
from tests.test_canary import arguments_of, leaks, logged_in, urls, world  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.services]
PLANTED = "quaggafoal"


def planted(where: str) -> str:
    return f"{PLANTED}-{where}"


@pytest.fixture
def suggested(world, monkeypatch):  # noqa: F811
    """All that a constraint and a model say of Ben's run. The names of models are no secret of leads."""
    project, item = world
    monkeypatch.setattr(test_canary, "PLANTED_ANYWHERE", re.compile(PLANTED, re.IGNORECASE))
    about = {"trajectory": item.trajectory}
    constraint = Constraint.objects.create(
        name=planted("constraint"),
        kind="TEMPORAL",
        check_type="log",
        taxonomy_targets=[planted("target")],
        hint=planted("hint"),
        digest="planted",
    )
    Violation.objects.create(constraint=constraint, step=1, evidence={"text": planted("found")}, source="log", **about)
    Judgement.objects.create(
        source="made",
        model="model",
        protocol="all_at_once",
        critical_step=1,
        participant=planted("blamed"),
        category=planted("judged"),
        reason=planted("argument"),
        raw={"answer": planted("raw")},
        **about,
    )
    return project, item


def test_under_never_no_url_tells_in_any_role(suggested):
    project, item = suggested
    where = urls(arguments_of(project, item))
    many = make_user("max")
    for role in ("annotator", "adjudicator", "lead", "viewer"):
        join(project, many, role)

    assert {user.username: leaks(logged_in(user), where) for user in (make_user("ben"), many)} == {"ben": [], "max": []}


@pytest.mark.parametrize("rule", ["after_phase_1", "randomised"])
def test_before_the_rule_allows_it_no_url_tells_and_afterwards_only_the_one_made_for_it(suggested, rule, monkeypatch):
    project, item = suggested
    monkeypatch.setattr("annotate.reveal.is_drawn", lambda item, user_id: False)
    Project.objects.update(reveal=rule)
    where = urls(arguments_of(project, item))
    ben = logged_in(make_user("ben"))
    assert leaks(ben, where) == []

    monkeypatch.setattr("annotate.reveal.is_drawn", lambda item, user_id: True)
    if rule == "after_phase_1":
        do(Item.objects.get(pk=item.pk), make_user("ben"), "reveal")
    assert [url for url, _ in leaks(ben, where)] == [reverse("item_suggestions", args=[item.pk])]
