"""What the run's fragments bring beyond cards: pictures, long text in searches, and time by phase and step."""

import json
from base64 import b64encode
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.actions.work import Spent, with_spent
from annotate.models import Assignment
from annotate.pictures import picture_in
from tests.factories import hold, make_project, make_step, make_trajectory, make_user
from traces.formats.drafts import Block, StepDraft

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 60
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"


def as_address(content: bytes, kind: str = "png") -> str:
    return json.dumps(
        {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{b64encode(content).decode()}"}}
    )


def picture_step(words: str) -> StepDraft:
    return StepDraft(None, None, "assistant", "Assistant", (Block("image", words, "Assistant", {}),))


@pytest.fixture
def open_run():
    """`open_run(steps)` stores a run, gives it to Ann and returns its item and her client."""

    def start(steps):
        project, ann = make_project(runs=0), make_user("ann")
        make_trajectory(project, "run-1", steps=steps)
        item = project.items.get()
        hold(item, ann)
        client = Client()
        client.force_login(ann)
        return item, client

    return start


def test_a_picture_the_run_brought_along_is_shown_by_what_it_is(open_run):
    item, client = open_run([picture_step(as_address(PNG, "svg+xml"))])
    html = client.get(reverse("item_steps", args=[item.pk]) + "?from=0&to=1").content.decode()
    address = reverse("item_image", args=[item.pk, 0, 0])
    assert f'src="{address}"' in html
    shown = client.get(address)
    assert (shown.content, shown["Content-Type"], shown["X-Content-Type-Options"]) == (PNG, "image/png", "nosniff")
    assert client.get(reverse("item_image", args=[item.pk, 0, 1])).status_code == 404
    assert client.get(reverse("item_image", args=[item.pk, 9, 0])).status_code == 404


def test_a_large_picture_comes_from_the_store(open_run):
    large = PNG + bytes(range(256)) * 1500
    item, client = open_run([picture_step(as_address(large))])
    assert client.get(reverse("item_image", args=[item.pk, 0, 0])).content == large


@pytest.mark.parametrize(
    "words",
    [
        as_address(SVG, "svg+xml"),
        as_address(b"<script>alert(1)</script>"),
        "data:image/png;base64,!!!",
        "data:image/png;base64,",
        json.dumps({"type": "image_url", "image_url": {"url": "https://elsewhere.example/a.png"}}),
        "no picture at all",
    ],
)
def test_what_is_no_plain_picture_is_not_shown(open_run, words):
    assert picture_in(words) is None
    item, client = open_run([picture_step(words)])
    assert client.get(reverse("item_image", args=[item.pk, 0, 0])).status_code == 404


def test_a_picture_given_as_data_with_its_kind_is_found():
    part = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": b64encode(PNG).decode()}}
    assert picture_in(json.dumps(part)) == (PNG, "image/png")


def test_pictures_are_for_members_only(open_run):
    item, client = open_run([picture_step(as_address(PNG))])
    for name in ("eve", "root"):
        stranger = Client()
        stranger.force_login(make_user(name, is_superuser=name == "root"))
        assert stranger.get(reverse("item_image", args=[item.pk, 0, 0])).status_code == 404


def test_search_reads_long_blocks_to_their_end(open_run):
    item, client = open_run([make_step(0), make_step(1, text="word " * 100_000 + "Zebrafinch"), make_step(2)])

    def found(words):
        return client.get(reverse("item_search", args=[item.pk]), {"q": words}).json()["positions"]

    assert found("zebrafinch") == [1]
    assert found("says something") == [0, 2]
    assert found("z_brafinch") == []


def test_the_panel_brings_the_guideline(open_run):
    item, client = open_run([make_step(0)])
    assert "Guideline for annotators" in client.get(reverse("item_layers", args=[item.pk])).content.decode()


def beat(client, item, **body):
    return client.post(reverse("heartbeat", args=[item.pk]), json.dumps(body), "application/json")


def test_time_is_kept_by_phase_and_step_within_what_the_server_counts(open_run):
    item, client = open_run([make_step(0), make_step(1)])
    Assignment.objects.update(seen_at=timezone.now() - timedelta(seconds=30))
    answer = beat(client, item, active_seconds=90, spent=[[1, 0, 30], [1, 1, 45.0], [2, 1, 15]]).json()
    turn = Assignment.objects.get()
    assert (answer["active_seconds"], turn.active_seconds) == (30, 30)
    assert turn.spent == {"1": {"0": 10.0, "1": 15.0}, "2": {"1": 5.0}}


@pytest.mark.parametrize(
    "part", [[1, 2, 5], [3, 0, 5], [1, -1, 5], [1, 0, -5], [1, 0, 1e9], [True, 0, 5], "x", [1, 0], None]
)
def test_a_claim_that_cannot_be_is_left_out(open_run, part):
    item, client = open_run([make_step(0), make_step(1)])
    assert beat(client, item, active_seconds=5, spent=[part]).status_code == 200
    assert Assignment.objects.get().spent == {}


@pytest.mark.parametrize("spent", [5, {}, [[1, 0, 1]] * 501])
def test_a_list_that_is_none_is_refused(open_run, spent):
    item, client = open_run([make_step(0)])
    assert beat(client, item, active_seconds=5, spent=spent).status_code == 422


def test_what_was_spent_adds_up():
    before = {"1": {"0": 2.5}}
    parts = [Spent(1, 0, 2), Spent(2, 3, 2)]
    assert with_spent(before, parts, 4) == {"1": {"0": 4.5}, "2": {"3": 2.0}}
    assert with_spent(before, parts, 2) == {"1": {"0": 3.5}, "2": {"3": 1.0}}
    assert with_spent(before, [], 9) == before == {"1": {"0": 2.5}}
