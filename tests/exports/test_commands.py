import hashlib
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from exports.models import Release
from tests.exports.worlds import make_shop

pytestmark = pytest.mark.django_db


def run(*arguments) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_export_writes_a_file_and_says_what_is_in_it(tmp_path):
    make_shop()
    path = str(tmp_path / "gold.json")

    said = json.loads(run("export", "--project", "shop", "--format", "agentrx", "--out", path, "--json"))

    content = (tmp_path / "gold.json").read_bytes()
    assert said == {
        "format": "agentrx",
        "records": 1,
        "path": path,
        "sha256": hashlib.sha256(content).hexdigest(),
        "left_out": [
            {"source": "made", "trajectory": "shop-1", "why": "no gold label yet"},
            {"source": "made", "trajectory": "shop-2", "why": "no gold label yet"},
        ],
    }
    assert [each["trajectory_id"] for each in json.loads(content)] == ["shop-0"]


def test_export_writes_to_stdout_what_it_writes_to_a_file(tmp_path):
    make_shop()
    command = ("export", "--project", "shop", "--format", "jsonl", "--labels", "annotator:ann", "--out")

    run(*command, str(tmp_path / "ann.jsonl"))

    assert run(*command, "-") == (tmp_path / "ann.jsonl").read_text()


def test_release_and_its_export_by_name(tmp_path):
    make_shop()

    said = json.loads(run("release", "--project", "shop", "--name", "v1", "--json"))
    run("export", "--project", "shop", "--release", "v1", "--format", "jsonl", "--out", str(tmp_path / "v1.jsonl"))

    release = Release.objects.get()
    assert said == {"name": "v1", "labels": 1, "sha256": release.sha256}
    assert hashlib.sha256((tmp_path / "v1.jsonl").read_bytes()).hexdigest() == release.sha256


def test_export_without_a_path_is_named_after_what_is_in_it(tmp_path, monkeypatch):
    make_shop()
    monkeypatch.chdir(tmp_path)

    run("export", "--project", "shop", "--format", "whowhen", "--labels", "annotator:ann")

    assert [path.as_posix() for path in sorted(tmp_path.relative_to(tmp_path).glob("*/*"))] == [
        "shop-annotator-ann-whowhen/1.json",
        "shop-annotator-ann-whowhen/2.json",
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["export", "--project", "nope", "--format", "agentrx"], "no project “nope”"),
        (["export", "--project", "shop", "--format", "csv"], "no format “csv”; known are agentrx, whowhen, jsonl"),
        (["export", "--project", "shop", "--format", "agentrx", "--labels", "silver"], "names no labels"),
        (["export", "--project", "shop", "--format", "agentrx", "--labels", "annotator:eve"], "no annotator"),
        (["export", "--project", "shop", "--format", "agentrx", "--release", "v9"], "no release called “v9”"),
        (["export", "--project", "shop", "--format", "agentrx", "--release", "v9", "--labels", "gold"], "not both"),
        (["export", "--project", "shop", "--format", "agentrx", "--out", "-", "--json"], "both want stdout"),
        (["export", "--project", "shop", "--format", "whowhen", "--out", "-"], "give --out a folder"),
        (["export", "--project", "shop", "--format", "agentrx", "--out", "{folder}"], "needs a file"),
        (["export", "--project", "shop", "--format", "whowhen", "--out", "{file}"], "needs a folder"),
        (["export", "--project", "shop", "--format", "whowhen", "--out", "{folder}"], "holds “file”"),
        (["export", "--project", "shop", "--format", "agentrx", "--out", "{file}/x.json"], "cannot be written"),
        (["release", "--project", "nope", "--name", "v1"], "no project “nope”"),
        (["release", "--project", "shop", "--name", "a/b"], "cannot name a release"),
        (["release", "--project", "shop", "--name", "v1", "--by", "nobody"], "no user “nobody”"),
    ],
)
def test_what_does_not_exist_or_fit_is_refused_in_one_line(project, tmp_path, arguments, reason):
    (tmp_path / "file").touch()
    places = {"folder": tmp_path, "file": tmp_path / "file"}

    with pytest.raises(CommandError) as caught:
        run(*(argument.format(**places) for argument in arguments))
    assert reason in str(caught.value) and "\n" not in str(caught.value)
    assert not Release.objects.exists()
