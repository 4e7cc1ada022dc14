import csv
import io
from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from adjudication.actions import recompute
from adjudication.filters import Filter
from adjudication.models import FilteredFigures
from adjudication.pseudonyms import key_of
from adjudication.standing import FEW
from annotate.models import Exposure, Item, Membership, Submission
from jobs.actions import run
from jobs.models import Job
from tests.factories import annotate_and_submit, join, make_project, make_step, make_trajectory, make_user, only_item

pytestmark = pytest.mark.django_db

SAME, OTHER = "invalid_invocation", "system_failure"


@pytest.fixture
def judged(db):
    """Ann and Ben on six runs: they agree on four, differ by a step on one, and on the outcome of one."""
    project = make_project(runs=6, steps=9)
    for number, item in enumerate(project.items.order_by("pk")):
        annotate_and_submit(item, make_user("ann"), step=2)
        step = {4: 3, 5: None}.get(number, 2)
        annotate_and_submit(item, make_user("ben"), step=step, category=OTHER if number == 4 else SAME)
    Item.objects.update(settled_at=None)
    recompute(project)
    return project


def get(client, user, project, query="", name="agreement", **more):
    client.force_login(make_user(user))
    return client.get(reverse(name, args=[project.slug]) + query, **more)


def body(response) -> str:
    return response.content.decode()


def test_the_page_tells_the_figures_of_the_whole_project(client, judged):
    page = body(get(client, "mia", judged))
    assert "6 pairable runs of 6" in page
    assert "4 of 5" in page  # exact, among the runs where both name a step
    assert "Cohen&#x27;s κ" in page and "seed 1" in page and "attribution protocol" in page
    assert "version 1 (begun from agentrx)" in page and "expanded percentile intervals" in page
    assert "<svg" in page and "Who says what: critical category" in page


@pytest.mark.parametrize(("user", "status"), [("vic", 200), ("ada", 403), ("ann", 403), ("eve", 404)])
def test_only_leads_and_viewers_see_figures(client, judged, user, status):
    for name in ("agreement", "agreement_csv"):
        assert get(client, user, judged, name=name).status_code == status
    opened = get(client, user, judged, "?measure=agent", name="agreement_items")
    assert opened.status_code == {"vic": 403}.get(user, status)
    client.force_login(make_user(user))
    posted = client.post(reverse("compute_agreement", args=[judged.slug]), {"domain": "shop"})
    assert posted.status_code == {200: 302}.get(status, status)


def test_another_project_is_not_found(client, judged):
    make_project("other", members={"max": "lead"})
    assert get(client, "max", judged).status_code == 404


def test_viewers_read_pseudonyms_and_leads_names(client, judged):
    whole, part = body(get(client, "vic", judged)), body(get(client, "vic", judged, "?domain=shop"))
    for page in (whole, part, body(get(client, "vic", judged, name="agreement_csv"))):
        assert "ann " not in page.replace("annotator", "") and ">ben<" not in page
    assert f"annotator {key_of(judged, 'ann')[:4]}" in whole
    assert "<bdi>ann</bdi>" in body(get(client, "mia", judged))


def test_a_filter_narrows_every_figure(client, judged):
    make_trajectory(judged, "elsewhere", domain="airline", steps=9)
    item = judged.items.get(trajectory__external_id="elsewhere")
    annotate_and_submit(item, make_user("ann"), step=7)
    annotate_and_submit(item, make_user("ben"), step=7, category=OTHER)
    page = body(get(client, "mia", judged, "?domain=airline"))
    assert "1 pairable run of 1" in page and "Only domain airline." in page
    against = body(get(client, "mia", judged, f"?category={OTHER}"))
    assert "category System Failure against all others" in against and "another category" in against
    today = date.today().isoformat()
    assert "7 pairable runs of 7" in body(get(client, "mia", judged, f"?since={today}&until={today}"))
    assert "0 pairable runs of 7" in body(get(client, "mia", judged, "?until=2020-01-01"))
    pair = f"?a={key_of(judged, 'ann')}&b={key_of(judged, 'ben')}"
    assert "Only ann and ben." in body(get(client, "mia", judged, pair))


@pytest.mark.parametrize(
    "query",
    [
        "?domain=moon",
        "?until=x",
        "?until=9999-12-31",
        "?since=2026-02-30",
        "?version=9",
        "?arm=leg",
        "?a=x",
        "?since=2026-02-01&until=2026-01-01",
    ],
)
def test_a_filter_that_means_nothing_says_what_was_expected(client, judged, query):
    response = get(client, "mia", judged, query)
    assert response.status_code == 422 and "was expected" in body(response)
    assert get(client, "mia", judged, query, name="agreement_csv").status_code == 404


def test_days_that_were_refused_stay_in_the_form(client, judged):
    page = body(get(client, "mia", judged, "?since=2026-02-01&until=2026-01-01"))
    assert "a last day that is not before the first was expected" in page
    assert 'value="2026-02-01"' in page and 'value="2026-01-01"' in page
    assert 'type="date" value=""' in body(get(client, "mia", judged))


def test_one_of_a_pair_alone_is_no_pair(client, judged):
    ann = key_of(judged, "ann")
    for query in (f"?a={ann}", f"?a={ann}&b={ann}"):
        assert "a pair of two different annotators was expected" in body(get(client, "mia", judged, query))


def test_categories_are_called_by_their_names(client, judged):
    page = body(get(client, "mia", judged))
    assert "<bdi>Invalid Invocation</bdi>" in page and f'<option value="{SAME}">Invalid Invocation</option>' in page
    assert "κ, Cohen" in page and "κ, System Failure against the rest" in page
    table = body(get(client, "mia", judged, name="agreement_csv"))
    opened = body(get(client, "mia", judged, f"?measure=category&x={SAME}&y={OTHER}", name="agreement_items"))
    assert "answer Invalid Invocation and System Failure on the category" in opened
    for told in (table, opened):
        assert "System Failure" in told and "system failure" not in told and OTHER not in told.split("<nav")[0]


def test_arms_are_kept_apart(client, judged):
    routed = make_user("cleo")
    join(judged, routed)
    item = only_item(judged)
    Item.objects.filter(pk=item.pk).update(wanted=3)
    item.refresh_from_db()
    annotate_and_submit(item, routed, step=8)
    assert Submission.objects.get(annotation__user=routed).planned is False
    before = body(get(client, "mia", judged, "?domain=shop"))
    assert "4 of 5" in before
    arm = body(get(client, "mia", judged, "?arm=routed"))
    assert "1 pairable run" in arm and "0.3 of 1" in arm
    assert "0 pairable runs" in body(get(client, "mia", judged, "?arm=assisted"))


def test_a_figure_opens_its_runs(client, judged):
    differ = body(get(client, "mia", judged, "?measure=critical_step&is=differs", name="agreement_items"))
    assert "shop-4" in differ and "step 3" in differ and "step 4" in differ
    assert "shop-0" not in differ and "shop-5" not in differ
    cell = body(get(client, "mia", judged, f"?measure=category&x={SAME}&y={OTHER}", name="agreement_items"))
    assert "shop-4" in cell and "shop-0" not in cell
    near = body(get(client, "mia", judged, "?measure=critical_step&is=differs&k=1", name="agreement_items"))
    assert "No run is like this." in near
    assert get(client, "mia", judged, "?measure=moon", name="agreement_items").status_code == 404
    assert reverse("item", args=[judged.slug, judged.items.get(trajectory__external_id="shop-4").pk]) in differ


def test_an_undefined_figure_opens_the_runs_it_is_undefined_over(client, judged):
    pair = f"a={key_of(judged, 'ann')}&b={key_of(judged, 'ben')}"
    page = body(get(client, "mia", judged, f"?category={OTHER}&{pair}"))
    assert "only one value used: critical failure" in page
    assert '&amp;measure=outcome">Runs compared</a>' in page
    opened = body(get(client, "mia", judged, f"?category={OTHER}&{pair}&measure=outcome", name="agreement_items"))
    assert "shop-4" in opened and "shop-0" not in opened and "critical failure" in opened
    assert "Runs compared" not in body(get(client, "vic", judged, f"?category={OTHER}"))


def test_steps_behind_a_figure_carry_the_numbers_of_their_source(client, judged):
    """A run that counts from 0, as on the page of its case, and one that skips numbers."""
    numbers = {"from-0": (0, 1, 2, 3), "skips": (10, 20, 30, 40)}
    for name, indices in numbers.items():
        steps = [make_step(at, "Assistant", native_index=index) for at, index in enumerate(indices)]
        make_trajectory(judged, name, domain="numbered", steps=steps)
        item = judged.items.get(trajectory__external_id=name)
        annotate_and_submit(item, make_user("ann"), step=1)
        annotate_and_submit(item, make_user("ben"), step=2)
    query = "?domain=numbered&measure={}&is=differs"
    for measure, one in (("critical_step", "step {}"), ("failure_steps", "{}")):
        opened = body(get(client, "mia", judged, query.format(measure), name="agreement_items"))
        assert all(f"<bdi>{one.format(number)}</bdi>" in opened for number in (1, 2, 20, 30))
        assert "counted from 1" not in opened


def test_the_file_holds_every_figure_and_no_formula(client, judged):
    Submission.objects.filter(annotation__user__username="ben")
    make_trajectory(judged, "hostile", domain="=cmd()", steps=9)
    response = get(client, "mia", judged, "?domain=%3Dcmd()", name="agreement_csv")
    rows = list(csv.DictReader(io.StringIO(body(response))))
    assert response["Content-Type"].startswith("text/csv")
    assert {"critical step", "responsible agent", "critical category", "outcome", "which steps fail"} == {
        row["measure"] for row in rows
    }
    assert rows[0]["seed"] == "1" and rows[0]["protocol"] == "attribution"
    assert not any(str(cell).startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_a_fragment_is_the_figures_alone(client, judged):
    fragment = body(get(client, "mia", judged, "?domain=shop", headers={"HX-Request": "true"}))
    assert 'id="figures"' in fragment and "<html" not in fragment


# Blindness. Max leads and annotates: of the runs he may still get he must not know how colleagues judged them.


def max_leads_and_annotates(project):
    user = make_user("max")
    join(project, user, Membership.Role.ANNOTATOR)
    Exposure.objects.filter(user=user).delete()
    join(project, user, Membership.Role.LEAD)
    return user


def settle(project, *, but: int):
    """Every item is over for further annotators, but the last so many."""
    from django.utils import timezone

    for item in list(project.items.order_by("pk"))[: project.items.count() - but]:
        Item.objects.filter(pk=item.pk).update(settled_at=timezone.now())


@pytest.mark.parametrize("query", ["?domain=shop", "?since=2020-01-01", "?arm=blind&until=2100-01-01"])
def test_a_filter_never_narrows_to_a_run_that_the_reader_may_still_annotate(client, judged, query):
    make_trajectory(judged, "secret", domain="vault", steps=9)
    secret = judged.items.get(trajectory__external_id="secret")
    annotate_and_submit(secret, make_user("ann"), step=1)
    annotate_and_submit(secret, make_user("ben"), step=8, category="guardrails_triggered")
    max_leads_and_annotates(judged)
    settle(judged, but=1)
    for asked in (query, "?domain=vault"):
        page = body(get(client, "max", judged, asked))
        assert "Filters are closed for you for now" in page
        assert "guardrails" not in page and "pairable" not in page
        assert get(client, "max", judged, asked, name="agreement_csv").status_code == 404
    for measure in ("critical_step", "category", "outcome", "agent", "failure_steps"):
        opened = body(get(client, "max", judged, f"?measure={measure}", name="agreement_items"))
        assert "secret" not in opened and "step 9" not in opened
    assert not FilteredFigures.objects.exists()


def test_where_many_runs_are_left_out_the_rest_is_told_and_how_many_they_are(client, judged):
    max_leads_and_annotates(judged)
    for number in range(FEW):
        make_trajectory(judged, f"open-{number}", domain="vault", steps=9)
        item = judged.items.get(trajectory__external_id=f"open-{number}")
        annotate_and_submit(item, make_user("ann"), step=1)
        annotate_and_submit(item, make_user("ben"), step=8, category=OTHER)
    settle(judged, but=FEW)
    page = body(get(client, "max", judged, "?since=2020-01-01"))
    assert f"{FEW} runs that you may still annotate or judge first left out" in page
    assert "6 pairable runs of 6" in page and "4 of 5" in page
    assert "0 pairable runs of 0" in body(get(client, "max", judged, "?domain=vault"))
    opened = body(get(client, "max", judged, "?measure=critical_step", name="agreement_items"))
    assert "open-0" not in opened and "shop-0" in opened
    assert "open-0" in body(get(client, "mia", judged, "?measure=critical_step", name="agreement_items"))


def test_of_the_whole_project_such_a_reader_gets_figures_but_no_cells(client, judged):
    max_leads_and_annotates(judged)
    page = body(get(client, "max", judged))
    assert "6 pairable runs of 6" in page and "Who says what" not in page and "agreement/items" not in page


def test_kept_figures_are_not_shown_once_the_reader_may_annotate_more(client, judged, monkeypatch):
    monkeypatch.setattr("adjudication.views.agreement.AT_ONCE", 0)
    ask_worker(client, judged, "mia", {"domain": "shop"})
    assert "6 pairable runs of 6" in body(get(client, "mia", judged, "?domain=shop"))
    join(judged, make_user("mia"), Membership.Role.ANNOTATOR)
    Exposure.objects.all().delete()
    page = body(get(client, "mia", judged, "?domain=shop"))
    assert "6 of 6" not in page and "4 of 5" not in page


def ask_worker(client, project, user, given):
    client.force_login(make_user(user))
    assert client.post(reverse("compute_agreement", args=[project.slug]), given).status_code == 302
    return run(Job.objects.get(kind="filtered_agreement", state="queued").pk)


def test_figures_of_a_large_project_come_from_a_worker(client, judged, monkeypatch):
    monkeypatch.setattr("adjudication.views.agreement.AT_ONCE", 0)
    asked = body(get(client, "mia", judged, "?domain=shop"))
    assert "a worker computes its figures" in asked and not Job.objects.filter(kind="filtered_agreement").exists()
    client.post(reverse("compute_agreement", args=[judged.slug]), {"domain": "shop"})
    client.post(reverse("compute_agreement", args=[judged.slug]), {"domain": "shop"})
    assert Job.objects.filter(kind="filtered_agreement").count() == 1
    assert "every 2s" in body(get(client, "mia", judged, "?domain=shop"))
    job = run(Job.objects.get(kind="filtered_agreement").pk)
    assert (job.state, job.progress, job.total) == ("done", 3, 3)
    ready = body(get(client, "mia", judged, "?domain=shop"))
    assert "6 pairable runs of 6" in ready and "as of" in ready and "every 2s" not in ready


def test_what_a_worker_may_tell_is_decided_when_it_works(client, judged, monkeypatch):
    monkeypatch.setattr("adjudication.views.agreement.AT_ONCE", 0)
    client.force_login(make_user("mia"))
    client.post(reverse("compute_agreement", args=[judged.slug]), {"domain": "shop"})
    Membership.objects.filter(user__username="mia").delete()
    job = run(Job.objects.get(kind="filtered_agreement").pk)
    assert job.errors and not FilteredFigures.objects.exists()


def test_the_number_of_queries_does_not_grow_with_the_runs(client, judged):
    def queries() -> list[int]:
        found = []
        for query, name in (("", "agreement"), ("?domain=shop", "agreement"), ("?measure=agent", "agreement_items")):
            get(client, "mia", judged, query, name=name)
            with CaptureQueriesContext(connection) as seen:
                get(client, "mia", judged, query, name=name)
            found.append(len(seen))
        return found

    before = queries()
    for number in range(4):
        make_trajectory(judged, f"more-{number}", steps=9)
        item = judged.items.get(trajectory__external_id=f"more-{number}")
        annotate_and_submit(item, make_user("ann"))
        annotate_and_submit(item, make_user("ben"))
    recompute(judged)
    assert queries() == before


def test_the_web_process_computes_filtered_figures_without_heavy_packages(judged):
    import subprocess
    import sys

    code = (
        "import django, os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup();"
        "import adjudication.views.agreement, adjudication.views.people;"
        "from adjudication.agreement import agreement; from tests.adjudication.builders import two;"
        "agreement(two([(1, 2), (3, 3), (4, 9)]), published=False);"
        "print([m for m in ('pandas', 'sklearn', 'krippendorff') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_filter_as_words_and_as_a_link():
    assert Filter().is_empty and Filter().query == ""
    assert Filter(domain="a b", until=date(2026, 3, 29)).query == "domain=a+b&until=2026-03-29"


def test_nobody_fills_the_queue_with_filters(client, judged):
    client.force_login(make_user("vic"))
    for day in range(1, 12):
        client.post(reverse("compute_agreement", args=[judged.slug]), {"since": f"2026-01-{day:02}"})
    assert Job.objects.filter(kind="filtered_agreement").count() == 5
    again = client.post(reverse("compute_agreement", args=[judged.slug]), {"since": "2026-01-12"}, follow=True)
    assert "wait for a worker" in body(again)
