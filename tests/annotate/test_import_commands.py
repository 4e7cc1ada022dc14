"""What the shell is told: 0 done, 1 something was refused, 2 nothing was done; with --json one object each time."""

import json
import os
import subprocess
import sys

import pytest
from django.db import connection

from annotate.models import Project
from config import commands
from people import commands as own
from people.models import AuditEvent, User
from tests.factories import make_project, make_trajectory, make_user
from tests.servers import REPOSITORY

pytestmark = pytest.mark.django_db


@pytest.fixture
def shell(monkeypatch, capsys):
    """A command as the shell runs it, in this process and its transaction: exit code, stdout, stderr."""
    monkeypatch.setattr(own, "connections", type("Open", (), {"close_all": staticmethod(lambda: None)}))

    def run(*words):
        code = commands.run(["manage.py", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def shop(db):
    project = make_project("shop", runs=0, members={"ann": "annotator"})
    make_trajectory(project, "run-1")
    return project


@pytest.fixture
def run_file(tmp_path):
    path = tmp_path / "run-2.json"
    path.write_text(json.dumps([{"role": "WebSurfer", "content": "Nothing found."}]))
    return path


@pytest.fixture
def labels_file(tmp_path):
    def write(*numbers):
        failure = {"failure_id": 1, "failure_category": "System Failure", "failed_agent": "User"}
        root = {"failure_id": 1, "reason_for_root_cause": "down"}
        entries = [
            {"trajectory_id": "run-1", "failures": [failure | {"step_number": number}], "root_cause": root}
            for number in numbers
        ]
        path = tmp_path / "labels.json"
        path.write_text(json.dumps(entries))
        return path

    return write


def import_labels(*words, project="shop", annotator="outside", format="agentrx"):
    return ["import_labels", *words, "--project", project, "--annotator", annotator, "--format", format]


def import_suggestions(*words):
    return ["import_suggestions", "PATH", "--project", "shop", "--format", "jsonl", *words]


def test_done_is_0_and_one_object(shell, shop, run_file):
    code, out, err = shell("import_traces", run_file, "--project", "shop", "--json")

    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report == {"read": 1, "stored": 1, "unchanged": 0, "refused": [], "warnings": []}
    assert json.loads(shell("import_traces", run_file, "--project", "shop", "--json")[1])["unchanged"] == 1


def test_done_is_said_in_a_line(shell, shop, run_file):
    code, out, err = shell("import_traces", run_file, "--project", "shop")

    assert (code, out) == (0, "1 trajectories read: 1 stored, 0 unchanged, 0 refused\n")


def test_something_refused_is_1_and_still_one_object(shell, shop, labels_file):
    code, out, err = shell(*import_labels(labels_file(1, 9)), "--json")

    report = json.loads(out)
    assert (code, report["read"], report["stored"]) == (1, 2, 1)
    (refused,) = report["refused"]
    assert (refused["file"], refused["where"], refused["code"]) == ("labels.json", "/1", "step_out_of_range")


def test_refusals_are_said_on_stderr(shell, shop, labels_file):
    code, out, err = shell(*import_labels(labels_file(9)))

    assert (code, out) == (1, "1 labels read: 0 stored, 0 unchanged, 1 refused\n")
    assert err.startswith("refused: labels.json /0: step 9 is not in made/run-1")


def test_a_file_nobody_reads_is_one_refused_record(shell, shop, tmp_path):
    (tmp_path / "odd.json").write_text("{]")
    code, out, err = shell("import_traces", tmp_path / "odd.json", "--project", "shop", "--json")

    report = json.loads(out)
    assert (code, report["read"], [each["where"] for each in report["refused"]]) == (1, 1, ["file"])


def test_what_cannot_be_printed_is_still_one_object(shell, shop, tmp_path):
    predictions = {"\ud800“": {"top": 1, "ranking": [1], "raw": ""}}
    (tmp_path / "cache.json").write_text(json.dumps({"provenance": {}, "predictions": predictions}))
    words = ("import_suggestions", tmp_path / "cache.json", "--project", "shop", "--format", "catchbench")
    code, out, err = shell(*words, "--json")

    (refused,) = json.loads(out)["refused"]
    assert (code, refused["where"], out.isascii()) == (1, "/predictions/\ud800“", True)


NOTHING_DONE = {
    "unknown project": (["import_traces", "PATH", "--project", "nowhere"], "there is no project “nowhere”"),
    "missing path": (["import_traces", "/no/such/file", "--project", "shop"], "/no/such/file does not exist"),
    "missing path of labels": (import_labels("/no/such/file"), "/no/such/file does not exist"),
    "unknown format": (["import_traces", "PATH", "--project", "shop", "--format", "xml"], "invalid choice: 'xml'"),
    "unknown label format": (import_labels("PATH", format="xml"), "invalid choice: 'xml'"),
    "name of a person": (import_labels("PATH", annotator="Ann"), "a user of kind person"),
    "odd name": (import_labels("PATH", annotator="a b\n"), "--annotator: Enter a valid username"),
    "long source": (["import_traces", "PATH", "--project", "shop", "--source", "x" * 101], "at most 100"),
    "long domain": (["import_traces", "PATH", "--project", "shop", "--domain", "x" * 101], "at most 100"),
    "long model": (import_suggestions("--model", "x" * 101), "at most 100"),
    "long protocol": (import_suggestions("--protocol", "x" * 61), "at most 60"),
    "long run": (import_suggestions("--run", "x" * 101), "at most 100"),
    "no path": (["import_traces", "--project", "shop"], "PATH"),
    "no project": (["import_traces", "PATH"], "--project"),
    "unknown option": (["import_traces", "PATH", "--project", "shop", "--overlpa", "2"], "--overlpa"),
    "unknown actor": (["import_traces", "PATH", "--project", "shop", "--by", "nobody"], "there is no user “nobody”"),
    "unknown command": (["import_trace", "PATH"], "there is no command “import_trace”; did you mean import_traces?"),
    "slug taken": (["create_project", "shop"], "there is already a project “shop”"),
    "no slug": (["create_project", "two words"], "“two words” is no slug"),
    "long slug": (["create_project", "x" * 61], "at most 60"),
    "long name": (["create_project", "new", "--name", "x" * 201], "at most 200"),
    "no overlap": (["create_project", "new", "--overlap", "0"], "--overlap 0 is not possible"),
    "an arm left empty": (["create_project", "new", "--reveal-share", "100"], "leaves one arm empty"),
    "odd overlap": (["create_project", "new", "--overlap", "two"], "invalid int value: 'two'"),
    "unknown preset": (["create_project", "new", "--taxonomy", "moon"], "invalid choice: 'moon'"),
    "unknown protocol": (["create_project", "new", "--protocol", "moon"], "invalid choice: 'moon'"),
    "unknown dataset": (["create_project", "new", "--dataset", "moon"], "there is no dataset “moon”"),
    "unknown lead": (["create_project", "new", "--lead", "moon"], "there is no user “moon”"),
}


@pytest.mark.parametrize("words", NOTHING_DONE)
def test_nothing_done_is_2_with_one_line(shell, shop, run_file, words):
    words, reason = NOTHING_DONE[words]
    before = (Project.objects.count(), User.objects.count(), AuditEvent.objects.count())
    words = [run_file if word == "PATH" else word for word in words]

    code, out, err = shell(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err
    code, out, err = shell(*words, "--json")
    assert (code, err.count("\n")) == (2, 1)
    assert reason in json.loads(out)["error"]
    assert (Project.objects.count(), User.objects.count(), AuditEvent.objects.count()) == before


def test_the_unexpected_is_70_and_an_object_too(shell, shop, run_file, monkeypatch):
    def break_down(*args, **options):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("annotate.management.commands.import_traces.import_traces", break_down)
    code, out, err = shell("import_traces", run_file, "--project", "shop", "--json")

    assert (code, json.loads(out)) == (70, {"error": "unexpected: ZeroDivisionError"})
    assert "Traceback" in err


def test_an_interruption_is_130_and_an_object_too(shell, shop, run_file, monkeypatch):
    def interrupt(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("annotate.management.commands.import_traces.import_traces", interrupt)
    code, out, err = shell("import_traces", run_file, "--project", "shop", "--json")

    assert (code, list(json.loads(out)), err) == (130, ["error"], "interrupted; what was stored before stays\n")


def test_commands_act_as_the_user_they_are_told(shell, shop, run_file):
    shell("import_traces", run_file, "--project", "shop", "--by", "ANN")

    assert AuditEvent.objects.get(verb="traces imported").by == make_user("ann")


def test_create_project_makes_its_dataset_and_its_lead(shell, db):
    mia = make_user("mia")
    code, out, err = shell("create_project", "new", "--overlap", "3", "--lead", "mia", "--json")

    assert (code, json.loads(out)) == (0, {"project": "new", "dataset": "new", "items": 0})
    project = Project.objects.get(slug="new")
    assert (project.overlap, project.memberships.get().user, project.layers) == (3, mia, ["user_script", "expected"])
    assert project.taxonomy_version.categories.count() == 9


# In a process of its own


def manage(*words, database):
    where = connection.settings_dict
    host = where["HOST"] or where["OPTIONS"].get("host", "")
    url = f"postgresql://{where['USER']}:{where['PASSWORD']}@/{database}?host={host}&port={where['PORT']}"
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, words)],
        cwd=REPOSITORY,
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_the_process_ends_with_the_code(transactional_db, run_file, tmp_path):
    make_project("shop", runs=0, members={})
    words = ["import_traces", run_file, "--project", "shop", "--json"]
    name = connection.settings_dict["NAME"]

    code, out, err = manage(*words, database=name)
    assert (code, json.loads(out)["stored"]) == (0, 1)
    run_file.write_text("[]")
    assert manage(*words, database=name)[0] == 1
    code, out, err = manage("import_traces", tmp_path / "none", "--project", "shop", "--json", database=name)
    assert (code, list(json.loads(out)), err.count("\n")) == (2, ["error"], 1)


@pytest.mark.slow
def test_a_database_without_tables_names_the_command_to_run(transactional_db, run_file):
    with connection.cursor() as cursor:
        name = f"{connection.settings_dict['NAME']}_bare"
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    try:
        code, out, err = manage("import_traces", run_file, "--project", "shop", "--json", database=name)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    assert (code, err.count("\n")) == (2, 1)
    assert "manage.py migrate" in json.loads(out)["error"]


@pytest.mark.slow
def test_a_database_that_is_not_there_is_said_in_a_line(transactional_db, run_file):
    code, out, err = manage("import_traces", run_file, "--project", "shop", "--json", database="no_such_database")

    assert (code, err.count("\n")) == (2, 1)
    assert "does not exist" in json.loads(out)["error"]
