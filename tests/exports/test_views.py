import io
import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from exports.actions import create_release
from exports.models import Release
from people.models import User
from tests.exports.worlds import items_of, make_shop
from tests.factories import hold, join, make_project, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def shop():
    return make_shop()


def page(client, name, address="releases", *arguments, **query):
    client.force_login(User.objects.get(username=name))
    return client.get(reverse(address, args=["shop", *arguments]), query)


def test_the_page_lists_releases_and_offers_every_format(client, shop):
    create_release(project=shop, name="v1", by=make_user("mia"))

    text = page(client, "vic").content.decode()

    assert "v1" in text and "Release the gold labels" not in text
    for format in ("agentrx", "whowhen", "jsonl"):
        assert f"/projects/shop/releases/v1/download?format={format}" in text
        assert f"/projects/shop/gold/download?format={format}" in text


def test_a_lead_releases_and_lands_on_the_list(client, shop):
    client.force_login(make_user("mia"))

    response = client.post(reverse("releases", args=["shop"]), {"name": " v1 "}, follow=True)

    assert response.redirect_chain == [("/projects/shop/releases/", 302)]
    assert "holds 1 labels and never changes" in response.content.decode()
    assert Release.objects.get().by.username == "mia"


@pytest.mark.parametrize(("name", "reason"), [("a b", "cannot name a release"), ("v1", "take another name")])
def test_a_refused_name_comes_back_with_the_reason(client, shop, name, reason):
    create_release(project=shop, name="v1", by=make_user("mia"))
    client.force_login(make_user("mia"))

    response = client.post(reverse("releases", args=["shop"]), {"name": name})

    assert response.status_code == 422
    assert reason in response.content.decode() and f'value="{name}"' in response.content.decode()


def test_who_may_see_and_make_releases(client, shop):
    create_release(project=shop, name="v1", by=make_user("mia"))
    make_user("eve")
    User.objects.create_superuser("root", password="correct horse battery")
    statuses = {}
    for name in ("mia", "vic", "ann", "ada", "eve", "root"):
        seen = page(client, name).status_code
        gold = page(client, name, "download_gold", format="agentrx").status_code
        release = page(client, name, "download_release", "v1", format="agentrx").status_code
        made = client.post(reverse("releases", args=["shop"]), {"name": f"by-{name}"}).status_code
        statuses[name] = (seen, gold, release, made)

    assert statuses == {
        "mia": (200, 200, 200, 302),
        "vic": (200, 200, 200, 403),
        "ann": (403, 403, 403, 403),
        "ada": (403, 403, 403, 403),
        "eve": (404, 404, 404, 404),
        "root": (404, 404, 404, 404),
    }


def test_a_download_is_what_the_command_writes(client, shop, tmp_path):
    call_command("export", "--project=shop", "--format=agentrx", f"--out={tmp_path / 'a'}", stdout=io.StringIO())

    response = page(client, "mia", "download_gold", format="agentrx")

    assert response.getvalue() == (tmp_path / "a").read_bytes()
    assert response.headers["Content-Disposition"] == 'attachment; filename="shop-gold-agentrx.json"'
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("query", [{}, {"format": "csv"}])
def test_an_unknown_format_or_release_is_not_found(client, shop, query):
    assert page(client, "mia", "download_gold", **query).status_code == 404
    assert page(client, "mia", "download_release", "v9", format="agentrx").status_code == 404
    assert page(client, "mia", "download_release", "\0", format="agentrx").status_code == 404


def test_a_lead_who_holds_a_run_is_told_what_is_left_out(client, shop):
    mia = make_user("mia")
    join(shop, mia)
    hold(items_of(shop)[2], mia)

    text = page(client, "mia").content.decode()

    assert "labels on 1 run that you hold" in text


def test_an_empty_page_says_what_a_release_is(client):
    make_project()

    assert "Nothing was released yet." in page(client, "mia").content.decode()


def test_nobody_is_sent_to_log_in(client, shop):
    response = client.get(reverse("releases", args=["shop"]))

    assert response.status_code == 302 and response.url.startswith("/login/")


def test_more_releases_take_no_more_queries(client, shop):
    counts = []
    page(client, "vic")
    for names in (["v1"], ["v2", "v3"]):
        for name in names:
            create_release(project=shop, name=name, by=make_user("mia"))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("releases", args=["shop"]))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_another_projects_release_is_not_found(client, shop):
    other = make_project("other", members={"zoe": "lead"})
    create_release(project=shop, name="v1", by=make_user("mia"))
    client.force_login(make_user("zoe"))

    assert client.get(reverse("download_release", args=[other.slug, "v1"]), {"format": "jsonl"}).status_code == 404
    assert json.loads(Release.objects.get().rows.content)["trajectory_id"] == "shop-0"
