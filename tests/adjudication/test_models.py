import pytest
from django.utils import timezone

from adjudication.models import AgreementFigures, Case, FirstLook, GoldLabel, Routing, Ruling
from adjudication.states import CASE
from tests.breaking import never_changes, turned_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(item):
    return Case.objects.create(item=item)


def ruling(case, by, **fields):
    fields = {"outcome": "no_failure", "rationale": "both overlooked it", "cause": "slip", **fields}
    return Ruling.objects.create(case=case, by=by, **fields)


def test_one_case_of_an_item_is_open(item, case):
    with turned_down("one_open_case_per_item"):
        Case.objects.create(item=item)
    Case.objects.create(item=item, state="withdrawn")


def test_a_held_case_has_an_end(case, ada):
    for change in ({"held_by": ada}, {"held_until": timezone.now()}):
        with turned_down("a_held_case_has_an_end"):
            Case.objects.update(**change)


@pytest.mark.parametrize("state", Case.State.values)
@pytest.mark.parametrize("after", Case.State.values)
def test_a_case_moves_by_its_table(item, state, after):
    Case.objects.create(item=item, state=state)

    if state == after or (state, after) in CASE.pairs:
        Case.objects.update(state=after)
    else:
        with turned_down("Invalid transition"):
            Case.objects.update(state=after)


def test_a_ruling_says_why_and_stands_alone_and_never_changes(case, ada):
    with turned_down("a_ruling_has_a_rationale"):
        ruling(case, ada, rationale="")
    given = ruling(case, ada)
    with turned_down("adjudication_ruling_case_id"):
        ruling(case, ada)
    never_changes(given, rationale="changed my mind")


def test_a_first_look_is_given_once_has_a_step_where_it_is_critical_and_never_changes(case, ada):
    for wrong in ({"outcome": "critical"}, {"outcome": "no_failure", "critical_step": 2}):
        with turned_down("a_first_look_has_a_step_where_it_is_critical"):
            FirstLook.objects.create(case=case, by=ada, **wrong)
    given = FirstLook.objects.create(case=case, by=ada, outcome="critical", critical_step=2)
    with turned_down("one_first_look_per_adjudicator"):
        FirstLook.objects.create(case=case, by=ada, outcome="no_failure")
    never_changes(given, critical_step=3)


def test_gold_routing_and_figures_stand_once(item):
    GoldLabel.objects.create(item=item, field="outcome", basis="single")
    with turned_down("one_gold_value_per_field"):
        GoldLabel.objects.create(item=item, field="outcome", basis="consensus")
    Routing.objects.create(item=item, decision="waiting")
    with turned_down("adjudication_routing_item_id"):
        Routing.objects.create(item=item, decision="accept")
    AgreementFigures.objects.create(project=item.project)
    with turned_down("adjudication_agreementfigures_project_id"):
        AgreementFigures.objects.create(project=item.project)
