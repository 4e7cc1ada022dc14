import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Annotation, Assignment, Item, Project
from tests.factories import (
    annotate_and_submit,
    do,
    hold,
    join,
    make_project,
    make_step,
    make_trajectory,
    make_user,
    only_item,
)
from traces.formats.drafts import Block, StepDraft

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def item(project):
    return only_item(project)


@pytest.fixture
def ann():
    return make_user("ann")


@pytest.fixture
def held(item, ann):
    return hold(item, ann)


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(user, item, /, **body):
    body = {"key": "k1", "base": 0, "op": "mark", "payload": {"failure": "m1", "fields": {"first_step": 1}}} | body
    return client_of(user).post(reverse("operations", args=[item.pk]), json.dumps(body), "application/json")


def page_data(response) -> dict:
    text = response.content.decode()
    start = text.index(">", text.index('id="workbench-page"')) + 1
    return json.loads(text[start : text.index("</script>", start)])


def test_the_page_brings_the_run_in_columns_and_the_state(item, ann, held):
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 2, "step_reason": "it guesses"}})
    response = client_of(ann).get(reverse("workbench", args=[item.pk]))
    assert response.status_code == 200
    page = page_data(response)
    assert page["steps"]["agents"] == ["User", "Assistant"]
    assert page["steps"]["agent"] == "0111"
    assert (page["steps"]["first_number"], page["steps"]["number"]) == (1, None)
    assert (page["revision"], page["can_undo"], page["held"]) == (1, True, True)
    assert page["state"]["failures"]["m1"]["step_reason"] == "it guesses"


def test_the_page_costs_the_same_queries_for_four_steps_and_for_forty(project, ann, django_assert_num_queries):
    make_trajectory(project, "long", steps=40)
    counts = []
    for item in project.items.all():
        hold(item, ann)
        client = client_of(ann)
        with django_assert_num_queries(14, exact=False) as captured:
            client.get(reverse("workbench", args=[item.pk]))
        counts.append(len(captured))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("name", ["workbench", "item_state", "item_codes"])
def test_who_was_not_given_the_run_finds_nothing(item, held, name):
    for who in ("ben", "ada", "mia", "vic", "eve"):
        assert client_of(make_user(who)).get(reverse(name, args=[item.pk])).status_code == 404, who
    root = make_user("root", is_superuser=True, is_staff=True)
    assert client_of(root).get(reverse(name, args=[item.pk])).status_code == 404


@pytest.mark.parametrize("path", ["steps?from=0&to=4", "blocks/1/0", "search?q=step", "layers"])
def test_the_run_is_for_members_only(item, held, path):
    address = reverse("workbench", args=[item.pk]) + path
    assert client_of(make_user("ann")).get(address).status_code == 200
    assert client_of(make_user("eve")).get(address).status_code == 404
    assert client_of(make_user("root", is_superuser=True)).get(address).status_code == 404
    assert Client().get(address).status_code == 401


def test_a_second_annotator_starts_from_nothing(item, ann, held):
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 2, "step_reason": "zebrafinch"}})
    ben = make_user("ben")
    hold(item, ben)
    response = client_of(ben).get(reverse("workbench", args=[item.pk]))
    assert "zebrafinch" not in response.content.decode()
    assert page_data(response)["state"]["failures"] == {}
    assert page_data(response)["revision"] == 0


def test_an_operation_answers_its_revision_and_patch(item, ann, held):
    answer = send(ann, item).json()
    assert answer["revision"] == 1
    assert answer["patch"]["failures"]["m1"]["number"] == 1
    assert (answer["can_undo"], answer["can_redo"], answer["repeated"], answer["submitted"], answer["next"]) == (
        True,
        False,
        False,
        False,
        None,
    )


def test_the_same_key_again_answers_the_same_revision(item, ann, held):
    first, again = send(ann, item).json(), send(ann, item).json()
    assert again == {**first, "repeated": True, "warnings": again["warnings"]}
    assert Annotation.objects.get(item=item, user=ann).revision == 1


def test_an_old_base_is_a_conflict_that_brings_the_other_side(item, ann, held):
    send(ann, item)
    response = send(ann, item, key="k2", payload={"failure": "m2", "fields": {"first_step": 3}})
    answer = response.json()
    assert (response.status_code, answer["error"], answer["revision"]) == (409, "conflict", 1)
    assert list(answer["state"]["failures"]) == ["m1"]


@pytest.mark.parametrize(
    "body",
    [
        {"op": "paint"},
        {"op": None},
        {"key": ""},
        {"key": 7},
        {"base": "0"},
        {"base": None},
        {"base": True},
        {"payload": []},
        {"payload": {"failure": "m1", "fields": {"first_step": 99}}},
        {"payload": {"failure": "m1", "fields": {"first_step": 1, "colour": "red"}}},
        {"payload": {"failure": "m1", "fields": {"first_step": 1, "category": "no-such"}}},
    ],
)
def test_a_wrong_operation_is_refused_and_changes_nothing(item, ann, held, body):
    response = send(ann, item, **body)
    assert (response.status_code, response.json()["error"]) == (422, "refused")
    assert Annotation.objects.get(item=item, user=ann).revision == 0


@pytest.mark.parametrize("body", ["", "no json", "[]", "[" * 100_000, b"\xff"])
def test_a_body_that_is_no_object_is_refused(item, ann, held, body):
    response = client_of(ann).post(reverse("operations", args=[item.pk]), body, "application/json")
    assert (response.status_code, response.json()["error"]) == (422, "refused")


def test_logged_out_is_a_401_in_json(item, held):
    response = Client().post(reverse("operations", args=[item.pk]), "{}", "application/json")
    assert (response.status_code, response.json()["error"], response.json()["login"]) == (401, "log_in", "/login/")


def test_changes_made_under_another_log_in_are_not_taken(item, ann, held):
    ben = make_user("ben")
    hold(item, ben)
    response = send(ben, item, user=ann.pk)
    assert (response.status_code, response.json()["error"]) == (403, "not_yours")
    assert Annotation.objects.get(item=item, user=ben).revision == 0


def test_another_annotators_item_takes_no_operation(item, held):
    response = send(make_user("ben"), item)
    assert (response.status_code, response.json()["error"]) == (403, "not_yours")


def test_a_stranger_cannot_operate(item, held):
    for name in ("eve", "root"):
        user = make_user(name, is_superuser=name == "root")
        assert send(user, item).status_code == 404


def test_csrf_is_enforced(item, ann, held):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    address = reverse("operations", args=[item.pk])
    body = json.dumps({"key": "k", "base": 0, "op": "undo", "payload": {}})
    assert client.post(address, body, "application/json").status_code == 403
    client.get(reverse("workbench", args=[item.pk]))
    token = client.cookies["csrftoken"].value
    assert client.post(address, body, "application/json", headers={"X-CSRFToken": token}).status_code == 422


@pytest.mark.parametrize("name", ["operations", "heartbeat", "skip_item"])
def test_what_changes_something_takes_post_only(item, ann, held, name):
    assert client_of(ann).get(reverse(name, args=[item.pk])).status_code == 405


@pytest.mark.parametrize("name", ["workbench", "item_state", "item_codes", "item_steps", "item_search", "item_layers"])
def test_what_only_reads_takes_get_only(item, ann, held, name):
    assert client_of(ann).post(reverse(name, args=[item.pk])).status_code == 405


def test_a_closed_project_takes_nothing_and_says_so(project, item, ann, held):
    Project.objects.filter(pk=project.pk).update(closed_at=timezone.now())
    response = send(ann, item)
    assert (response.status_code, response.json()["error"]) == (409, "closed")


def test_after_submit_the_page_reads_only_and_operations_are_frozen(item, ann):
    annotate_and_submit(item, ann)
    page = page_data(client_of(ann).get(reverse("workbench", args=[item.pk])))
    assert (page["submitted"], page["held"]) == (True, False)
    response = send(ann, item, base=page["revision"], key="late")
    assert (response.status_code, response.json()["error"]) == (409, "submitted")


def test_submit_says_where_to_go_next(item, ann, held):
    do(item, ann, "conclude", {"fields": {"outcome": "no_failure"}})
    answer = send(ann, item, base=1, op="submit", payload={}).json()
    assert (answer["submitted"], answer["next"]) == (True, "/")


def test_the_state_is_what_the_page_would_start_from(item, ann, held):
    send(ann, item)
    client = client_of(ann)
    page = page_data(client.get(reverse("workbench", args=[item.pk])))
    state = client.get(reverse("item_state", args=[item.pk])).json()
    shared = state.keys() & page.keys()
    assert {name: state[name] for name in shared} == {name: page[name] for name in shared}
    assert {"revision", "state", "can_undo", "can_redo", "submitted", "held_until", "user"} <= shared


def test_a_heartbeat_holds_on_and_counts_by_the_servers_clock(item, ann, held):
    Assignment.objects.filter(pk=held.pk).update(seen_at=timezone.now() - timedelta(seconds=20))
    response = client_of(ann).post(
        reverse("heartbeat", args=[item.pk]), json.dumps({"active_seconds": 10**9}), "application/json"
    )
    assert response.status_code == 200
    assert 19 <= response.json()["active_seconds"] <= 25


@pytest.mark.parametrize("seconds", [None, "5", 1.5, True])
def test_a_heartbeat_without_a_number_is_refused(item, ann, held, seconds):
    address = reverse("heartbeat", args=[item.pk])
    response = client_of(ann).post(address, json.dumps({"active_seconds": seconds}), "application/json")
    assert response.status_code == 422


def test_codes_of_others_come_by_name_and_definition_only(project, item, ann, held):
    make_trajectory(project, "other")
    other = project.items.exclude(pk=item.pk).get()
    ben = make_user("ben")
    do(
        other,
        ben,
        "mark",
        {
            "failure": "b1",
            "fields": {"first_step": 0, "codes": [{"phrase": "guesses an id", "definition": "An id nobody gave."}]},
        },
    )
    do(item, ben, "mark", {"failure": "b1", "fields": {"first_step": 0, "codes": ["guesses in this very run"]}})
    Item.objects.filter(pk=other.pk).update(settled_at=timezone.now())
    found = client_of(ann).get(reverse("item_codes", args=[item.pk]) + "?q=guesses").json()
    assert found == [{"phrase": "guesses an id", "definition": "An id nobody gave."}]


def test_next_leads_to_a_claimed_run_and_then_stays_there(project, item, ann):
    client = client_of(ann)
    for _ in range(2):
        assert client.post(reverse("next_item", args=[project.slug])).url == reverse("workbench", args=[item.pk])
    assert Assignment.objects.filter(user=ann).count() == 1


def test_next_with_nothing_left_goes_home_with_a_sentence(project, item, ann):
    annotate_and_submit(item, ann)
    response = client_of(ann).post(reverse("next_item", args=[project.slug]), follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert "Nothing is left" in response.content.decode()


def test_next_is_for_annotators_of_the_project(project, item):
    address = reverse("next_item", args=[project.slug])
    assert client_of(make_user("mia")).post(address).status_code == 403
    assert client_of(make_user("eve")).post(address).status_code == 404
    assert client_of(make_user("ann")).get(address).status_code == 405


def test_skip_gives_the_run_back_with_a_reason(item, ann, held):
    client_of(ann).post(reverse("skip_item", args=[item.pk]), {"reason": "I know this customer"})
    held.refresh_from_db()
    assert (held.state, held.reason) == ("skipped", "I know this customer")


def test_skip_without_a_reason_changes_nothing(item, ann, held):
    response = client_of(ann).post(reverse("skip_item", args=[item.pk]), {"reason": " "})
    held.refresh_from_db()
    assert (response.url, held.state) == (reverse("workbench", args=[item.pk]), "held")


@pytest.mark.parametrize(
    "query", ["", "from=0", "from=2&to=2", "from=3&to=1", "from=0&to=61", "from=-1&to=2", "from=a&to=2"]
)
def test_steps_are_asked_for_by_a_window_of_at_most_sixty(item, ann, held, query):
    assert client_of(ann).get(reverse("item_steps", args=[item.pk]) + f"?{query}").status_code == 422


HOSTILE = "</script><script>window.PWN=1</script><img src=x onerror=window.PWN=1>{{ 7 }}\r\na\rb"


def test_steps_come_as_escaped_text_to_the_character(project, ann):
    join(project, ann)
    make_trajectory(project, "hostile", steps=[make_step(0, "A\"B'<c>&", HOSTILE)])
    item = project.items.get(trajectory__external_id="hostile")
    hold(item, ann)
    html = client_of(ann).get(reverse("item_steps", args=[item.pk]) + "?from=0&to=1").content.decode()
    assert "<script" not in html and "<img" not in html
    assert "&lt;/script&gt;" in html
    assert "{{ 7 }}&#13;\na&#13;b</div>" in html


def test_calls_show_their_arguments_and_the_step_of_their_result(project, ann):
    call = Block("tool_call", "", "Assistant", {}, "find", "c1", '{"name": "Ann\\nLee", "n": 2}')
    result = Block("tool_result", "Error: no such user", "find", {}, "find", "c1", None, True)
    steps = [StepDraft(7, None, "assistant", "Assistant", (call,)), StepDraft(9, None, "tool", "find", (result,))]
    make_trajectory(project, "calls", steps=steps)
    item = project.items.get(trajectory__external_id="calls")
    hold(item, ann)
    html = client_of(ann).get(reverse("item_steps", args=[item.pk]) + "?from=0&to=1").content.decode()
    assert "result in 9" in html
    assert 'data-text="9" data-raw="&quot;Ann\\nLee&quot;">Ann\nLee</span>' in html
    assert 'data-text="26">2</span>' in html


def test_escapes_in_arguments_that_no_page_can_hold_are_replaced(project, ann):
    call = Block("tool_call", "", "Assistant", {}, "find", "c1", '{"\\ud83d": "a\\u0000\\ude00b"}')
    make_trajectory(project, "odd", steps=[StepDraft(None, None, "assistant", "Assistant", (call,))])
    item = project.items.get(trajectory__external_id="odd")
    hold(item, ann)
    html = client_of(ann).get(reverse("item_steps", args=[item.pk]) + "?from=0&to=1").content.decode()
    assert "a\ufffd\ufffdb</span>" in html


def test_a_block_comes_whole_as_plain_text(project, ann):
    words = "long " * 100_000
    make_trajectory(project, "long", steps=[make_step(0, text=words)])
    item = project.items.get(trajectory__external_id="long")
    hold(item, ann)
    client = client_of(ann)
    cards = client.get(reverse("item_steps", args=[item.pk]) + "?from=0&to=1").content.decode()
    assert len(cards) < 20_000 and "Show all · 500.0 k characters" in cards
    response = client.get(reverse("item_block", args=[item.pk, 0, 0]))
    assert (response.content.decode(), response["Content-Type"]) == (words, "text/plain; charset=utf-8")
    assert response["X-Content-Type-Options"] == "nosniff"
    download = client.get(reverse("item_block", args=[item.pk, 0, 0]) + "?download")
    assert download["Content-Disposition"].startswith("attachment")
    assert client.get(reverse("item_block", args=[item.pk, 0, 1])).status_code == 404
    assert client.get(reverse("item_block", args=[item.pk, 5, 0])).status_code == 404


def test_search_finds_words_in_text_calls_and_speakers(project, ann):
    call = Block("tool_call", "", "Assistant", {}, "find_user", "c1", '{"quote": "say \\"hi\\""}')
    steps = [
        make_step(0, "User", 'She said "Grüße"\nand left'),
        StepDraft(None, None, "assistant", "Assistant", (call,)),
        make_step(2, "Überprüfer", "100% sure"),
    ]
    make_trajectory(project, "words", steps=steps)
    item = project.items.get(trajectory__external_id="words")
    hold(item, ann)
    client = client_of(ann)

    def found(words):
        return client.get(reverse("item_search", args=[item.pk]), {"q": words}).json()["positions"]

    assert found("grüße") == [0]
    assert found('"Grüße"\nand') == [0]
    assert found("FIND_user") == [1]
    assert found('say \\"hi') == [1]
    assert found("überprüfer") == [2]
    assert found("0%") == [2]
    assert found("kind") == []
    assert found("\0grüße") == [0]
    for nothing in (" ", "\0"):
        assert client.get(reverse("item_search", args=[item.pk]), {"q": nothing}).status_code == 422


def test_layers_follow_the_protocol_and_the_project(project, ann):
    layers = {
        "task": {"instruction": "Exchange the lamp."},
        "outcome": {"reward": 0.0},
        "oracle": {"step": "zebrafinch"},
        "injection": {"at": "zebrafinch"},
        "expected": {"answer": "the black one"},
    }
    make_trajectory(project, "layered", layers=layers, policy="Never guess.", toolset=[{"name": "find"}])
    item = project.items.get(trajectory__external_id="layered")
    hold(item, ann)
    client = client_of(ann)
    html = client.get(reverse("item_layers", args=[item.pk])).content.decode()
    assert all(words in html for words in ("Exchange the lamp.", "Never guess.", "the black one", "find"))
    assert "zebrafinch" not in html
    Project.objects.filter(pk=project.pk).update(layers=[])
    assert "the black one" not in client.get(reverse("item_layers", args=[item.pk])).content.decode()
