import base64
import gzip
import hashlib
import io
import json
import zipfile
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotate.models import Exposure, Membership
from exports.actions import create_release
from people.actions import create_token, system_user
from people.models import Token, User
from tests.exports.worlds import items_of, make_shop, rule_disputed
from tests.factories import annotate_and_submit, hold, join, make_project, make_user

pytestmark = pytest.mark.django_db
API = "/api/v1/"
ADDRESSES = {
    "projects/shop": "",
    "projects/shop/releases": "",
    "projects/shop/releases/v1": "",
    "projects/shop/releases/v1/rows": "",
    "projects/shop/export": "?format=agentrx",
    "projects/shop/export/summary": "?format=agentrx",
}


def bearer(user, scope="read", **fields) -> dict:
    if isinstance(user, str):
        user = make_user(user)
    _, secret = create_token(user=user, scope=scope, by=system_user(), **fields)
    return {"authorization": f"Bearer {secret}"}


def get(user, address, **headers):
    return Client().get(API + address, headers=bearer(user) | headers)


def body(response) -> bytes:
    return response.getvalue()


@pytest.fixture
def shop():
    project = make_shop()
    create_release(project=project, name="v1", by=make_user("mia"))
    return project


def test_projects_are_ones_own_with_ones_roles(shop):
    make_project("other", members={})
    join(shop, make_user("mia"), "adjudicator")

    (one,) = get("mia", "projects").json()["results"]

    assert (one["slug"], one["taxonomy"], one["roles"]) == ("shop", "shop v1", ["adjudicator", "lead"])
    assert get("eve", "projects").json() == {"next": None, "previous": None, "results": []}
    assert get("mia", "projects/other").status_code == 404


def test_projects_take_the_same_number_of_queries_for_one_and_for_three():
    counts = []
    headers = bearer("mia")
    for slugs in (["a"], ["b", "c"]):
        for slug in slugs:
            make_project(slug)
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(f"{API}projects", headers=headers).status_code == 200
        counts.append(len([query for query in queries if "UPDATE" not in query["sql"]]))
    assert counts[0] == counts[1]


def test_lists_come_in_pages_by_cursor(shop):
    for number in range(60):
        create_release(project=shop, name=f"r{number:02}", by=make_user("mia"))

    first = get("mia", "projects/shop/releases?ordering=name").json()
    second = Client().get(first["next"], headers=bearer("mia")).json()

    names = [each["name"] for page in (first, second) for each in page["results"]]
    assert names == sorted(names) and len(names) == 61 and second["next"] is None


@pytest.mark.parametrize(
    "query",
    ["?ordering=by__password", "?by__password__startswith=a", "?ordering=-sha256", "?fields=by", "?expand=by"],
)
def test_only_listed_parameters_are_taken(shop, query):
    response = get("mia", f"projects/shop/releases{query}")

    assert response.status_code == 400 and list(response.json()) == [query[1:].split("=")[0]]


def test_a_release_shows_its_manifest_and_its_rows_byte_for_byte(shop):
    detail = get("vic", "projects/shop/releases/v1").json()
    rows = get("vic", "projects/shop/releases/v1/rows")

    assert detail["manifest"]["labels"] == 1
    assert [each["trajectory"] for each in detail["manifest"]["left_out"]] == ["shop-1", "shop-2"]
    assert rows.headers["Content-Type"] == "application/x-ndjson"
    assert hashlib.sha256(body(rows)).hexdigest() == detail["sha256"]
    assert body(get("vic", "projects/shop/export?format=jsonl&release=v1")) == body(
        get("vic", "projects/shop/releases/v1/rows")
    )


def test_an_export_is_what_the_command_writes(shop, tmp_path):
    from django.core.management import call_command

    call_command(
        "export", "--project", "shop", "--format", "agentrx", "--out", str(tmp_path / "a"), stdout=io.StringIO()
    )

    response = get("mia", "projects/shop/export?format=agentrx&labels=gold")
    summary = get("mia", "projects/shop/export/summary?format=agentrx").json()

    assert body(response) == (tmp_path / "a").read_bytes()
    assert response.headers["Assay-Left-Out"] == "2"
    assert response.headers["Content-Disposition"] == 'attachment; filename="shop-agentrx.json"'
    assert (summary["records"], summary["sha256"]) == (1, response.headers["Assay-SHA256"])
    assert [each["why"] for each in summary["left_out"]] == ["no gold label yet"] * 2


def test_many_files_come_as_zip_or_as_lines(shop):
    packed = body(get("mia", "projects/shop/export?format=whowhen&labels=annotator:ann"))
    lines = body(get("mia", "projects/shop/export?format=whowhen&labels=annotator:ann&as=ndjson")).splitlines()

    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    assert sorted(files) == ["1.json", "2.json"]
    assert {each["file"]: each["content"] for each in map(json.loads, lines)} == files


@pytest.mark.parametrize("address", [*ADDRESSES, "projects", "schema"])
def test_what_has_not_changed_is_not_sent_again(shop, address):
    query = ADDRESSES.get(address, "")
    first = get("mia", address + query)
    etag = first.headers["ETag"]

    again = get("mia", address + query, **{"if-none-match": etag})

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert "private" in first.headers["Cache-Control"] and "no-cache" in first.headers["Cache-Control"]


def test_an_export_that_has_changed_has_another_etag(shop):
    address = "projects/shop/export?format=agentrx"
    before = get("mia", address).headers["ETag"]
    rule_disputed(shop)

    after = get("mia", address, **{"if-none-match": before})

    assert (after.status_code, len(json.loads(body(after)))) == (200, 2)


def test_what_is_large_comes_compressed_to_who_takes_it(shop):
    address = "projects/shop/export?format=jsonl"
    plain = get("mia", address)
    packed = get("mia", address, **{"accept-encoding": "gzip"})

    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(body(packed)) == body(plain)
    again = get("mia", address, **{"accept-encoding": "gzip", "if-none-match": packed.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?format=csv", 400),
        ("", 400),
        ("?format=agentrx&labels=silver", 400),
        ("?format=agentrx&as=tar", 400),
        ("?format=agentrx&raw_names=1", 400),
        ("?format=agentrx&labels=annotator:nobody", 404),
        ("?format=agentrx&release=v9", 404),
        ("?format=agentrx&release=..%2f..%2fetc", 404),
    ],
)
def test_an_export_of_what_does_not_exist_says_so(shop, query, status):
    response = get("mia", f"projects/shop/export{query}")

    assert response.status_code == status and response.headers["Content-Type"] == "application/json"


# who may see what: lead, viewer, annotator, adjudicator, stranger, superuser
ROLES = ["mia", "vic", "ann", "ada", "eve", "root"]
LEAD_AND_VIEWER = [200, 200, 403, 403, 404, 404]
LEAD = [200, 403, 403, 403, 404, 404]


@pytest.mark.parametrize(
    ("address", "statuses"),
    [
        ("projects/shop", [200, 200, 200, 200, 404, 404]),
        ("projects/shop/releases", LEAD_AND_VIEWER),
        ("projects/shop/releases/v1", LEAD_AND_VIEWER),
        ("projects/shop/releases/v1/rows", LEAD_AND_VIEWER),
        ("projects/shop/export?format=agentrx", LEAD_AND_VIEWER),
        ("projects/shop/export/summary?format=agentrx", LEAD_AND_VIEWER),
        ("projects/shop/export?format=agentrx&release=v1", LEAD_AND_VIEWER),
        ("projects/shop/export?format=agentrx&labels=annotator:ben", LEAD),
        ("projects/shop/export?format=agentrx&labels=annotator:nobody", [404, 403, 403, 403, 404, 404]),
        ("projects/shop/export?format=agentrx&labels=annotator:ann", [200, 403, 200, 403, 404, 404]),
        # A release beside one's own name is still a release.
        ("projects/shop/export?format=agentrx&labels=annotator:ann&release=v1", LEAD_AND_VIEWER),
    ],
)
def test_who_may_see_what(shop, address, statuses):
    User.objects.create_superuser("root", password="correct horse battery")

    assert [
        get(User.objects.get(username=name) if name == "root" else name, address).status_code for name in ROLES
    ] == statuses


@pytest.mark.parametrize("address", [*ADDRESSES, "projects", "schema"])
def test_nothing_is_told_without_a_token(shop, address):
    client = Client()
    client.force_login(make_user("mia"))

    response = client.get(API + address)  # a session does not count

    assert (response.status_code, response.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_a_lead_who_may_still_get_a_run_sees_no_label_on_it():
    """Mia leads and annotates: shop-2 is labelled by Ann only, and shop-0 and shop-1 are settled."""
    project = make_shop(members={"ann": "annotator", "ben": "annotator", "ada": "adjudicator", "mia": "lead"})
    join(project, make_user("mia"))
    annotate_and_submit(items_of(project)[2], make_user("ann"))

    exported = [
        json.loads(line)
        for line in body(get("mia", "projects/shop/export?format=jsonl&labels=annotator:ann")).splitlines()
    ]
    summary = get("mia", "projects/shop/export/summary?format=jsonl&labels=annotator:ann").json()

    assert [each["trajectory_id"] for each in exported] == ["shop-0", "shop-1"]
    (left_out,) = summary["left_out"]
    assert (left_out["trajectory"], "may still get" in left_out["why"]) == ("shop-2", True)


def test_a_run_somebody_holds_is_closed_to_her_in_gold_and_releases_too():
    project = make_shop()
    mia = make_user("mia")
    agreed, _, untouched = items_of(project)
    create_release(project=project, name="v1", by=mia)
    join(project, mia)
    hold(untouched, mia)
    untouched.assignments.filter(user=mia).update(item=agreed)  # as if gold had come while she held it

    assert body(get("mia", "projects/shop/export?format=agentrx")) == b"[]\n"
    assert body(get("mia", "projects/shop/export?format=agentrx&release=v1")) == b"[]\n"
    rows = get("mia", "projects/shop/releases/v1/rows")
    assert (body(rows), rows.headers["Assay-Left-Out"]) == (b"", "1")
    assert get("mia", "projects/shop/releases/v1").json()["manifest"]["left_out"] == 2
    whys = {each["why"] for each in get("mia", "projects/shop/export/summary?format=agentrx").json()["left_out"]}
    assert len(whys) == 2


def test_an_annotators_own_export_holds_no_layer_she_may_not_see():
    project = make_project(taxonomy="none", runs=0)
    from tests.factories import make_trajectory

    layers = {"expected": {"answer": "SECRET"}, "outcome": {"is_correct": False}}
    make_trajectory(project, "run-1", layers=layers)
    annotate_and_submit(items_of(project)[0], make_user("ann"), category=None)
    address = "projects/shop/export?format=whowhen&as=ndjson&labels=annotator:ann"

    assert b"SECRET" not in body(get("ann", address))
    assert b"SECRET" in body(get("mia", address))


def test_a_write_token_of_a_lead_releases(shop):
    url = reverse("api-releases", args=["shop"])
    new = {"data": {"name": "v2"}, "content_type": "application/json"}

    made = Client().post(url, headers=bearer("mia", "write"), **new)
    again = Client().post(url, headers=bearer("mia", "write"), **new)
    by_reader = Client().post(url, headers=bearer("mia", "read"), **new)
    by_viewer = Client().post(url, headers=bearer("vic", "write"), **new)
    by_stranger = Client().post(url, headers=bearer("eve", "write"), **new)

    assert (made.status_code, made.json()["name"], made.json()["labels"]) == (201, "v2", 1)
    assert [each.status_code for each in (again, by_reader, by_viewer, by_stranger)] == [409, 403, 403, 404]
    assert shop.releases.count() == 2


@pytest.mark.parametrize(("name", "status"), [("../v2", 400), ("", 400), (["v2"], 400), ({"a": 1}, 400)])
def test_a_bad_name_is_refused(shop, name, status):
    response = Client().post(
        reverse("api-releases", args=["shop"]),
        {"name": name},
        content_type="application/json",
        headers=bearer("mia", "write"),
    )

    assert response.status_code == status and "name" in response.json()


def test_a_token_that_ran_out_was_revoked_or_is_somebody_elses_opens_nothing(shop):
    ran_out = bearer("mia", expires_at=timezone.now() - timedelta(seconds=1))
    revoked = bearer("mia")
    Token.objects.latest("pk").__class__.objects.filter(pk=Token.objects.latest("pk").pk).update(
        revoked_at=timezone.now()
    )
    gone = bearer("vic")
    User.objects.filter(username="vic").update(is_active=False)

    for headers in (ran_out, revoked, gone):
        assert Client().get(f"{API}projects", headers=headers).status_code == 401


def test_a_member_who_was_removed_sees_nothing_with_the_old_token(shop):
    headers = bearer("vic")
    Membership.objects.filter(user__username="vic").delete()

    assert Client().get(f"{API}projects/shop/releases", headers=headers).status_code == 404


def test_the_schema_names_every_address_and_our_tokens(shop):
    schema = get("eve", "schema").json()

    assert schema["openapi"].startswith("3.1")
    assert {
        path.replace("{slug}", "shop").replace("{name}", "v1").removeprefix("/api/v1/") for path in schema["paths"]
    } == {
        *ADDRESSES,
        "projects",
    }
    assert schema["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}


def test_there_is_no_browsable_api(shop):
    response = get("mia", "projects", accept="text/html")

    assert response.headers["Content-Type"] == "application/json"
    for method in ("post", "put", "patch", "delete"):
        assert getattr(Client(), method)(f"{API}projects/shop", headers=bearer("mia", "write")).status_code == 405


@pytest.mark.parametrize(
    ("name", "address", "seen"),
    [
        ("vic", "projects/shop/export?format=agentrx", ["shop-0"]),
        ("vic", "projects/shop/releases/v1/rows", ["shop-0"]),
        ("mia", "projects/shop/export?format=jsonl&labels=annotator:ann", ["shop-0", "shop-1"]),
        ("ann", "projects/shop/export?format=jsonl&labels=annotator:ann", []),
    ],
)
def test_who_was_given_labels_on_a_run_never_annotates_it_blind(shop, name, address, seen):
    for _ in range(2):
        body(get(name, address))

    exposures = Exposure.objects.filter(user__username=name, to="export").order_by("item__trajectory__external_id")
    assert list(exposures.values_list("item__trajectory__external_id", flat=True)) == seen


def cursor(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "address",
    [
        "nowhere?x=1",
        "",
        "projects/",
        "projects/shop/releases/%00",
        "projects/shop/releases/%00/rows",
        f"projects?cursor={cursor('p=abc')}",
        f"projects?cursor={cursor('p=%00')}",
        f"projects/shop/releases?cursor={cursor('p=2026-13-45')}",
        f"projects/shop/releases?ordering=name&cursor={cursor('p=%00')}",
    ],
)
def test_what_is_not_there_is_404_and_json(shop, address):
    response = get("mia", address)

    assert (response.status_code, list(response.json())) == (404, ["detail"])
    assert Client().get(API + address).status_code == 401


@pytest.mark.parametrize("parameter", ["labels=annotator:%00", "release=%00"])
def test_a_parameter_that_no_text_can_be_is_400(shop, parameter):
    response = get("mia", f"projects/shop/export?format=agentrx&{parameter}")

    assert response.status_code == 400 and list(response.json()) == [parameter.split("=")[0]]


@pytest.mark.parametrize(
    ("sent", "type", "status"),
    [
        ('{"name": "v2"}', "application/json; charset=utf-8", 201),
        ("name=v2", "application/x-www-form-urlencoded", 415),
        ("[" * 100_000, "application/json", 400),
        (f'{{"name": "{"x" * 6_000_000}"}}', "application/json", 413),
    ],
)
def test_a_body_is_json_of_some_size(shop, sent, type, status):
    headers = bearer("mia", "write")
    response = Client().post(f"{API}projects/shop/releases", sent, content_type=type, headers=headers)

    assert (response.status_code, response.headers["Content-Type"]) == (status, "application/json")
