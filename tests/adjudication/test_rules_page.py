import pytest
from django.urls import reverse

from adjudication.actions import Setting, look_first, route, rule, set_rules
from adjudication.consensus_error import ConsensusError, consensus_error, wilson
from adjudication.models import Case, GoldLabel
from adjudication.rules_form import RulesForm, fields_of
from annotate.models import Item
from annotate.policy import Forbidden
from people.models import AuditEvent
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, join, make_project, make_user

pytestmark = pytest.mark.django_db


def rules(client, name, given=None, *, post=False):
    client.force_login(make_user(name))
    url = reverse("rules", args=["shop"])
    return client.post(url, given or {}) if post else client.get(url, given or {})


def filled(project, **changed):
    given = {
        name: value
        for name, value in fields_of(Setting.of(project)).items()
        if value is not None and value is not False
    }
    return given | changed


@pytest.mark.parametrize(
    ("name", "status"), [("mia", 200), ("ada", 403), ("ann", 403), ("vic", 403), ("eve", 404), ("root", 404)]
)
def test_who_sets_rules(client, project, name, status):
    make_user("root", is_superuser=True, is_staff=True)
    assert rules(client, name).status_code == status
    assert rules(client, name, filled(project), post=True).status_code == (302 if status == 200 else status)


def test_the_form_keeps_only_what_differs_from_the_usual(project):
    assert RulesForm(filled(project)).is_valid()
    form = RulesForm(filled(project, tolerance=2, kinds=["agent"], check_share=10, overlap=3, max_people=4))
    assert form.is_valid()
    assert form.setting() == Setting({"tolerance": 2, "kinds": ["agent"], "check_share": 0.1, "max_people": 4}, 3)
    usual = RulesForm(filled(project))
    usual.is_valid()
    assert usual.setting() == Setting({}, 2)


@pytest.mark.parametrize(
    ("changed", "says"), [({"tolerance": -1}, "0"), ({"overlap": 3, "max_people": 2}, "at least the 3 people")]
)
def test_rules_that_cannot_be_come_back_with_a_reason(client, project, changed, says):
    page = rules(client, "mia", filled(project, **changed), post=True)
    assert (page.status_code, says in page.content.decode()) == (422, True)
    project.refresh_from_db()
    assert (project.routing, project.overlap) == ({}, 2)


def test_a_trial_tells_what_would_move_and_changes_nothing(client, project, item):
    case = disagree(project)
    page = rules(client, "mia", filled(project, tolerance=1, **{"try": "1"}), post=True).content.decode()
    assert "What this would change: 1 run" in page
    assert "adjudicated or to adjudicate → <strong>accepted, gold</strong>" in page
    assert "shop-0" in page
    case.refresh_from_db()
    assert case.state == "open"


def test_a_trial_leaves_the_token_of_its_form_out_of_the_address(client, project):
    assert "formmethod" not in rules(client, "mia").content.decode()
    page = rules(client, "mia", filled(project, tolerance=3, **{"try": "1"}), post=True)
    project.refresh_from_db()
    assert (page.status_code, project.routing) == (200, {})


def test_a_trial_tells_which_runs_would_be_gold(client, project, item):
    annotate_and_submit(item, make_user("ann"))
    route(project)
    page = rules(client, "mia", filled(project, single_is_gold="on", **{"try": "1"}), post=True).content.decode()
    assert "What this would change: 1 run<" in page
    assert "wait for the planned overlap → <strong>wait for the planned overlap, gold</strong>" in page
    row = 'gold without an adjudicator</th><td class="num">0</td><td class="num"><strong>1</strong>'
    assert row in page and not GoldLabel.objects.exists()


def test_a_trial_tells_nothing_of_a_run_that_the_lead_may_still_annotate(client, project, item):
    join(project, make_user("mia"), "annotator")
    disagree(project)
    Item.objects.update(settled_at=None)
    for tolerance in (1, 0):  # trying on tells how far apart the annotations are
        page = rules(client, "mia", filled(project, tolerance=tolerance, **{"try": "1"}), post=True).content.decode()
        assert "What this would change: 0 runs" in page and "1 run that you may still annotate" in page
        assert "shop-0" not in page


def test_set_rules_are_audited_ask_for_more_people_and_route_by_a_job(client, project, item):
    disagree(project)
    assert rules(client, "mia", filled(project, tolerance=1, overlap=3), post=True).status_code == 302
    project.refresh_from_db()
    item.refresh_from_db()
    assert (project.routing, project.overlap, item.wanted) == ({"tolerance": 1}, 3, 3)
    event = AuditEvent.objects.get(verb="rules set")
    assert (event.facts["before"]["overlap"], event.facts["after"]["rules"]) == (2, {"tolerance": 1})
    route(project)
    assert Case.objects.get().state == "withdrawn"


def test_only_a_lead_sets_rules(project):
    with pytest.raises(Forbidden):
        set_rules(project=project, setting=Setting({"tolerance": 3}), by=make_user("ada"))


def test_the_error_of_agreement_is_estimated_from_ruled_checks(client, db):
    project = make_project(runs=2)
    project.routing = {"check_share": 1.0}
    project.save()
    for item in project.items.all():
        annotate_and_submit(item, make_user("ann"), step=1)
        annotate_and_submit(item, make_user("ben"), step=1)
    route(project)
    right, wrong = Case.objects.order_by("pk")
    ada = make_user("ada")
    for case in (right, wrong):
        look_first(case=case, by=ada, outcome="no_failure")
    rule(case=right, by=ada, **RULED)
    rule(case=wrong, by=ada, **{**RULED, "outcome": "no_failure", "failures": []})
    assert consensus_error(project) == ConsensusError(2, 1)
    assert "1 of 2" in rules(client, "mia").content.decode()


def test_the_interval_of_a_share_is_wilsons():
    assert [round(bound, 4) for bound in wilson(1, 10)] == [0.0179, 0.4042]
    assert wilson(0, 5)[0] == 0
