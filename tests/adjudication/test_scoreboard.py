import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from adjudication.actions import route
from adjudication.actions.scoring import SCORED, SameSource, declare_contrast, is_scored, score_suggestions
from adjudication.models import DeclaredContrast, GoldLabel
from annotate.actions import import_labels, import_traces, show_suggestions
from annotate.models import Item, Project
from people.actions import system_user
from people.models import AuditEvent
from suggestions.models import Constraint, Judgement, Violation
from tests.factories import annotate_and_submit, hold, make_project, make_user
from tests.shared_data import shared
from tests.suggestions.test_import_catchbench import board as golden_board
from tests.suggestions.test_import_catchbench import caches

pytestmark = pytest.mark.django_db
GOOD, POOR = "made/good/all_at_once", "made/poor/all_at_once"


def judge(item, model, step, **fields) -> Judgement:
    about = {"source": "made", "model": model, "protocol": "all_at_once", "participant": "Assistant"}
    return Judgement.objects.create(trajectory=item.trajectory, critical_step=step, **about, **fields)


@pytest.fixture
def judged(db):
    """Ann and Ben agree on step 2 of six runs; one model finds it each time, another once."""
    project = make_project(runs=6, steps=9)
    for number, item in enumerate(project.items.order_by("pk")):
        for name in ("ann", "ben"):
            annotate_and_submit(item, make_user(name), step=2)
        judge(item, "good", 2, category="Invalid Invocation", ranking=[2, 3])
        judge(item, "poor", 2 if number == 0 else 7, category="System Failure")
    route(project)
    assert GoldLabel.objects.filter(field="critical_step").count() == 6
    return project


def told(project, **options):
    out = io.StringIO()
    call_command("scoreboard", project=project.slug, json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def test_every_source_is_scored_against_gold(judged):
    found = told(judged)
    assert found["gold"] == {"n": 6, "labelled": 6}
    good, poor = found["sources"]
    assert (good["model"], good["n"], good["exact"], good["within"], good["agent"]) == (
        "good", 6, 6, {"1": 6, "3": 6, "5": 6}, 6,
    )  # fmt: skip
    assert good["category"] == {"critical": 6, "any": 6, "earliest": 6, "terminal": 6}
    assert (poor["exact"], poor["top1"], poor["within"]["5"], poor["touched"]) == (1, round(1 / 6, 4), 6, 0)
    assert good["floor"]["0"] == round(1 / 9, 4)


def test_one_annotator_can_stand_in_for_gold(judged):
    assert told(judged, labels="annotator:ann")["sources"][0]["exact"] == 6
    for name in ("annotator:mia", "annotator:nobody", "ann", "silver"):
        with pytest.raises(CommandError, match="no label set"):
            told(judged, labels=name)


def test_a_model_is_not_scored_on_a_label_that_it_touched():
    project = make_project(runs=2, steps=9)
    Project.objects.update(reveal="always")
    touched, other = Item.objects.select_related("project__taxonomy_version", "trajectory").order_by("pk")
    judge(touched, "seen", 2)
    judge(other, "unseen", 2)
    hold(touched, make_user("ann"))
    assert len(show_suggestions(item=touched, user=make_user("ann"))) == 1
    judge(touched, "unseen", 2)  # came later: nobody saw it
    judge(other, "seen", 2)
    for item in (touched, other):
        for name in ("ann", "ben"):
            annotate_and_submit(item, make_user(name), step=2)
    route(project)

    found = {each["model"]: (each["n"], each["touched"]) for each in told(project)["sources"]}
    assert found == {"seen": (1, 1), "unseen": (2, 0)}


def test_contrasts_declared_before_scoring_are_the_family_and_later_ones_stand_apart(judged):
    mia = make_user("mia")
    declare_contrast(project=judged, a=POOR, b=GOOD, by=mia)
    declare_contrast(project=judged, a=GOOD, b=POOR, by=mia)  # the same
    found = score_suggestions(project=judged, by=mia)
    declare_contrast(project=judged, a=GOOD, b="made/absent/all_at_once", by=mia)

    assert [(each["measure"], each["verdict"]) for each in found["contrasts"]] == [
        ("top1", "not separated"), ("top3", "not separated"), ("mrr", "not separated"),
    ]  # fmt: skip
    assert found["contrasts"][0]["p"] == 0.0625  # five runs that only one of the two gets right
    later = score_suggestions(project=judged, by=mia)["contrasts_after_scoring"]
    assert [each["verdict"] for each in later] == ["not tested: no answers"]
    assert [each.before_scoring for each in DeclaredContrast.objects.all()] == [True, False]
    with pytest.raises(SameSource):
        declare_contrast(project=judged, a=GOOD, b=GOOD, by=mia)


def board(client, project, name, **query):
    client.force_login(make_user(name))
    return client.get(reverse("scoreboard", args=[project.slug]), query)


def score(client, project, name, **fields):
    client.force_login(make_user(name))
    return client.post(reverse("score", args=[project.slug]), fields)


def test_what_no_name_can_hold_names_no_labels_and_no_source(client, judged):
    assert board(client, judged, "mia", labels="annotator:\0").status_code == 404
    assert score(client, judged, "mia", labels="annotator:\0").status_code == 404
    client.post(reverse("declare_contrast", args=[judged.slug]), {"a": "\0" + GOOD, "b": POOR})
    assert [(each.a, each.b) for each in DeclaredContrast.objects.all()] == [tuple(sorted((GOOD, POOR)))]


def test_looking_scores_nothing_and_contrasts_can_be_declared_until_a_lead_scores(client, judged):
    for name, labels in (("vic", {}), ("mia", {}), ("mia", {"labels": "gold"}), ("mia", {"labels": "annotator:ann"})):
        page = board(client, judged, name, **labels)
        assert page.context["board"] is None
        assert "Nothing has been scored yet" in page.content.decode()
    assert "Score against" not in board(client, judged, "vic").content.decode()
    assert not is_scored(judged)

    client.force_login(make_user("mia"))
    client.post(reverse("declare_contrast", args=[judged.slug]), {"a": GOOD, "b": POOR})
    assert score(client, judged, "mia", labels="gold").url == reverse("scoreboard", args=["shop"]) + "?labels=gold"
    [event] = AuditEvent.objects.filter(verb=SCORED)
    assert (event.by, event.project, event.facts) == (make_user("mia"), "shop", {"labels": "gold"})
    assert [each.before_scoring for each in DeclaredContrast.objects.all()] == [True]


def test_what_a_lead_has_scored_every_reader_of_figures_sees(client, judged):
    score(client, judged, "mia")
    page = board(client, judged, "vic").content.decode()
    assert "6 labels with a critical step" in page and "Nothing has been scored" not in page
    assert "1.000" in page and "0.167" in page
    assert board(client, judged, "mia", labels="annotator:ann").context["board"]["labels"] == "annotator:ann"
    score(client, judged, "mia", labels="annotator:ann")
    assert AuditEvent.objects.filter(verb=SCORED).count() == 1


def test_categories_tell_over_how_many_runs_they_were_compared(client, judged):
    Judgement.objects.filter(model="poor").update(category="")
    score(client, judged, "mia")
    page = board(client, judged, "mia").content.decode()
    assert '6 / 6 / 6 / 6 <span class="muted small">of 6</span>' in page
    assert '<td class="num">–</td>' in page and "0 / 0 / 0 / 0" not in page
    assert [each["category_n"] for each in told(judged)["sources"]] == [6, 0]


def test_without_a_label_there_is_nothing_to_score_and_the_page_says_so(client, judged):
    GoldLabel.objects.all().delete()
    assert "nothing to score against" in board(client, judged, "mia").content.decode()
    answer = score(client, judged, "mia")
    assert "Nothing was scored: no run that a model judged" in client.get(answer.url).content.decode()
    assert not is_scored(judged)


def test_without_an_answer_the_page_says_where_answers_come_from(client, judged):
    Judgement.objects.all().delete()
    assert "No model has judged these runs" in board(client, judged, "mia").content.decode()


@pytest.mark.parametrize(
    ("name", "page", "labels", "acts"),
    [
        ("vic", 200, 404, 403),
        ("mia", 200, 200, 302),
        ("ada", 403, 403, 403),
        ("ann", 403, 403, 403),
        ("eve", 404, 404, 404),
    ],
)
def test_who_may_see_declare_and_score(client, judged, name, page, labels, acts):
    assert board(client, judged, name).status_code == page
    assert board(client, judged, name, labels="annotator:ann").status_code == labels
    declared = client.post(reverse("declare_contrast", args=[judged.slug]), {"a": GOOD, "b": POOR})
    assert (declared.status_code, DeclaredContrast.objects.exists()) == (acts, acts == 302)
    assert (score(client, judged, name).status_code, is_scored(judged)) == (acts, acts == 302)


def violate(item, step, source="log", targets=("Invalid Invocation",), **fields) -> Violation:
    name = f"{source}-{'-'.join(targets)}"
    facts = {"name": name, "kind": "TEMPORAL", "check_type": "log", "taxonomy_targets": list(targets)}
    rule, _ = Constraint.objects.get_or_create(digest=name, defaults=facts)
    return Violation.objects.create(trajectory=item.trajectory, constraint=rule, step=step, source=source, **fields)


def test_sources_of_violations_stand_in_a_table_of_their_own_and_need_no_scoring(client, judged):
    Judgement.objects.all().delete()
    first, second, third = judged.items.order_by("pk")[:3]
    violate(first, 2)
    violate(first, 3)
    violate(second, 2, targets=("SystemFailure",))
    violate(second, 2, source="llm", run="tiny", targets=("not of the taxonomy",))
    violate(third, 2, withdrawn_at=timezone.now())

    llm, log = told(judged)["violations"]
    assert log == {
        "name": "log", "source": "log", "run": "", "n": 6, "runs": 2, "steps": 54, "alarms": 3, "touched": 0,
        "alarms_per_100_steps": round(300 / 54, 4), "covered": 2, "share_covered": 0.3333,
        "chance": round(3 / 54, 4), "category": {"n": 2, "named": 1},
    }  # fmt: skip
    assert (llm["name"], llm["covered"], llm["category"]) == ("llm#tiny", 1, {"n": 0, "named": 0})
    page = board(client, judged, "vic")
    assert (page.context["board"], page.context["violations"]) == (None, [llm, log])
    for words in ("Violations of constraints against gold", "0.333", "2 of 6", "5.6", "1 of 2"):
        assert words in page.content.decode()
    assert not is_scored(judged)


def test_the_command_prints_violations_for_people(judged):
    violate(judged.items.first(), 2)
    out = io.StringIO()
    call_command("scoreboard", project=judged.slug, stdout=out)
    [line] = [line.split() for line in out.getvalue().splitlines() if line.startswith("log")]
    assert line == ["log", "6", "1", "0.02", "1", "1.9", "1/1", "0"]


@pytest.mark.parametrize(("source", "run"), [("log", ""), ("llm", "tiny/2")])
def test_a_label_that_a_violation_touched_is_left_out_for_who_found_it(source, run):
    project = make_project(runs=2, steps=9)
    Project.objects.update(reveal="always")
    touched, other = Item.objects.select_related("project__taxonomy_version", "trajectory").order_by("pk")
    violate(touched, 2, source=source, run=run)
    hold(touched, make_user("ann"))
    assert len(show_suggestions(item=touched, user=make_user("ann"))) == 1
    violate(other, 2, source=source, run=run)
    violate(other, 2, source="unseen")
    for item in (touched, other):
        judge(item, "tiny", 2)
        for name in ("ann", "ben"):
            annotate_and_submit(item, make_user(name), step=2)
    route(project)

    found = told(project)
    assert {each["source"]: (each["n"], each["touched"]) for each in found["violations"]} == {
        source: (1, 1), "unseen": (2, 0),
    }  # fmt: skip
    by_tiny = source == "llm"
    assert [(each["n"], each["touched"]) for each in found["sources"]] == [(1, 1) if by_tiny else (2, 0)]


def test_unknown_labels_and_a_look_that_would_score_are_refused(client, judged):
    assert board(client, judged, "mia", labels="tin").status_code == 404
    assert score(client, judged, "mia", labels="tin").status_code == 404
    assert client.get(reverse("score", args=[judged.slug])).status_code == 405
    assert not is_scored(judged)


@pytest.mark.slow
def test_published_caches_against_imported_labels_are_the_golden_board(tmp_path):
    runs = shared("whowhen/Algorithm-Generated")
    project = make_project("ww", runs=0, members={})
    import_traces(project=project, paths=[runs], by=system_user())
    labels = import_labels(project=project, paths=[runs], annotator="whowhen", by=system_user(), format="whowhen")
    assert (labels.stored, labels.refused) == (126, [])
    call_command(
        "import_suggestions", str(caches() / "llm_judge"), project="ww", format="catchbench", stdout=io.StringIO()
    )

    found = told(project, labels="annotator:whowhen")
    figures = {
        (each["protocol"], each["model"]): tuple(each[name] for name in ("top1", "top3", "mrr"))
        for each in found["sources"]
    }
    printed = golden_board()
    assert figures.keys() == printed.keys()
    for source, expected in printed.items():
        assert figures[source] == pytest.approx(expected, abs=0.00051), source
    assert found["gold"]["n"] == 126
