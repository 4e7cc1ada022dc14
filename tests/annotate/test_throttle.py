"""Views that compute for long answer one person only so often a minute."""

import pytest
from django.urls import reverse

from annotate import throttle
from tests.factories import make_user

pytestmark = pytest.mark.django_db
HEAVY = {
    "agreement": "?domain=shop",
    "agreement_csv": "",
    "agreement_items": "?measure=outcome",
    "arms": "",
    "scoreboard": "",
    "people": "",
    "download_gold": "?format=jsonl",
}


@pytest.fixture
def two_a_minute(monkeypatch):
    monkeypatch.setattr(throttle, "HEAVY_PAGES", 2)


@pytest.mark.parametrize("name", [*HEAVY, "person", "download_release"])
def test_one_more_than_the_limit_is_told_to_wait_and_others_are_not(client, project, mia, vic, two_a_minute, name):
    arguments = {"person": ["nobody"], "download_release": ["none"]}.get(name, [])
    url = reverse(name, args=[project.slug, *arguments]) + HEAVY.get(name, "")
    client.force_login(mia)
    assert 429 not in [client.get(url).status_code for _ in range(2)]

    refused = client.get(url)

    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert refused.content.decode() == throttle.TOO_MANY
    client.force_login(make_user("vic"))
    assert client.get(url).status_code != 429


def test_pages_that_do_not_compute_for_long_are_never_refused(client, project, mia, two_a_minute):
    client.force_login(mia)
    url = reverse("project", args=[project.slug])
    assert [client.get(url).status_code for _ in range(4)] == [200] * 4
