import pytest
from django.urls import reverse

from adjudication.actions import NotOpen, RulingRefused, claim_case, look_first, route, rule
from adjudication.consensus_error import consensus_error
from adjudication.models import Case, FirstLook, Ruling
from annotate.models import Exposure
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, join, make_user

pytestmark = pytest.mark.django_db
TOLD = ("wrong call", "critical step differs", "as A", "≠ step")


@pytest.fixture
def case(project):
    project.routing = {"judge_first_share": 1.0}
    project.save()
    return disagree(project)


def page(client, name, case):
    client.force_login(make_user(name))
    return client.get(reverse("case", args=[case.pk])).content.decode()


def look(client, case, **given):
    client.force_login(make_user("ada"))
    return client.post(reverse("first_look", args=[case.pk]), given)


def test_nothing_of_the_annotations_is_shown_before_the_adjudicator_has_judged(client, case):
    assert case.judge_first
    for text in (page(client, "ada", case), client.get("/projects/shop/cases/").content.decode()):
        assert [words for words in TOLD if words in text] == []
    assert "≠ step" in page(client, "mia", case)  # a lead rules nothing


def test_the_first_answer_is_kept_and_opens_the_annotations(client, case):
    sent = look(client, case, outcome="critical", step="2", participant="Assistant", category="system_failure")
    assert (sent.status_code, sent.headers["Location"]) == (302, reverse("case", args=[case.pk]))
    given = FirstLook.objects.get()
    assert (given.critical_step, given.participant, given.category) == (1, "Assistant", "system_failure")
    shown = page(client, "ada", case)
    assert "You judged first: step 2" in shown
    assert "wrong call" in shown
    assert shown.count(" checked>") == 1  # the mark at step 2
    look(client, case, outcome="no_failure")
    assert FirstLook.objects.get().outcome == "critical"


def test_an_answer_at_a_step_nobody_marked_becomes_a_mark_to_be_written(client, case):
    look(client, case, outcome="critical", step="4", category="system_failure")
    shown = page(client, "ada", case)
    assert 'name="w0-step" inputmode="numeric" autocomplete="off" value="4"' in shown
    assert 'name="other_step" inputmode="numeric" autocomplete="off" value="4"' in shown


@pytest.mark.parametrize(
    "given",
    [{}, {"outcome": "critical"}, {"outcome": "critical", "step": "9"}, {"outcome": "no_failure", "category": "x"}],
)
def test_an_answer_that_is_none_comes_back_with_its_reason(client, case, given):
    sent = look(client, case, **given)
    assert sent.status_code == 422
    assert "Not taken yet" in sent.content.decode()
    assert "wrong call" not in sent.content.decode()
    assert not FirstLook.objects.exists()


def test_nobody_rules_before_having_judged(client, case, ada):
    with pytest.raises(RulingRefused, match="judge the run yourself"):
        rule(case=case, by=ada, **RULED)
    client.force_login(ada)
    sent = client.post(reverse("rule", args=[case.pk]), {"choice": "no_failure", "rationale": "x", "cause": "slip"})
    assert (sent.status_code, Ruling.objects.count()) == (302, 0)
    look_first(case=case, by=ada, outcome="no_failure")
    assert rule(case=case, by=ada, **RULED).outcome == "critical"
    with pytest.raises(NotOpen):
        look_first(case=case, by=ada, outcome="no_failure")


def test_each_adjudicator_judges_for_herself(client, project, case, ada):
    join(project, make_user("bea"), "adjudicator")
    look_first(case=case, by=ada, outcome="no_failure")
    Case.objects.update(held_by=None, held_until=None)
    assert "wrong call" not in page(client, "bea", case)


@pytest.mark.parametrize(("name", "status"), [("mia", 403), ("ann", 404), ("vic", 404), ("eve", 404)])
def test_only_adjudicators_judge(client, case, name, status):
    client.force_login(make_user(name))
    assert client.post(reverse("first_look", args=[case.pk]), {"outcome": "no_failure"}).status_code == status


def test_a_case_opened_for_judging_first_stays_so(project, case, ada):
    claim_case(case=case, by=ada)
    project.routing = {}
    project.save()
    route(project)
    case.refresh_from_db()
    assert (case.judge_first, case.held_by) == (True, ada)


READ = {
    "the run's page": lambda case: reverse("item", args=["shop", case.item_id]),
    "the runs behind a figure": lambda case: reverse("agreement_items", args=["shop"]) + "?measure=critical_step",
    "the runs by how far they are": lambda case: reverse("items", args=["shop"]),
    "the case as a lead": lambda case: reverse("case", args=[case.pk]),
}


@pytest.fixture
def check(project, item):
    """Ann and Ben agree, and an adjudicator checks whether they are right."""
    project.routing = {"check_share": 1.0}
    project.save()
    for name in ("ann", "ben"):
        annotate_and_submit(item, make_user(name), step=1)
    route(project)
    return Case.objects.get()


def judge_and_rule(case, by):
    look_first(case=case, by=by, outcome="no_failure")
    rule(case=case, by=by, **RULED)


@pytest.mark.parametrize("where", ["the run's page", "the runs behind a figure", "the case as a lead"])
def test_who_read_the_annotations_as_a_lead_does_not_judge_blind_as_an_adjudicator(client, project, check, where):
    mia = make_user("mia")
    client.force_login(mia)
    assert client.get(READ[where](check)).status_code == 200
    join(project, mia, "adjudicator")
    assert Exposure.objects.filter(user=mia, item=check.item).exclude(to__in=Exposure.NO_ANNOTATIONS).exists()
    judge_and_rule(check, mia)
    assert consensus_error(project).n == 0


def test_who_saw_only_that_there_is_a_case_judges_blind(client, project, check, ada):
    page(client, "ada", check)
    judge_and_rule(check, ada)
    assert consensus_error(project).n == 1


def test_the_list_of_runs_is_noted_where_it_tells_what_differs(client, project, case):
    client.force_login(make_user("mia"))
    assert "critical step differs" in client.get(READ["the runs by how far they are"](case)).content.decode()
    assert list(Exposure.objects.values_list("user__username", "item")) == [("mia", case.item_id)]


def test_nothing_is_noted_of_a_run_of_which_nothing_is_told(client, project, case):
    lea = make_user("lea")
    for role in ("lead", "adjudicator"):
        join(project, lea, role)
    client.force_login(lea)
    for url in list(READ.values())[:3]:
        client.get(url(case))
    assert not Exposure.objects.filter(user=lea).exists()
