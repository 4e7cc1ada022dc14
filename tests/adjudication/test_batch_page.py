import re

import pytest
from django.urls import reverse

from adjudication.models import Case, Ruling
from annotate.models import Exposure
from tests.adjudication.worlds import disagree
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db
URL = "/projects/shop/cases/together?kind=category"


@pytest.fixture
def three(db):
    project = make_project(runs=3)
    for item in project.items.order_by("pk"):
        disagree(project, item, ben=1, category="system_failure")
    return project


def choice(text: str, case, title: str) -> str:
    return re.search(rf'name="choice-{case.pk}" value="([^"]*)"[^>]*><span><bdi>{title}', text)[1]


@pytest.mark.parametrize(
    ("name", "status"), [("ada", 200), ("mia", 403), ("ann", 403), ("vic", 403), ("eve", 404), ("root", 404)]
)
def test_who_rules_together(client, three, name, status):
    make_user("root", is_superuser=True, is_staff=True)
    client.force_login(make_user(name))
    assert client.get(URL).status_code == status
    assert client.post(URL).status_code == (302 if status == 200 else status)


def test_one_reason_rules_all_that_have_an_answer(client, three):
    client.force_login(make_user("ada"))
    text = client.get(URL).content.decode()
    first, second, third = Case.objects.order_by("pk")
    sent = client.post(
        URL,
        {
            "case": [first.pk, second.pk, third.pk],
            f"choice-{first.pk}": choice(text, first, "Step 2, as A"),
            f"choice-{second.pk}": "no_failure",
            f"why-{second.pk}": "Here it is no fault at all.",
            "rationale": "The tool failed.",
            "cause": "category_unclear",
        },
    )
    assert (sent.status_code, sent.headers["Location"]) == (302, URL)
    rulings = {ruling.case: ruling for ruling in Ruling.objects.all()}
    assert set(rulings) == {first, second}
    assert (rulings[first].outcome, rulings[first].rationale) == ("critical", "The tool failed.")
    assert (rulings[second].outcome, rulings[second].failures) == ("no_failure", [])
    assert rulings[second].rationale == "The tool failed.\nHere it is no fault at all."
    assert Case.objects.get(pk=third.pk).state == "open"


def test_what_is_refused_comes_back_with_its_text(client, three):
    client.force_login(make_user("ada"))
    first = Case.objects.earliest("pk")
    given = {"case": [first.pk], f"choice-{first.pk}": "no_failure", f"why-{first.pk}": "Kept text"}
    sent = client.post(URL, given)
    assert sent.status_code == 422
    assert "choose why they differed" in sent.content.decode()
    assert "Kept text" in sent.content.decode()
    assert not Ruling.objects.exists()


def test_cases_of_another_kind_held_by_others_or_to_be_judged_first_are_not_here(client, three):
    client.force_login(make_user("ada"))
    held, first, free = Case.objects.order_by("pk")
    Case.objects.filter(pk=held.pk).update(held_by=make_user("bea"), held_until="2100-01-01T00:00Z")
    Case.objects.filter(pk=first.pk).update(judge_first=True)
    text = client.get(URL).content.decode()
    shown = [reverse("case", args=[case.pk]) in text for case in (held, first, free)]
    assert shown == [False, False, True]
    assert "No free case" in client.get("/projects/shop/cases/together?kind=outcome").content.decode()
    client.post(URL, {"case": [first.pk], f"choice-{first.pk}": "no_failure", "rationale": "x", "cause": "slip"})
    assert not Ruling.objects.exists()


def test_seeing_cases_together_is_noted_like_seeing_them_alone(client, three):
    client.force_login(make_user("ada"))
    client.get(URL)
    assert Exposure.objects.filter(to="case", user__username="ada").count() == 3
