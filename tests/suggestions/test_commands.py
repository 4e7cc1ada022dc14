"""suggest and import_suggestions: keys, exit codes, one-line reasons."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from suggestions.models import Violation
from tests.suggestions.samples import violation, written


def output(*args, code=None) -> dict:
    out = io.StringIO()
    if code is None:
        call_command(*args, "--json", stdout=out)
    else:
        with pytest.raises(SystemExit) as stop:
            call_command(*args, "--json", stdout=out)
        assert stop.value.code == code
    return json.loads(out.getvalue())


def test_suggest_tells_what_the_project_has_now(project):
    told = output("suggest", "--project", "shop", "--dry-run")
    assert {key: told[key] for key in ("trajectories", "violations", "not_evaluated", "cost")} == {
        "trajectories": 1,
        "violations": 1,
        "not_evaluated": 0,
        "cost": 0,
    }
    assert Violation.objects.count() == 0
    assert output("suggest", "--project", "shop")["evaluated"] == 1
    assert output("suggest", "--project", "shop")["evaluated"] == 0
    assert Violation.objects.count() == 1


def test_suggest_by_a_model_says_that_there_is_none(project):
    with pytest.raises(CommandError, match="no model is configured"):
        call_command("suggest", "--project", "shop", "--source", "llm")


def test_import_reports_by_record_and_exits_one_where_something_was_refused(project, tmp_path):
    path = written(tmp_path, [violation("shop-0"), violation("nobody")])
    told = output("import_suggestions", str(path), "--project", "shop", "--format", "agentrx", code=1)
    assert (told["read"], told["stored"], told["unchanged"]) == (2, 1, 0)
    assert [(r["file"], r["where"], r["code"]) for r in told["refused"]] == [("file.json", "/1", "unknown_trajectory")]


@pytest.mark.parametrize(
    ("content", "reason"), [("[1]", "must be an object with “keys”"), ('{"keys": [1]}', "must lead from old texts")]
)
def test_keys_that_are_none_are_a_reason(project, tmp_path, content, reason):
    path = written(tmp_path, [])
    keys = written(tmp_path, content, "keys.json")
    with pytest.raises(CommandError, match=reason):
        call_command(
            "import_suggestions", str(path), "--project", "shop", "--format", "catchbench", "--keys", str(keys)
        )


def test_a_file_that_is_not_there_is_a_reason(project, tmp_path):
    with pytest.raises(CommandError, match="does not exist"):
        call_command("import_suggestions", str(tmp_path / "no"), "--project", "shop", "--format", "jsonl")
