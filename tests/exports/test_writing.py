import hashlib
import io
import json
import os
import zipfile

import pytest

from exports.errors import OtherFiles
from exports.formats import AgentRx, JsonLines, WhoWhen
from exports.rows import label_of
from exports.writing import save_file, save_folder, write_file, write_zip
from tests.exports.builders import ONE_SOURCE, make_mark, make_row

GOOD, BAD = make_row(), make_row(make_mark(is_critical=False), outcome="no_failure", trajectory_id="run-2")


def test_a_file_says_its_hash_and_who_is_not_in_it():
    out = io.BytesIO()

    tally = write_file(AgentRx(ONE_SOURCE), [GOOD, BAD, BAD.left_out("no gold label yet")], out)

    assert tally.as_json("x.json") == {
        "format": "agentrx",
        "records": 1,
        "path": "x.json",
        "sha256": hashlib.sha256(out.getvalue()).hexdigest(),
        "left_out": [
            {"source": "made", "trajectory": "run-2", "why": "no root cause: the outcome is no_failure"},
            {"source": "made", "trajectory": "run-2", "why": "no gold label yet"},
        ],
    }


def test_a_zip_has_the_same_bytes_twice():
    first, second = io.BytesIO(), io.BytesIO()

    tallies = [write_zip(WhoWhen(ONE_SOURCE), [GOOD], out) for out in (first, second)]

    assert first.getvalue() == second.getvalue()
    assert tallies[0].sha256 == tallies[1].sha256 == hashlib.sha256(first.getvalue()).hexdigest()
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["1.json"]


def test_many_files_come_as_lines_when_asked():
    out = io.BytesIO()

    write_file(WhoWhen(ONE_SOURCE), [GOOD], out)

    (line,) = out.getvalue().splitlines()
    assert (json.loads(line)["file"], json.loads(line)["content"]["mistake_step"]) == ("1.json", "3")


def test_our_own_lines_hold_the_whole_label():
    out = io.BytesIO()

    write_file(JsonLines(ONE_SOURCE), [GOOD, BAD], out)

    records = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [label_of(record) for record in records] == [GOOD.label, BAD.label]


def test_a_folder_is_replaced_where_it_holds_only_this_export(tmp_path):
    folder = tmp_path / "new" / "ww"

    first = save_folder(WhoWhen(ONE_SOURCE), [GOOD], folder)
    (folder / "1.json").write_text("old")
    second = save_folder(WhoWhen(ONE_SOURCE), [GOOD], folder)

    assert first.sha256 == second.sha256
    assert json.loads((folder / "1.json").read_text())["question_ID"] == "run-1"
    assert [path.name for path in folder.parent.iterdir()] == ["ww"]


@pytest.mark.parametrize("other", ["notes.txt", "2.json", "deep/1.json"])
def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path, other):
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).write_text("mine")

    with pytest.raises(OtherFiles, match="holds"):
        save_folder(WhoWhen(ONE_SOURCE), [GOOD], tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [other.split("/")[-1]]


def test_a_folder_that_is_reached_through_a_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "ww").mkdir()
    (tmp_path / "ww" / "1.json").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OtherFiles):
        save_folder(WhoWhen(ONE_SOURCE), [GOOD], tmp_path / "ww")


def test_a_file_that_fails_half_way_leaves_the_old_one(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")

    def rows():
        yield GOOD
        raise RuntimeError

    with pytest.raises(RuntimeError):
        save_file(AgentRx(ONE_SOURCE), rows(), path)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("out.json", "old")]


def test_a_link_stays_and_the_file_it_leads_to_is_written(tmp_path):
    (tmp_path / "latest.json").symlink_to(tmp_path / "out.json")

    for _ in range(2):
        save_file(AgentRx(ONE_SOURCE), [GOOD], tmp_path / "latest.json")

    assert (tmp_path / "latest.json").is_symlink() and not (tmp_path / "out.json").is_symlink()
    assert json.loads((tmp_path / "out.json").read_text())[0]["trajectory_id"] == "run-1"


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    tally = save_file(AgentRx(ONE_SOURCE), [GOOD], path)

    assert path.is_fifo() and hashlib.sha256(os.read(reading, 100_000)).hexdigest() == tally.sha256
    os.close(reading)
