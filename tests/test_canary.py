"""Blind stays blind: every URL of the site, asked for by everybody who must not know, with something to leak.

Ann's submitted annotation holds planted words in every field and a rare number of marks. Ben holds the same run.
A new URL whose arguments are not in ARGUMENTS fails the crawl until somebody says what to ask it for.
"""

import io
import re
import zipfile
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from adjudication.models import Case
from annotate.models import Example, Failure, ItemMemo
from jobs.actions import run
from jobs.models import Job
from people.actions import create_token
from people.models import Token, User
from taxonomy.actions import act, note, propose
from taxonomy.codebook import code_node
from taxonomy.models import Code, Proposal
from taxonomy.queries import last_event
from tests.factories import PASSWORD, do, hold, join, make_project, make_user, only_item

pytestmark = [pytest.mark.django_db, pytest.mark.services]

MARKS = 113
PLANTED = "zebrafinch"
PLANTED_ANYWHERE = re.compile(rf"{PLANTED}|\b{MARKS}\b", re.IGNORECASE)
# One query narrows and opens everything pages know how to narrow and open; exports are asked for every label set.
NARROWED = "?q=z&from=0&to=9&page=1&decision=adjudicate&kind=outcome&differs=outcome&pair=ann,ben&state=ruled&domain=shop&measure=outcome"
EXPORTS = ["?format=agentrx&labels=annotator:ann", "?format=jsonl&labels=annotator:ann", "?format=jsonl&labels=gold"]
SKIPPED = {"logout"}


def planted(where: str) -> str:
    return f"{PLANTED}-{where}"


def annotate_with_canaries(item, user):
    """One mark with planted words everywhere, and enough others to make the count rare."""
    mark = {
        "first_step": 1,
        "participant": planted("participant"),
        "codes": [{"phrase": planted("code"), "definition": planted("definition")}],
        "step_reason": planted("reason"),
        "category_reason": planted("category"),
        "evidence": [{"step": 1, "block": 0, "start": 0, "end": 4, "text": planted("evidence")}],
        "effect": "persists",
    }
    do(item, user, "mark", {"failure": "m0", "fields": mark})
    for number in range(1, MARKS):
        do(item, user, "mark", {"failure": f"m{number}", "fields": {"first_step": number % 4, "effect": "harmless"}})
    conclusion = {"critical": "m0", "reason_for_root_cause": planted("why"), "failure_summary": planted("summary")}
    do(item, user, "conclude", {"fields": conclusion})
    do(item, user, "submit")


def do_jobs():
    """What the worker would do; errors here would hide what it would have made visible."""
    for job in Job.objects.filter(state="queued"):
        assert run(job.pk).state == "done"


@pytest.fixture
def world(db, monkeypatch):
    """Ben holds Ann's run; Cleo has submitted another view of it, so there is a disagreement to be kept from him."""
    # A slow crawl would be told for how long no worker has come, which may be the number planted.
    monkeypatch.setattr("jobs.idle.PATIENCE", timedelta(days=1))
    project = make_project("canary", runs=1, overlap=3)
    item = only_item(project)
    cleo = make_user("cleo")
    join(project, cleo)
    hold(item, make_user("ben"))
    annotate_with_canaries(item, make_user("ann"))
    do(item, cleo, "conclude", {"fields": {"outcome": "no_failure"}})
    do(item, cleo, "submit")
    do_jobs()
    # Even where a case is open already, who may still get the item learns nothing of it.
    Case.objects.get_or_create(
        item=item, state="open", defaults={"reasons": [{"kind": "outcome", "size": 1, "text": planted("case")}]}
    )
    plant_in_codebook(project, item)
    return project, item


def plant_in_codebook(project, item):
    """What Ann's code became, memos on it, a proposal of hers and an example that a lead made of her mark."""
    ann, mia, taxonomy = make_user("ann"), make_user("mia"), project.taxonomy
    failure = Failure.objects.get(annotation__item=item, annotation__user=ann, key="m0")
    node = code_node(failure.codes.get().pk)
    for op, payload in (
        ("rename", {"node": node, "name": planted("renamed")}),
        ("describe", {"node": node, "fields": {"definition": planted("described")}}),
        ("promote", {"nodes": [node], "name": planted("promoted"), "key": "its_key"}),
    ):
        act(taxonomy=taxonomy, op=op, payload=payload, reason=planted("why"), base=last_event(taxonomy), by=mia)
    note(taxonomy=taxonomy, subject=node, text=planted("memo"), by=ann)
    payload = {"nodes": [node], "into": "system_failure"}
    proposal = propose(taxonomy=taxonomy, op="promote", payload=payload, reason=planted("proposal"), by=ann)
    note(taxonomy=taxonomy, subject=f"proposal:{proposal.pk}", text=planted("discussion"), by=ann)
    facts = {"failure": failure, "by": mia, "note": planted("example")}
    Example.objects.create(project=project, category="system_failure", **facts)
    ItemMemo.objects.create(item=item, by=ann, key="memo", kind="comment", step=1, text=planted("comment"))


def arguments_of(project, item) -> dict:
    """A value for every argument that URLs take: the very objects that have something to leak."""
    annotation = item.annotations.get(user__username="ann")
    return {
        "slug": project.slug,
        "item_id": item.pk,
        "case_id": Case.objects.get(item=item).pk,
        "pk": Case.objects.get(item=item).pk,
        "job_id": Job.objects.earliest("pk").pk,
        "annotation_id": annotation.pk,
        "trajectory_id": item.trajectory_id,
        "user_id": annotation.user_id,
        "username": "ann",
        "name": "r1",
        "step": 1,
        "block": 0,
        "position": 1,
        "format": "agentrx",
        "key": "m0",
        "sha256": item.trajectory.raw_id,
        "node": code_node(Code.objects.get(phrase=planted("code")).pk),
        "number": 1,
        "memo_id": ItemMemo.objects.get().pk,
        "membership_id": project.memberships.get(user__username="vic").pk,
        "proposal_id": Proposal.objects.get().pk,
    }


def patterns(resolver=None, prefix=""):
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield entry
        else:
            yield from patterns(entry)


def urls(arguments: dict) -> list[str]:
    found = []
    for pattern in patterns():
        if pattern.name in SKIPPED:
            continue
        missing = set(pattern.pattern.converters) - set(arguments)
        assert not missing, f"say in arguments_of what to ask {pattern.name} for: {missing}"
        values = {name: arguments[name] for name in pattern.pattern.converters}
        found.append(reverse(qualified(pattern), kwargs=values))
    assert len(found) > 15
    for name in ("qdc", "json", "csv"):
        found.append(reverse("codebook_file", args=[arguments["slug"], name]))
    found.append(reverse("codebook_card", args=[arguments["slug"], "system_failure"]))
    found.append(reverse("codebook_card", args=[arguments["slug"], "its_key"]))
    return found


def qualified(pattern) -> str:
    for namespace in ("", *get_resolver().namespace_dict):
        name = f"{namespace}:{pattern.name}" if namespace else pattern.name
        if name.split(":")[-1] in (
            get_resolver().reverse_dict if not namespace else get_resolver().namespace_dict[namespace][1].reverse_dict
        ):
            return name
    return pattern.name


def body_of(response) -> str:
    assert response.status_code != 500, f"{response.request['PATH_INFO']} failed: the crawl learns nothing from it"
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(archive.read(name) for name in archive.namelist())
    headers = {name: value for name, value in response.headers.items() if name != "Content-Length"}  # may be any number
    return content.decode(errors="replace") + str(headers)


def ask(client: Client, url: str, headers: dict) -> list[str]:
    queries = ["", NARROWED, *(EXPORTS if "export" in url or "download" in url else [])]
    answers = [body_of(client.get(url + query, headers=headers)) for query in queries]
    answers.append(body_of(client.get(url, headers={**headers, "HX-Request": "true"})))
    for method in (client.post, client.put, client.patch, client.delete):
        answers.append(body_of(method(url, data="{}", content_type="application/json", headers=headers)))
    return answers


def leaks(client: Client, where: list[str], headers: dict | None = None) -> list[tuple[str, str]]:
    found = []
    for url in where:
        for answer in ask(client, url, headers or {}):
            hit = PLANTED_ANYWHERE.search(answer)
            if hit:
                around = answer[max(0, hit.start() - 60) : hit.end() + 20]
                found.append((url, around))
                break
    return found


def logged_in(user: User) -> Client:
    client = Client(raise_request_exception=False)
    assert client.login(username=user.username, password=PASSWORD)
    return client


def everybody_who_must_not_know(project) -> dict[str, User | None]:
    """Ben once as he is and once with every role; a stranger; superusers outside and inside the project."""
    many = make_user("max")
    root = User.objects.create_superuser("root", password=PASSWORD)
    inside = User.objects.create_superuser("rita", password=PASSWORD)
    for role in ("annotator", "adjudicator", "lead", "viewer"):
        join(project, many, role)
    join(project, inside, "annotator")
    return {"nobody": None, "ben": make_user("ben"), "max": many, "eve": make_user("eve"), "root": root, "rita": inside}


def test_no_url_tells_a_colleague_a_stranger_or_a_superuser(world):
    project, item = world
    where = urls(arguments_of(project, item))
    found = {}
    for name, user in everybody_who_must_not_know(project).items():
        client = Client(raise_request_exception=False) if user is None else logged_in(user)
        found[name] = leaks(client, where)
        if user is not None:
            _, secret = create_token(user=user, scope=Token.Scope.WRITE, by=user)
            api = [url for url in where if url.startswith("/api/")]
            found[name] += leaks(Client(raise_request_exception=False), api, {"Authorization": f"Bearer {secret}"})

    assert {name: hits for name, hits in found.items() if hits} == {}


def test_the_crawl_finds_what_a_lead_may_see(world):
    """The positive control: who does not annotate is shown the very words the crawl looks for."""
    project, item = world
    where = urls(arguments_of(project, item))

    seen = {name for name in ("ada", "mia") if leaks(logged_in(make_user(name)), where)}
    assert seen == {"ada", "mia"}
