"""Leads set when suggestions are shown; what was drawn by lot is never mixed with what was not."""

import pytest
from django.urls import reverse

from annotate.actions import ArmsWouldMix, set_reveal, show_suggestions
from annotate.models import Project, Submission
from annotate.policy import Forbidden
from people.actions import imported_user
from people.models import AuditEvent
from suggestions.models import Judgement
from tests.factories import annotate_and_submit, hold, make_project, make_user, only_item

pytestmark = pytest.mark.django_db
LOT = {"reveal": "randomised", "unit": "assignment", "share": 30}


def rule_of(project) -> tuple:
    return Project.objects.values_list("reveal", "reveal_unit", "reveal_share").get(pk=project.pk)


def change(project, by="mia", **given):
    return set_reveal(
        project=project, by=make_user(by), **{"reveal": "always", "unit": "trajectory", "share": 50} | given
    )


def post(client, name, **fields):
    client.force_login(make_user(name))
    return client.post(reverse("reveal", args=["shop"]), LOT | fields)


def page(client, name="mia") -> str:
    client.force_login(make_user(name))
    return client.get(reverse("reveal", args=["shop"])).content.decode()


def test_a_lead_chooses_the_lot_before_anybody_begins(client, project):
    assert "Nobody has begun" in page(client)
    assert post(client, "mia").url == reverse("reveal", args=["shop"])
    assert rule_of(project) == ("randomised", "assignment", 30)
    event = AuditEvent.objects.get(verb="reveal rule set")
    assert (event.by, event.project) == (make_user("mia"), "shop")
    assert event.facts == {
        "before": {"reveal": "never", "reveal_unit": "trajectory", "reveal_share": 50},
        "after": {"reveal": "randomised", "reveal_unit": "assignment", "reveal_share": 30},
    }
    post(client, "mia")
    assert AuditEvent.objects.filter(verb="reveal rule set").count() == 1


@pytest.mark.parametrize(
    ("name", "looks", "sets"),
    [("mia", 200, 302), ("ann", 403, 403), ("ada", 403, 403), ("vic", 403, 403), ("eve", 404, 404)],
)
def test_who_may_set_it(client, project, name, looks, sets):
    client.force_login(make_user(name))
    assert client.get(reverse("reveal", args=["shop"])).status_code == looks
    assert post(client, name).status_code == sets
    assert rule_of(project)[0] == ("randomised" if name == "mia" else "never")


def test_the_action_asks_the_policy_too(project):
    with pytest.raises(Forbidden):
        change(project, by="ann")


def test_a_lead_of_another_project_changes_nothing_here(client, project):
    make_project("other", members={"max": "lead"}, runs=0)
    assert post(client, "max").status_code == 404
    assert rule_of(project)[0] == "never"


@pytest.mark.parametrize(
    "wrong", [{"reveal": "perhaps"}, {"unit": "person"}, {"share": 0}, {"share": 100}, {"share": "x"}]
)
def test_bad_input_is_said_and_changes_nothing(client, project, wrong):
    assert post(client, "mia", **wrong).status_code == 422
    assert rule_of(project) == ("never", "trajectory", 50)


@pytest.mark.parametrize(
    "given", [{"reveal": "never"}, {"reveal": "always"}, {**LOT, "share": 31}, {**LOT, "unit": "trajectory"}]
)
def test_a_lot_under_which_somebody_has_begun_stays(client, project, given):
    change(project, **LOT)
    hold(only_item(project), make_user("ann"))
    with pytest.raises(ArmsWouldMix, match="1 annotation has begun"):
        change(project, **LOT | given)
    assert post(client, "mia", **given).status_code == 422
    assert rule_of(project) == ("randomised", "assignment", 30)
    told = page(client)
    assert "1 annotation has begun under the lot, so it stays" in told and ">Save<" not in told


def test_where_somebody_has_begun_without_a_lot_none_is_drawn(client, project):
    hold(only_item(project), make_user("ann"))
    answer = post(client, "mia")
    assert (answer.status_code, "Not changed: 1 annotation has begun" in answer.content.decode()) == (422, True)
    assert rule_of(project)[0] == "never"
    assert "none can be drawn here any more" in page(client)


def test_imported_labels_are_no_work_that_a_lot_would_mix(project):
    only_item(project).annotations.create(user=imported_user("whowhen"))
    assert change(project, **LOT).reveal == "randomised"


def test_another_rule_holds_at_once_and_what_was_handed_in_stays_as_it_was():
    project = make_project(runs=2)
    first, second = project.items.order_by("pk")
    ann = make_user("ann")
    for item in (first, second):
        Judgement.objects.create(
            trajectory=item.trajectory, source="made", model="m", protocol="all_at_once", critical_step=1
        )
    annotate_and_submit(first, ann)
    hold(second, ann)
    assert show_suggestions(item=second, user=ann) == []

    change(project, reveal="always")
    first, second = project.items.select_related("project__taxonomy_version", "trajectory").order_by("pk").all()
    assert show_suggestions(item=first, user=ann) == []
    assert len(show_suggestions(item=second, user=ann)) == 1
    annotate_and_submit(second, ann)
    assert list(Submission.objects.order_by("pk").values_list("assisted", flat=True)) == [False, True]
