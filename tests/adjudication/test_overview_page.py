from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.models import AgreementFigures, Case, GoldLabel, Routing
from adjudication.standing import FEW
from annotate.models import Exposure, Item
from jobs.models import Job
from tests.factories import annotate_and_submit, join, make_project, make_user

pytestmark = pytest.mark.django_db

KAPPA = {"kind": "cohen", "value": 0.373, "ci": [0.18, 0.55]}
FIGURES = {
    "trajectories": 58,
    "pairable": 44,
    "comparison": "definitions_differ",
    "bootstrap": {"b": 1000, "seed": 7, "unit": "task cluster"},
    "measures": {
        "critical_step": {
            "n": 44,
            "exact": 16,
            "percent": {"value": 0.3636, "ci": [0.23, 0.5]},
            "within": {"1": 21, "3": 25, "5": 28},
            "floor": {"0": 0.0465, "1": 0.1302, "3": 0.2701, "5": 0.3732},
            "chance_corrected": {"value": 0.3326, "ci": [0.19, 0.48]},
        },
        "agent": {"n": 44, "agree": 27, "kappa": KAPPA},
        "category": {"n": 0, "kappa": {"value": None, "undefined": "no trajectory has two categories"}},
        "failure_steps": {"n": 0, "undefined": "whowhen is not exhaustive"},
    },
}


def overview(client, user, slug="shop"):
    client.force_login(user)
    return client.get(reverse("project", args=[slug])).content.decode()


def gold(item):
    return GoldLabel.objects.create(item=item, field="outcome", value="critical", basis="consensus")


@pytest.fixture
def big(db):
    """One run with gold, one with a case, one agreed, one annotated by Ann, one not begun."""
    project = make_project("big", runs=5)
    first, second, third, fourth, _ = Item.objects.of(project).order_by("pk")
    Item.objects.filter(pk__in=[first.pk, second.pk, third.pk]).update(settled_at=timezone.now())
    gold(first)
    reasons = [{"kind": "critical_step", "size": 2, "text": "critical step differs by 2 steps: 1 and 3"}]
    Routing.objects.create(item=second, decision="adjudicate", reasons=reasons)
    Case.objects.create(item=second, reasons=reasons, opened_at=timezone.now() - timedelta(days=3))
    Routing.objects.create(item=third, decision="accept")
    annotate_and_submit(fourth, make_user("ann"))
    return project


@pytest.mark.parametrize("name", ["mia", "vic"])
def test_leads_and_viewers_see_how_far_the_runs_are(client, big, name):
    page = overview(client, make_user(name), "big")
    for words in ("1 gold", "1 case open", "1 agreed, not gold", "1 being annotated", "1 not begun"):
        assert words in page


def test_every_number_of_a_lead_opens_its_runs(client, big, mia_of_big):
    page = overview(client, mia_of_big, "big")
    for query in ("stage=gold", "stage=case", "decision=accept", "decision=adjudicate"):
        assert f"/projects/big/items/?{query}" in page


@pytest.fixture
def mia_of_big(big):
    return make_user("mia")


def max_annotates_and(role, project):
    max_ = make_user("max")
    for each in ("annotator", role):
        join(project, max_, each)
    Exposure.objects.filter(user=max_).delete()
    return max_


@pytest.mark.parametrize("role", ["lead", "viewer"])
def test_what_lists_leave_out_cannot_be_had_by_subtracting_them_from_the_counts(client, big, role):
    """Of the one run that he may still get, Max must not learn that somebody has submitted it and gold rests on it."""
    *_, open_, last = Item.objects.of(big).order_by("pk")
    Item.objects.filter(pk=last.pk).update(settled_at=timezone.now())
    gold(open_)
    page = overview(client, max_annotates_and(role, big), "big")
    for words in ("1 gold", "1 case open", "1 agreed, not gold", "1 not begun", "1 more that you may still annotate"):
        assert words in page
    assert "2 gold" not in page and "1 of 4" in page and "of 5" not in page


def test_where_a_lead_may_still_get_many_runs_the_counts_are_of_all(client, db):
    project = make_project("big", runs=FEW)
    gold(project.items.first())
    page = overview(client, max_annotates_and("lead", project), "big")
    assert f"1 of {FEW}" in page and "left out" not in page


def test_the_cases_that_wait_are_counted_without_what_he_may_still_get(client, big):
    Item.objects.of(big).update(settled_at=timezone.now())
    Item.objects.filter(cases__isnull=False).update(settled_at=None)
    page = overview(client, max_annotates_and("lead", big), "big")
    assert "≠" not in page and "case waits" not in page


@pytest.mark.parametrize("name", ["ann", "ada"])
def test_others_see_their_own_part_only(client, big, name):
    page = overview(client, make_user(name), "big")
    assert "Your part" in page
    for words in ("not begun", "Agreement", "case open", "wait"):
        assert words not in page


def test_an_annotator_sees_her_own_counts(client, big):
    assert "1 submitted by you" in overview(client, make_user("ann"), "big")
    assert "None submitted by you yet" in overview(client, make_user("ben"), "big")


def test_cases_are_what_to_do_next(client, big, mia_of_big):
    page = overview(client, mia_of_big, "big")
    assert "1 case waits, oldest 3 days · 1 “≠\xa0step”" in page
    assert reverse("cases", args=["big"]) in page


def test_agreed_runs_that_are_not_gold_lead_a_lead_to_the_rules(client, big, mia_of_big):
    words, rules = "1 run is agreed and by the project&#x27;s rules not gold.", reverse("rules", args=["big"])
    page = overview(client, mia_of_big, "big")
    assert words in page and f'<a class="button" href="{rules}">Rules</a>' in page
    assert words not in overview(client, make_user("vic"), "big")


def test_an_undefined_figure_leads_to_no_empty_list(client, project, mia):
    AgreementFigures.objects.create(project=project, figures=FIGURES, as_of=timezone.now())
    page = overview(client, mia)
    assert "?differs=agent" in page and "?differs=category" not in page


def test_agreement_shows_value_interval_floor_and_n(client, project, mia):
    AgreementFigures.objects.create(project=project, figures=FIGURES)
    page = overview(client, mia)
    assert "0.36" in page
    assert "0.23 to 0.50" in page
    assert 'aria-label="0.36, 95 % interval 0.23 to 0.50, blind guessing 0.05"' in page
    assert "16 of 44" in page
    assert "κ 0.37" in page
    assert "44 pairable runs of 58" in page


def test_agreement_says_why_a_figure_is_undefined(client, project, mia):
    AgreementFigures.objects.create(project=project, figures=FIGURES)
    page = overview(client, mia)
    assert "Undefined: no trajectory has two categories." in page
    assert "Undefined: whowhen is not exhaustive." in page
    assert "a comparison of definitions, not an inter-rater study" in page


def test_agreement_not_computed_yet_is_offered(client, item, ann, mia):
    annotate_and_submit(item, ann)
    page = overview(client, mia)
    assert "Agreement has not been computed yet." in page
    assert reverse("recompute", args=["shop"]) in page


def test_agreement_older_than_the_newest_annotation_says_so(client, project, item, ann, mia):
    AgreementFigures.objects.create(project=project, figures=FIGURES, as_of=timezone.now() - timedelta(hours=1))
    annotate_and_submit(item, ann)
    assert "Annotations have come in since agreement was computed." in overview(client, mia)


def test_a_lead_asks_for_the_computation_once(client, project, mia):
    client.force_login(mia)
    for _ in range(2):
        assert client.post(reverse("recompute", args=["shop"])).url == reverse("project_jobs", args=["shop"])
    assert Job.objects.of_project("shop").filter(kind="item_changed").count() == 1


@pytest.mark.parametrize(("name", "status"), [("ann", 403), ("vic", 403), ("eve", 404)])
def test_others_do_not_ask_for_the_computation(client, project, name, status):
    client.force_login(make_user(name))
    assert client.post(reverse("recompute", args=["shop"])).status_code == status


def test_a_project_without_annotators_asks_for_people(client):
    make_project("lonely", members={"mia": "lead"})
    page = overview(client, make_user("mia"), "lonely")
    assert "Nobody annotates here yet." in page
    assert reverse("members", args=["lonely"]) in page


def test_an_empty_project_says_how_runs_come_in(client):
    make_project("void", runs=0)
    page = overview(client, make_user("mia"), "void")
    assert "This project has no runs yet." in page
    assert "--project void" in page


def test_a_failed_job_is_told(client, project, mia):
    now = timezone.now()
    Job.objects.create(kind="item_changed", state="failed", project="shop", finished_at=now)
    assert "1 job failed since the last that worked." in overview(client, mia)
    Job.objects.create(kind="item_changed", state="done", project="shop", finished_at=now + timedelta(seconds=1))
    assert "failed since" not in overview(client, mia)


def test_all_gold_leads_to_a_release(client, item, mia):
    gold(item)
    page = overview(client, mia)
    assert "All 1 runs have gold." in page
    assert reverse("releases", args=["shop"]) in page


@pytest.mark.parametrize("name", ["eve", "root"])
def test_strangers_and_superusers_find_nothing(client, project, name):
    client.force_login(make_user(name, is_superuser=name == "root"))
    assert client.get(reverse("project", args=["shop"])).status_code == 404


@pytest.mark.parametrize("runs", [1, 3])
def test_the_number_of_queries_does_not_grow_with_runs(client, django_assert_num_queries, runs):
    project = make_project("flat", runs=runs)
    for item in project.items.all():
        annotate_and_submit(item, make_user("ann"))
        Case.objects.create(item=item)
    client.force_login(make_user("mia"))
    with django_assert_num_queries(27):
        client.get(reverse("project", args=["flat"]))


def test_a_taxonomy_without_a_preset_is_one_of_its_own(client, project):
    for preset in ("none", ""):
        project.taxonomy_version.taxonomy.preset = preset
        project.taxonomy_version.taxonomy.save()
        client.force_login(make_user("mia"))
        assert "taxonomy of its own, version 1" in client.get("/projects/shop/").content.decode()
