import pgtrigger
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from adjudication.actions import Setting, report, route, rule, set_rules
from adjudication.models import Case, GoldLabel, Routing
from annotate.actions import reopen
from annotate.models import Annotation, Exposure, Item
from people.models import AuditEvent
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, do, hold, join, make_project, make_user

pytestmark = pytest.mark.django_db


def state():
    """All that routing may write, to compare before and after."""
    return [
        list(Routing.objects.order_by("item").values()),
        list(Case.objects.order_by("pk").values()),
        list(GoldLabel.objects.order_by("pk").values()),
        list(AuditEvent.objects.order_by("pk").values_list("verb", "subject")),
    ]


def counts(project):
    found = report(route(project))
    return {name: found[name] for name in ("accept", "annotate", "waiting", "adjudicate", "ruled")}


def test_every_item_is_somewhere_and_the_numbers_sum_up(db):
    project = make_project(runs=4)
    agreed, differing, half, _ = project.items.order_by("trajectory__external_id")
    annotate_and_submit(agreed, make_user("ann"))
    annotate_and_submit(agreed, make_user("ben"))
    annotate_and_submit(half, make_user("ann"))
    disagree(project, differing)
    assert counts(project) == {"accept": 1, "annotate": 0, "waiting": 2, "adjudicate": 1, "ruled": 0}


def test_route_opens_a_case_with_its_reasons_and_closes_the_item_to_annotators(project, item):
    case = disagree(project)
    item.refresh_from_db()
    assert case.reasons == [{"kind": "critical_step", "size": 1, "text": "critical step differs by 1 step: 2 and 3"}]
    assert item.settled_at is not None
    assert AuditEvent.objects.filter(verb="case opened", subject=f"adjudication.case:{case.pk}").count() == 1


def test_routing_twice_changes_nothing(db):
    project = make_project(runs=3)
    first, second, _ = project.items.order_by("pk")
    disagree(project, first)
    disagree(project, second, ben=1)
    before = state()
    again = report(route(project))
    assert state() == before
    assert again == report(route(project))


def test_a_dry_run_tells_and_changes_nothing(project, item):
    annotate_and_submit(item, make_user("ann"), step=1)
    annotate_and_submit(item, make_user("ben"), step=2)
    before = state()
    assert report(route(project, dry_run=True))["adjudicate"] == 1
    assert state() == before


def test_agreement_becomes_consensus_gold_that_names_what_it_rests_on(project, item):
    disagree(project, ben=1)
    gold = {label.field: label for label in GoldLabel.objects.filter(item=item)}
    assert {field: gold[field].value for field in ("outcome", "critical_step", "participant", "category")} == {
        "outcome": "critical",
        "critical_step": 1,
        "participant": "Assistant",
        "category": "invalid_invocation",
    }
    annotations = Annotation.objects.filter(item=item)
    keys = [{"annotation": annotation.pk, "key": "m1"} for annotation in annotations.order_by("submitted_at")]
    (failure,) = gold["failures"].value
    assert (failure["from"], failure["is_critical"], failure["count"], failure["of"]) == (keys, True, 2, 2)
    assert [basis["sha256"] for basis in gold["critical_step"].rests_on] == [
        annotation.submissions.get().sha256 for annotation in annotations.order_by("submitted_at")
    ]
    assert {
        label.basis for field, label in gold.items() if field not in ("reason_for_root_cause", "failure_summary")
    } == {"consensus"}


def differ_in_definition(item, user):
    """The trigger freezes what was submitted; here the definition is set while it is still a draft."""
    do(
        item,
        user,
        "mark",
        {"failure": "m1", "fields": {"first_step": 1, "participant": "Assistant", "step_reason": "x"}},
    )
    do(item, user, "conclude", {"fields": {"critical": "m1", "reason_for_root_cause": "x"}})
    Annotation.objects.filter(item=item, user=user).update(critical_definition="decisive")
    do(item, user, "submit")


@pytest.mark.parametrize(("takes_as_one", "is_gold"), [(False, False), (True, True)])
def test_two_definitions_are_gold_only_where_the_project_says_so(project, item, takes_as_one, is_gold):
    project.takes_definitions_as_one = takes_as_one
    project.save()
    annotate_and_submit(item, make_user("ann"))
    differ_in_definition(item, make_user("ben"))
    assert report(route(project))["accept"] == 1
    assert GoldLabel.objects.filter(item=item).exists() is is_gold


def test_failures_that_one_of_two_people_was_asked_for_rest_on_that_one_alone(project, item):
    """Who marks the critical step only, as Who&When does, has not agreed on the other failures."""
    annotate_and_submit(item, make_user("ann"))
    hold(item, make_user("ben"))
    Annotation.objects.filter(item=item, user__username="ben").update(exhaustive=False)
    annotate_and_submit(item, make_user("ben"))
    assert report(route(project))["accept"] == 1
    basis = dict(GoldLabel.objects.values_list("field", "basis"))
    assert (basis["critical_step"], basis["failures"]) == ("consensus", "single")


@pytest.mark.parametrize("single_is_gold", [False, True])
def test_one_person_alone_is_gold_only_where_the_project_says_so(project, item, single_is_gold):
    project.single_is_gold = single_is_gold
    project.save()
    annotate_and_submit(item, make_user("ann"))
    assert report(route(project))["waiting"] == 1
    assert set(GoldLabel.objects.values_list("basis", flat=True)) == ({"single"} if single_is_gold else set())


def test_routing_asks_for_one_more_person_where_the_rules_allow_it(project, item):
    project.routing = {"max_people": 3}
    project.save()
    assert disagree(project) is None
    item.refresh_from_db()
    assert (item.wanted, item.settled_at, item.routing.decision) == (3, None, "annotate")


def test_a_case_is_withdrawn_when_its_reason_goes_away(project, item):
    case = disagree(project)
    project.routing = {"tolerance": 1}
    project.save()
    route(project)
    case.refresh_from_db()
    assert (case.state, item.routing.decision) == ("withdrawn", "accept")
    assert AuditEvent.objects.filter(verb="case withdrawn").count() == 1


def test_a_ruled_item_stays_ruled_until_an_annotation_changes(project, item, ada):
    rule(case=disagree(project), by=ada, **RULED)
    ruled = {"accept": 0, "annotate": 0, "waiting": 0, "adjudicate": 1, "ruled": 1}
    assert counts(project) == ruled
    assert counts(project) == ruled
    assert not Case.objects.open().exists()

    annotation = Annotation.objects.get(item=item, user__username="ben")
    reopen(annotation=annotation, by=make_user("mia"), reason="appeal")
    do(item, make_user("ben"), "change", {"failures": ["m1"], "fields": {"first_step": 3, "last_step": 3}})
    do(item, make_user("ben"), "submit")
    assert counts(project) == {**ruled, "ruled": 0}
    assert Case.objects.open().count() == 1
    assert GoldLabel.objects.get(item=item, field="critical_step").basis == "adjudicated"


def test_a_models_labels_never_make_a_disagreement(project, item):
    annotate_and_submit(item, make_user("ann"), step=1)
    do(item, make_user("ben"), "conclude", {"fields": {"outcome": "no_failure"}})
    with pgtrigger.ignore("annotate.Annotation:annotations_stay_their_authors"):
        Annotation.objects.filter(item=item, user__username="ben").update(process="model")
    do(item, make_user("ben"), "submit")
    assert counts(project) == {"accept": 0, "annotate": 0, "waiting": 1, "adjudicate": 0, "ruled": 0}


def test_routing_takes_as_many_queries_for_one_item_as_for_three(db):
    taken = []
    for runs in (1, 3):
        project = make_project(f"shop-{runs}", runs=runs)
        for item in project.items.all():
            disagree(project, item)
        with CaptureQueriesContext(connection) as queries:
            route(project)
        taken.append(len(queries))
    assert taken[0] == taken[1]


def test_a_first_routing_takes_as_many_statements_for_many_cases_as_for_few(db):
    def statements(slug, runs):
        project = make_project(slug, runs=runs)
        for item in project.items.all():
            annotate_and_submit(item, make_user("ann"), step=1)
            annotate_and_submit(item, make_user("ben"), step=2)
        with CaptureQueriesContext(connection) as queries:
            route(project)
        assert Case.objects.open().filter(item__project=project).count() == runs
        return len(queries)

    assert statements("few", 2) == statements("many", 5)


def agreed_twice(**routing):
    project = make_project(runs=2)
    project.routing = routing
    project.save()
    for item in project.items.all():
        annotate_and_submit(item, make_user("ann"))
        annotate_and_submit(item, make_user("ben"))
    return project


def test_of_accepted_runs_a_share_becomes_cases_to_be_judged_first_and_stays_gold(db):
    project = agreed_twice(check_share=1.0)
    assert counts(project) == {"accept": 2, "annotate": 0, "waiting": 0, "adjudicate": 0, "ruled": 0}
    cases = Case.objects.open()
    assert [(case.is_check, case.judge_first, case.reasons[0]["kind"]) for case in cases] == [(True, True, "check")] * 2
    assert GoldLabel.objects.filter(basis="consensus", field="outcome").count() == 2
    before = state()
    route(project)
    assert state() == before
    project.routing = {}
    project.save()
    route(project)
    assert not Case.objects.open().exists()


def test_other_rules_are_tried_without_changing_anything(project, item):
    disagree(project)
    before = state()
    assert report(route(project, dry_run=True, instead=Setting({"tolerance": 1})))["accept"] == 1
    assert state() == before


@pytest.mark.parametrize("role", ["lead", "adjudicator", "viewer"])
def test_who_could_see_a_settled_run_does_not_get_it_when_it_opens_again(project, item, role):
    max_ = make_user("max")
    for each in ("annotator", role):
        join(project, max_, each)
    join(project, make_user("cleo"))
    annotate_and_submit(item, make_user("ann"))
    annotate_and_submit(item, make_user("ben"))
    route(project)
    assert not Item.objects.may_get(max_).exists()
    set_rules(project=project, setting=Setting(overlap=3), by=make_user("mia"))
    project.refresh_from_db()
    assert counts(project)["waiting"] == 1
    assert not Item.objects.may_get(max_).exists()
    assert Item.objects.may_get(make_user("cleo")).exists()
    noted = Exposure.objects.exclude(to=Exposure.WITHIN_REACH)
    assert set(noted.values_list("user__username", "item")) == {("max", item.pk)}


@pytest.mark.parametrize("role", ["lead", "adjudicator", "viewer"])
def test_who_annotates_only_after_it_opened_again_does_not_get_it_either(project, item, role):
    max_ = make_user("max")
    join(project, max_, role)
    annotate_and_submit(item, make_user("ann"))
    annotate_and_submit(item, make_user("ben"))
    route(project)
    set_rules(project=project, setting=Setting(overlap=3), by=make_user("mia"))
    project.refresh_from_db()
    assert counts(project)["waiting"] == 1
    join(project, max_, "annotator")
    join(project, make_user("cleo"), "annotator")
    assert not Item.objects.may_get(max_).exists()
    assert Item.objects.may_get(make_user("cleo")).exists()
