import pytest

from adjudication.actions import HeldByAnother, NotOpen, RulingRefused, claim_case, route, rule
from adjudication.models import Case, GoldLabel, Ruling
from annotate.models import Annotation, Exposure, Item
from annotate.policy import Forbidden
from jobs.models import Job
from people.models import AuditEvent
from tests.adjudication.worlds import RULED, disagree, mark
from tests.factories import join, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(project):
    return disagree(project)


def gold(item):
    return dict(GoldLabel.objects.filter(item=item).values_list("field", "value"))


def test_rule_closes_the_case_and_records_who(case, ada):
    ruling = rule(case=case, by=ada, **RULED)
    case.refresh_from_db()
    assert (case.state, case.held_by, ruling.by, ruling.cause) == ("ruled", None, ada, "slip")
    assert [basis["annotation"] for basis in ruling.basis] == list(
        Annotation.objects.order_by("pk").values_list("pk", flat=True)
    )
    assert AuditEvent.objects.filter(verb="case ruled", by=ada).count() == 1
    assert Job.objects.filter(kind="item_changed", state="queued").count() == 1


def test_a_ruling_settles_every_field_as_gold(case, item, ada):
    ruling = rule(case=case, by=ada, failure_summary="Calls without a lamp.", **RULED)
    (failure,) = ruling.failures
    assert gold(item) == {
        "outcome": "critical",
        "critical_step": 1,
        "participant": "Assistant",
        "category": "invalid_invocation",
        "failures": [failure],
        "reason_for_root_cause": "",
        "failure_summary": "Calls without a lamp.",
    }
    assert set(GoldLabel.objects.values_list("basis", flat=True)) == {"adjudicated"}
    assert {str(each) for each in GoldLabel.objects.values_list("rests_on", flat=True)} == {
        str([{"ruling": ruling.pk}])
    }
    assert (failure["key"], failure["is_critical"], failure["effect"], failure["from"]) == ("f1", True, "persists", [])


def test_rejecting_all_is_gold_and_not_the_same_as_undecided(case, item, ada):
    assert gold(item) == {}
    rule(case=case, by=ada, outcome="no_failure", rationale="Both marks are right steps.", cause="slip")
    assert gold(item)["outcome"] == "no_failure"
    assert gold(item)["failures"] == []
    assert gold(item)["critical_step"] is None


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"rationale": "  "}, "rationale"),
        ({"cause": "boredom"}, "cause"),
        ({"outcome": ""}, "outcome"),
        ({"outcome": "cannot_tell"}, "outcome"),
        ({"outcome": "no_failure", "failures": [mark()]}, "outcome"),
        ({"outcome": "all_recovered_or_harmless", "failures": []}, "outcome"),
        ({"outcome": "all_recovered_or_harmless", "failures": [mark(effect="persists")]}, "outcome"),
        ({"failures": [mark()]}, "outcome"),
        ({"failures": [mark(is_critical=True), mark(2, is_critical=True)]}, "outcome"),
        ({"failures": [mark(4, is_critical=True)]}, "failures"),
        ({"failures": [mark(is_critical=True, category="bad_luck")]}, "failures"),
        ({"failures": [mark(is_critical=True, participant="")]}, "failures"),
        ({"failures": [mark(is_critical=True, colour="red")]}, "failures"),
    ],
)
def test_a_ruling_that_does_not_hold_together_is_refused_and_changes_nothing(case, ada, changed, field):
    with pytest.raises(RulingRefused) as refused:
        rule(case=case, by=ada, **{**RULED, **changed})
    assert list(refused.value.errors) == [field]
    assert (Case.objects.get().state, Ruling.objects.count(), GoldLabel.objects.count()) == ("open", 0, 0)


def test_a_mark_about_the_task_can_be_critical_and_has_no_step(case, item, ada):
    about = mark(None, anchor="task", is_critical=True)
    rule(case=case, by=ada, **{**RULED, "failures": [about, mark(2)]})
    assert gold(item)["critical_step"] is None
    assert [failure["first_step"] for failure in gold(item)["failures"]] == [None, 2]


def test_nobody_rules_what_they_annotated(project, case):
    ann = make_user("ann")
    join(project, ann, "adjudicator")
    with pytest.raises(Case.DoesNotExist):
        rule(case=case, by=ann, **RULED)


@pytest.mark.parametrize("role", ["annotator", "viewer"])
def test_other_roles_do_not_reach_a_case(project, case, role):
    user = make_user("zoe")
    join(project, user, role)
    with pytest.raises(Case.DoesNotExist):
        rule(case=case, by=user, **RULED)


def test_a_lead_sees_a_case_and_does_not_rule_it(case, mia):
    with pytest.raises(Forbidden):
        rule(case=case, by=mia, **RULED)


def test_a_superuser_and_a_stranger_do_not_reach_a_case(case, eve):
    root = make_user("root", is_superuser=True, is_staff=True)
    for user in (eve, root):
        with pytest.raises(Case.DoesNotExist):
            rule(case=case, by=user, **RULED)


def test_who_could_see_a_case_is_not_handed_its_item_when_it_opens_again(project, ada):
    join(project, ada, "annotator")
    disagree(project)
    assert Case.objects.visible_to(ada).count() == 1  # settled: nobody gets it any more
    project.routing = {"max_people": 3}
    project.save()
    route(project)
    assert not Item.objects.may_get(ada).exists()


def test_a_case_is_ruled_once(case, ada):
    rule(case=case, by=ada, **RULED)
    with pytest.raises(NotOpen):
        rule(case=case, by=ada, **RULED)
    assert Ruling.objects.count() == 1


def test_a_case_that_another_holds_is_not_ruled(project, case, ada):
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    claim_case(case=case, by=bea)
    with pytest.raises(HeldByAnother) as held:
        rule(case=case, by=ada, **RULED)
    assert "bea" not in str(held.value)


def test_marks_carry_where_they_came_from(case, ada):
    annotation = Annotation.objects.first()
    taken = mark(is_critical=True, **{"from": [{"annotation": annotation.pk, "key": "m1"}]})
    ruling = rule(case=case, by=ada, **{**RULED, "failures": [taken]})
    assert ruling.failures[0]["from"] == [{"annotation": annotation.pk, "key": "m1"}]
    assert not Exposure.objects.exists()  # noted by the page, where the annotations are shown


def test_a_ruling_cites_steps_by_the_numbers_people_see(case, ada):
    ruling = rule(case=case, by=ada, **{**RULED, "rationale": "#3 repeats what #1 said; see #1."})
    assert ruling.cited_steps == [0, 2]


def test_a_step_the_run_does_not_have_is_not_cited(case, ada):
    with pytest.raises(RulingRefused, match="no step 9"):
        rule(case=case, by=ada, **{**RULED, "rationale": "As #9 shows."})


def test_a_ruling_may_note_what_the_guideline_lacks_and_propose_a_definition(case, ada):
    proposal = {"category": "invalid_invocation", "definition": "A call that its tool cannot take."}
    ruling = rule(case=case, by=ada, guideline_note=" Say what a call is. ", proposal=proposal, **RULED)
    assert ruling.guideline_note == "Say what a call is."
    made = ruling.proposal
    assert (made.op, made.state, made.by, made.reason) == ("describe", "open", ada, RULED["rationale"])
    assert made.payload == {
        "node": "invalid_invocation",
        "fields": {"definition": "A call that its tool cannot take."},
    }


def test_a_proposal_for_nothing_is_refused_and_nothing_is_ruled(case, ada):
    with pytest.raises(RulingRefused, match="proposal cannot be made"):
        rule(case=case, by=ada, proposal={"category": "no_such", "definition": "x"}, **RULED)
    assert not Ruling.objects.exists()
    assert rule(case=case, by=ada, proposal={"category": "no_such", "definition": " "}, **RULED).proposal is None
