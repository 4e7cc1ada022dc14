import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from adjudication.actions import claim_case, rule
from adjudication.models import Case, Ruling
from annotate.models import Annotation, Exposure
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, join, make_project, make_step, make_trajectory, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(project):
    return disagree(project, category="system_failure")


def logged_in(client, name):
    client.force_login(make_user(name))
    return client


def url(name, case):
    return reverse(name, args=[case.pk])


def form_of(page) -> dict[str, list[str]]:
    """The ruling's form as a browser would send it untouched."""
    text = page.content.decode()
    boxes = re.findall(r'<input type="(?:checkbox|radio)"[^>]*>', text)
    sent: dict[str, list[str]] = {}
    for box in boxes:
        if " checked" in box:
            name, value = re.search(r'name="([^"]*)"', box)[1], re.search(r'value="([^"]*)"', box)[1]
            sent.setdefault(name, []).append(value)
    return sent


def choice(page, title: str) -> str:
    """The value of the answer that is called so."""
    text = page.content.decode()
    return re.search(r'name="choice" value="([^"]*)"[^>]*>(?:<kbd[^>]*>\d</kbd>)?<span><bdi>' + re.escape(title), text)[
        1
    ]


def letter_of(page, step: int) -> str:
    return re.search(rf"Step {step}, as ([AB])", page.content.decode())[1]


def answer(page, step: int = 2, **more):
    chosen = choice(page, f"Step {step}, as {letter_of(page, step)}")
    return {**form_of(page), "choice": chosen, "rationale": "The call names no lamp.", "cause": "slip", **more}


@pytest.mark.parametrize(
    ("name", "status"), [("ada", 200), ("mia", 200), ("ann", 404), ("vic", 404), ("eve", 404), ("root", 404)]
)
def test_who_sees_a_case(client, case, name, status):
    make_user("root", is_superuser=True, is_staff=True)
    logged_in(client, name)
    assert client.get(url("case", case)).status_code == status
    assert client.get(url("case_steps", case) + "?from=0&to=2").status_code == status
    if name != "mia":
        assert client.post(url("case_draft", case), "{}", content_type="application/json").status_code == status


@pytest.mark.parametrize(
    ("name", "status"), [("ada", 200), ("mia", 200), ("ann", 403), ("vic", 403), ("eve", 404), ("root", 404)]
)
def test_who_sees_the_queue(client, case, name, status):
    make_user("root", is_superuser=True, is_staff=True)
    assert logged_in(client, name).get("/projects/shop/cases/").status_code == status
    posted = client.post("/projects/shop/cases/next").status_code
    assert posted == (302 if name == "ada" else 403 if status != 404 else 404)


def test_an_adjudicator_who_annotated_the_run_finds_neither_queue_entry_nor_page(client, project, case):
    join(project, make_user("ann"), "adjudicator")
    logged_in(client, "ann")
    assert client.get(url("case", case)).status_code == 404
    queue = client.get("/projects/shop/cases/").content.decode()
    assert "No case waits" in queue
    assert "shop-0" not in queue
    assert client.post(url("rule", case), {"rationale": "x"}).status_code == 404


def test_logged_out_goes_to_the_log_in_page(client, case):
    assert client.get(url("case", case)).status_code == 302
    answer = client.post(url("case_draft", case), "{}", content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (401, "log_in")


def test_the_page_shows_the_annotations_under_letters_and_names_nobody(client, case):
    page = logged_in(client, "ada").get(url("case", case)).content.decode()
    for name in ("ann", "ben"):
        assert not re.search(rf"\b{name}\b", page)
    assert "Where did the run become unrecoverable?" in page
    for difference in ("≠ step", "≠ category", "= outcome", "= agent"):
        assert difference in page
    assert "steps 1" not in page
    assert "step 1 · no marks" in page


def test_seeing_a_case_is_noted_and_ends_the_chance_to_annotate_the_run(client, case, item):
    logged_in(client, "ada").get(url("case", case))
    assert Exposure.objects.filter(item=item, user__username="ada", to="case").count() == 1


def test_next_case_claims_it(client, case):
    logged_in(client, "ada")
    assert client.post("/projects/shop/cases/next").headers["Location"] == url("case", case)
    assert Case.objects.get().held_by.username == "ada"
    assert "held for you until" in client.get(url("case", case)).content.decode()


def test_ruling_as_one_of_them_makes_gold_that_names_its_mark_and_leads_on(client, case, item):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    sent = client.post(url("rule", case), answer(page, step=3))
    assert (sent.status_code, sent.headers["Location"]) == (302, "/projects/shop/cases/")
    (failure,) = Ruling.objects.get().failures
    ben = Annotation.objects.get(item=item, user__username="ben")
    assert (failure["first_step"], failure["category"], failure["is_critical"]) == (2, "system_failure", True)
    assert failure["from"] == [{"annotation": ben.pk, "key": "m1"}]
    assert Ruling.objects.get().reason_for_root_cause == "never undone"


def test_a_refused_ruling_comes_back_with_its_text(client, case):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    back = client.post(url("rule", case), answer(page, cause="", rationale="My <b>long</b> thoughts"))
    assert back.status_code == 422
    text = back.content.decode()
    assert "choose why they differed" in text
    assert "My &lt;b&gt;long&lt;/b&gt; thoughts</textarea>" in text
    assert form_of(back)["choice"] == form_of_choice(page)
    assert not Ruling.objects.exists()


def form_of_choice(page):
    return [answer(page)["choice"]]


def test_a_case_that_another_took_comes_back_with_the_text(client, project, case):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    claim_case(case=case, by=bea)
    back = client.post(url("rule", case), answer(page, rationale="Mine"))
    assert back.status_code == 409
    assert "Not ruled" in back.content.decode()
    assert not re.search(r"\bbea\b", back.content.decode())


def test_another_step_takes_the_mark_that_is_there_or_asks_to_write_one(client, case):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    other = answer(page, choice="other", other_step="4")
    asked = client.post(url("rule", case), other)
    assert asked.status_code == 422
    assert "nobody marked this step" in asked.content.decode()
    written = {
        "w0-step": "4",
        "w0-code": "stops too early",
        "w0-category": "system_failure",
        "w0-step_reason": "No answer.",
    }
    assert client.post(url("rule", case), {**other, **written}).status_code == 302
    (failure,) = Ruling.objects.get().failures
    assert (failure["first_step"], failure["participant"], failure["codes"], failure["from"]) == (
        3,
        "Assistant",
        ["stops too early"],
        [],
    )


def test_rejecting_all_rules_that_there_is_no_failure(client, case):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    client.post(url("rule", case), {**answer(page), "choice": "no_failure", "keep": []})
    assert (Ruling.objects.get().outcome, Ruling.objects.get().failures) == ("no_failure", [])


def test_the_buttons_of_the_form_work_without_javascript_and_keep_the_text(client, case, ada):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    take = re.search(r'value="(all:[0-9a-f]+)"', page.content.decode())[1]
    client.post(url("rule", case), {**form_of(page), "rationale": "So far", "take": take})
    kept = client.get(url("case", case))
    assert "So far</textarea>" in kept.content.decode()
    assert form_of(kept)["choice"] == [f"mark:{form_of(kept)['keep'][0]}"]
    client.post(url("rule", case), {**form_of(kept), "rationale": "So far", "take": "write"})
    assert 'name="w0-step"' in client.get(url("case", case)).content.decode()
    assert Case.objects.get().held_by == ada
    assert not Ruling.objects.exists()


def test_a_mark_can_be_rewritten_and_keeps_where_it_came_from(client, case):
    logged_in(client, "ada")
    page = client.get(url("case", case))
    value = answer(page, step=2)["choice"].removeprefix("mark:")
    client.post(url("rule", case), {**answer(page, step=2), "take": f"rewrite:{value}"})
    text = client.get(url("case", case)).content.decode()
    assert 'name="w0-step"' in text
    sent = {
        **answer(page, step=2),
        "w0-step": "2",
        "w0-category": "system_failure",
        "w0-code": "no lamp named",
        "w0-from": value,
    }
    assert client.post(url("rule", case), sent).status_code == 302
    (failure,) = Ruling.objects.get().failures
    assert (failure["category"], failure["codes"], failure["is_critical"]) == (
        "system_failure",
        ["no lamp named"],
        True,
    )
    assert len(failure["from"]) == 1


def test_a_draft_is_kept_on_the_server_and_only_fields_of_the_form(client, case):
    logged_in(client, "ada")
    body = json.dumps({"rationale": ["Because\u0000"], "evil": ["x"], "w0-step": ["4"], "w99-step": ["1"]})
    kept = client.post(url("case_draft", case), body, content_type="application/json")
    assert (kept.status_code, list(kept.json())) == (200, ["held_until"])
    assert list(Case.objects.get().draft.values()) == [{"rationale": ["Because\ufffd"], "w0-step": ["4"]}]
    assert "Because" in client.get(url("case", case)).content.decode()


def test_a_draft_keeps_no_half_of_a_sign_and_no_field_without_a_place(client, case):
    logged_in(client, "ada")
    body = json.dumps({"rationale": ["Because\ud800"], f"w{'9' * 5000}-step": ["4"]})
    assert client.post(url("case_draft", case), body, content_type="application/json").status_code == 200
    assert list(Case.objects.get().draft.values()) == [{"rationale": ["Because\ufffd"]}]


@pytest.mark.parametrize("body", ["", "[]", '{"rationale": "x"}', "{"])
def test_a_draft_that_is_no_form_is_refused(client, case, body):
    logged_in(client, "ada")
    assert client.post(url("case_draft", case), body, content_type="application/json").status_code == 422


def test_a_draft_never_takes_a_case_from_another(client, project, case):
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    claim_case(case=case, by=bea)
    logged_in(client, "ada")
    answer = client.post(url("case_draft", case), '{"rationale": ["x"]}', content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (409, "not_held")


def test_a_stretch_opens_in_place_as_text(client, db):
    project = make_project(runs=0)
    hostile = '<script>alert(1)</script><b hx-get="/">bold</b>'
    make_trajectory(project, "hostile", steps=[make_step(n, text=hostile) for n in range(6)])
    case = disagree(project)
    logged_in(client, "ada")
    fragment = client.get(url("case_steps", case) + "?from=3&to=6", headers={"HX-Request": "true"}).content.decode()
    assert fragment.count("<article") == 3
    assert "<script>" not in fragment
    assert "<b hx" not in fragment
    page = client.get(url("case", case) + "?open=3:6").content.decode()
    assert page.count("&lt;script&gt;alert(1)") >= 3


@pytest.mark.parametrize("query", ["", "?from=x&to=1", "?from=-1&to=2", f"?from={'9' * 30}&to=1"])
def test_a_stretch_that_is_none_is_not_found(client, case, query):
    assert logged_in(client, "ada").get(url("case_steps", case) + query).status_code == 404


def test_a_long_stretch_comes_in_parts(client, db):
    project = make_project(runs=0)
    make_trajectory(project, "long", steps=100)
    case = disagree(project)
    fragment = logged_in(client, "ada").get(url("case_steps", case) + "?from=3&to=100").content.decode()
    assert fragment.count("<article") == 40
    assert "from=43&amp;to=100" in fragment


def test_a_ruled_case_shows_its_ruling_and_no_form(client, case, ada):
    rule(case=case, by=ada, **RULED)
    page = logged_in(client, "ada").get(url("case", case)).content.decode()
    assert "The call names no lamp." in page
    assert "by you" in page
    assert 'id="ruling"' not in page
    assert client.post(url("rule", case), {"rationale": "x"}).status_code in (409, 422)
    assert "Step 2</p>" in page, "a mark without a code is called by its step alone"


def test_the_queue_filters_by_kind_and_shows_what_is_ruled(client, case, ada):
    logged_in(client, "ada")
    assert "shop-0" in client.get("/projects/shop/cases/?kind=critical_step").content.decode()
    assert "shop-0" not in client.get("/projects/shop/cases/?kind=outcome").content.decode()
    assert "shop-0" in client.get("/projects/shop/cases/?kind=%00").content.decode()
    rule(case=case, by=ada, **RULED)
    assert "shop-0" not in client.get("/projects/shop/cases/").content.decode()
    assert "shop-0" in client.get("/projects/shop/cases/?state=ruled").content.decode()


def test_skip_gives_the_case_back_and_leads_to_the_next(client, db):
    project = make_project(runs=2)
    first, second = (disagree(project, item) for item in project.items.order_by("pk"))
    logged_in(client, "ada")
    client.post("/projects/shop/cases/next")
    assert client.post(url("skip_case", first)).headers["Location"] == url("case", second)
    assert Case.objects.get(pk=first.pk).held_by is None


@pytest.mark.parametrize("path", ["rule", "skip_case", "claim_case", "case_draft"])
def test_what_changes_something_is_only_posted(client, case, path):
    assert logged_in(client, "ada").get(url(path, case)).status_code == 405


def queries(client, path) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_queue_and_page_take_as_many_queries_for_more_rows(client, db):
    taken = []
    for slug, runs, people in (("one", 1, 2), ("three", 3, 3)):
        project = make_project(slug, runs=runs, overlap=people)
        for item in project.items.order_by("pk"):
            if people == 3:
                cy = make_user("cy")
                join(project, cy)
                annotate_and_submit(item, cy, step=3)
            case = disagree(project, item)
        logged_in(client, "ada")
        client.get(url("case", case))
        taken.append((queries(client, f"/projects/{slug}/cases/"), queries(client, url("case", case))))
    assert taken[0] == taken[1]
