"""A case to be judged first is closed to who judges it on every page, not on its own alone."""

import pytest
from django.test import Client
from django.urls import reverse

from adjudication.actions import look_first, route
from adjudication.models import Case
from annotate.actions import write_memo
from exports.rows import Row
from exports.selection import select
from tests.factories import annotate_and_submit, join, make_project, make_user

pytestmark = pytest.mark.django_db
CANARY = "canary-words"


@pytest.fixture
def shop(db):
    """Ann and Ben differ on one run; what Ben says of it is a canary. Ada adjudicates; Lea leads and adjudicates."""
    project = make_project()
    project.routing = {"judge_first_share": 1.0}
    project.save()
    for role in ("lead", "adjudicator"):
        join(project, make_user("lea"), role)
    item = project.items.get()
    annotate_and_submit(item, make_user("ann"), step=1)
    annotate_and_submit(item, make_user("ben"), step=2, step_reason=CANARY, codes=["canary code"])
    write_memo(item=item, by=make_user("ben"), key="m", kind="comment", text=f"{CANARY} too")
    route(project)
    return project


def page(name, url, *args, query="") -> str:
    client = Client()
    client.force_login(make_user(name))
    return client.get(reverse(url, args=args) + query, follow=True).content.decode()


def pages(name, project) -> dict[str, str]:
    category = "invalid_invocation"
    runs = "?measure=critical_step"
    return {
        "agreement": page(name, "agreement_items", project.slug, query=runs),
        "card": page(name, "codebook_card", project.slug, category),
        "board": page(name, "codebook", project.slug),
        "memos": page(name, "memos", project.slug),
    }


@pytest.mark.parametrize(
    ("name", "told"),
    [("ada", {"card", "board"}), ("lea", {"agreement", "card", "board", "memos"})],
)
def test_no_page_tells_what_was_marked_before_the_adjudicator_has_judged(shop, name, told):
    signs = {"agreement": "step 3", "card": CANARY, "board": "canary code", "memos": CANARY}
    case = Case.objects.get()
    assert [where for where, text in pages(name, shop).items() if signs[where] in text] == []
    look_first(case=case, by=make_user(name), outcome="no_failure")
    assert {where for where, text in pages(name, shop).items() if signs[where] in text} == told


@pytest.mark.parametrize("name", ["lea"])
def test_filtered_figures_are_closed_to_her_as_well(shop, name):
    assert "Filters are closed for you for now" in page(name, "agreement", shop.slug, query="?domain=shop")
    assert "Filters are closed" not in page("mia", "agreement", shop.slug, query="?domain=shop")
    assert "closed for you for now" in page(name, "people", shop.slug)


def test_no_file_tells_it_either(shop):
    def labels(name):
        chosen = select(shop, format="jsonl", labels="annotator:ben", user=make_user(name))
        return [row.item for row in chosen.stream if isinstance(row, Row)]

    assert (labels("lea"), len(labels("mia"))) == ([], 1)
    look_first(case=Case.objects.get(), by=make_user("lea"), outcome="no_failure")
    assert len(labels("lea")) == 1


def test_what_waits_tells_no_reasons_of_it(shop):
    assert "≠ step" in page("mia", "project", shop.slug).replace("\xa0", " ")
    told = page("lea", "project", shop.slug).replace("\xa0", " ")
    assert "1 case waits" in told and "“≠ step”" not in told
