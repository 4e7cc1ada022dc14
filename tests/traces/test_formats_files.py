"""Files, folders and broken text: each costs itself only, and says where and why."""

import codecs
import json
import os
import tracemalloc

import pytest

from tests.shared_data import shared
from tests.traces.reading import places, split, written
from traces.formats import read_traces
from traces.formats.documents import documents
from traces.formats.files import SourceNotFound
from traces.formats.reading import UnknownFormat

RUN = {"task_id": 1, "traj": [{"role": "user", "content": "hi"}]}
LINE = json.dumps(RUN)


def words(drafts):
    return [[block.text for step in draft.steps for block in step.blocks] for draft in drafts]


def test_a_path_that_does_not_exist_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(SourceNotFound, match="does not exist"):
        read_traces([tmp_path / "nowhere.json"])


def test_a_format_nobody_knows_names_the_known_ones(tmp_path):
    with pytest.raises(UnknownFormat, match="known are auto, whowhen, tau, agentrx-ir, magentic"):
        read_traces([tmp_path], format="tua")


def test_a_folder_is_walked_in_sorted_order_and_names_stay_relative(tmp_path):
    folder = tmp_path / "runs"
    for name in ("b/2.json", "a.json", "b/1.json"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(LINE)
    drafts, _ = split(read_traces([folder]))
    assert [draft.origin["file"] for draft in drafts] == ["runs/a.json", "runs/b/1.json", "runs/b/2.json"]


def test_links_that_leave_the_folder_are_refused_and_others_read(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    (tmp_path / "outside.json").write_text(LINE)
    (folder / "here.json").write_text(LINE)
    (folder / "inside.json").symlink_to(folder / "here.json")
    (folder / "out.json").symlink_to(tmp_path / "outside.json")
    (folder / "up").symlink_to(tmp_path)
    (folder / "gone.json").symlink_to(folder / "nothing.json")
    (folder / "self.json").symlink_to(folder / "self.json")
    os.mkfifo(folder / "pipe.json")
    drafts, problems = split(read_traces([folder]))
    assert [draft.origin["file"] for draft in drafts] == ["runs/here.json", "runs/inside.json"]
    assert sorted((problem.file, problem.code) for problem in problems) == [
        ("runs/gone.json", "not_a_file"),
        ("runs/out.json", "symlink_outside"),
        ("runs/pipe.json", "not_a_file"),
        ("runs/self.json", "symlink_outside"),
        ("runs/up", "symlink_outside"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + LINE.encode(),
        LINE.encode("utf-16"),
        LINE.replace(" ", "\r\n ").encode(),
        f"[{LINE}]".encode(),
        f"\n{LINE}\r\n\n".encode(),
    ],
)
def test_byte_order_marks_line_ends_and_lists_do_not_matter(tmp_path, data):
    drafts, problems = written(tmp_path, "runs.bin", data)
    assert (words(drafts), problems) == ([["hi"]], [])


def test_one_bad_line_costs_itself_only(tmp_path):
    drafts, problems = written(tmp_path, "runs.jsonl", f'{LINE}\n{{"task_id":\n\n{LINE}\n')
    assert len(drafts) == 2
    assert places(problems) == [("refused", "invalid_json_line", "line 2")]
    assert [(draft.origin["where"], draft.raw) for draft in drafts] == [
        ("line 1", LINE.encode()),
        ("line 4", LINE.encode()),
    ]


def test_documents_in_a_row_are_read_up_to_the_broken_one(tmp_path):
    drafts, problems = written(tmp_path, "runs.json", json.dumps(RUN, indent=1) * 2 + '{"task_id')
    assert [draft.origin["where"] for draft in drafts] == ["document 1", "document 2"]
    assert places(problems) == [("refused", "not_json", "document 3")]


def test_lines_are_read_one_at_a_time():
    data = b"".join(b'{"number": %d, "text": "%s"}\n' % (number, b"x" * 1000) for number in range(3000))
    tracemalloc.start()

    found = [document.where for document in documents(data, "runs.jsonl")]

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [f"line {number}" for number in range(1, 3001)]
    assert peak < 1.5 * len(data)  # the text is one copy already


def test_line_separators_inside_a_text_end_no_line(tmp_path):
    run = {"task_id": 1, "traj": [{"role": "user", "content": "a\u2028b\x85c"}]}
    text = json.dumps(run, ensure_ascii=False)
    drafts, problems = written(tmp_path, "runs.jsonl", f"{text}\n{text}\n")
    assert (words(drafts), problems) == ([["a\u2028b\x85c"]] * 2, [])


def test_what_cannot_be_stored_is_replaced_and_the_raw_bytes_kept(tmp_path):
    data = rb'{"task_id": 1, "traj": [{"role": "user", "content": "a\u0000b\ud83dc' + b'\xff"}], "x": NaN, "y": 1e999}'
    [draft], problems = written(tmp_path, "run.json", data)
    assert words([draft]) == [["a\ufffdb\ufffdc\ufffd"]]
    assert draft.raw == data
    assert draft.origin["extras"] == {"x": "NaN", "y": "Infinity"}
    assert places(problems) == [
        ("warning", "replaced_characters", "/traj/0/content"),
        ("warning", "non_finite_number", "/x"),
    ]


def test_huge_whole_numbers_are_kept(tmp_path):
    digits = "9" * 5000
    text = f'{{"task_id": {2**70}, "traj": [{{"role": "user", "content": "hi"}}], "n": {digits}}}'
    [draft], _ = written(tmp_path, "run.json", text)
    assert (draft.external_id, draft.origin["extras"]["n"]) == (2**70, digits)


def test_a_key_given_twice_is_reported_and_the_last_value_counts(tmp_path):
    drafts, problems = written(tmp_path, "run.json", LINE.replace('"role"', '"role": "system", "role"'))
    assert words(drafts) == [["hi"]]
    assert places(problems) == [("warning", "duplicate_key", "file")]
    assert '"role"' in problems[0].message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("null", "empty"),
        ("[]", "empty"),
        ("{}", "empty"),
        ("0", "unknown_format"),
        ('"text"', "unknown_format"),
        ("<html>", "unknown_format"),
        ('{"messages": []}', "unknown_format"),
        ('[{"role": "user", "content": "hi"}]', "unknown_format"),
        ('{"a": [1, 2', "not_json"),
        ("[" * 100_000, "too_deep"),
        ("[" * 300 + "]" * 300, "too_deep"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "too_deep"),
        ('[{"trajectory_id": "a", "failures": [], "root_cause": null}]', "label_file"),
        ('{"a": 1}\n{"b": 2}\n{"c', "unknown_format"),
    ],
)
def test_a_file_without_records_is_one_refused_problem(tmp_path, text, code):
    drafts, problems = written(tmp_path, "file.json", text)
    assert (drafts, places(problems)) == ([], [("refused", code, "file")])


def test_a_label_file_is_told_which_command_reads_it(tmp_path):
    _, [problem] = written(tmp_path, "gt.json", '[{"trajectory_id": "a", "failures": [], "root_cause": null}]')
    assert "import_labels" in problem.message


def test_source_and_domain_can_be_named(tmp_path):
    [draft], _ = written(tmp_path, "run.json", LINE, source="ours", domain="shop")
    assert (draft.source, draft.domain) == ("ours", "shop")


def test_a_named_format_reads_what_detection_would_not(tmp_path):
    text = '[{"role": "Planner", "content": "go"}]'
    assert written(tmp_path, "run.json", text)[0] == []
    [draft], problems = written(tmp_path, "run.json", text, format="magentic")
    assert ([step.agent for step in draft.steps], problems) == (["Planner"], [])


def test_names_too_long_to_store_are_cut_and_reported(tmp_path):
    text = json.dumps([{"role": "P" * 500, "content": "go"}, {"role": " " * 100_000 + "Q (", "content": "go"}])
    [draft], problems = written(tmp_path, "run.json", text, format="magentic")
    assert [len(step.role) for step in draft.steps] == [200, 200]
    assert places(problems) == [("warning", "long_name", "/0")]


def test_no_sample_of_another_format_raises_and_each_unread_file_is_one_refusal():
    for path in sorted(shared("formats").rglob("*")):
        if path.is_file():
            drafts, problems = split(read_traces([path]))
            refused = [problem for problem in problems if problem.severity == "refused"]
            assert drafts or len(refused) == 1, path


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("not_json.json", "unknown_format"),
        ("empty.json", "empty"),
        ("null.json", "empty"),
        ("empty_list.json", "empty"),
        ("deep_nesting_5000.json", "too_deep"),
        ("truncated__atif.json", "not_json"),
        ("jsonl_one_bad_line.jsonl", "unknown_format"),
        ("lone_surrogate.jsonl", "unknown_format"),
        ("nan_infinity__smolagents.json", "unknown_format"),
    ],
)
def test_awkward_files_are_refused_by_what_they_are(name, code):
    drafts, problems = split(read_traces([shared(f"formats/awkward/{name}")]))
    assert (drafts, [problem.code for problem in problems]) == ([], [code])
