"""Suggestions from files as rows: stored, unchanged or refused, each record by itself."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.actions import ImportReport
from people.actions import system_user
from suggestions.actions import import_suggestions, imports
from suggestions.formats.reading import Options
from suggestions.models import Constraint, Judgement, Violation
from suggestions.targets import run_key
from tests.factories import make_project, make_trajectory
from tests.suggestions.samples import LOG, cache, constraint, judged, prediction, violation, written

RECORD = {"question_ID": "q1", "history": [{"content": "ä", "role": "user", "name": "A"}], "mistake_step": "0"}


def take(project, path, format, source=None, **options) -> ImportReport:
    report = ImportReport()
    import_suggestions(
        dataset=project.dataset,
        paths=[path],
        format=format,
        by=system_user(),
        report=report,
        options=Options(**{"keys": {}, **options}),
        source=source,
    )
    return report


def counts(report: ImportReport) -> tuple[int, int, list[str]]:
    return report.stored, report.unchanged, [problem.code for problem in report.refused]


def whowhen(project, number: int, **fields):
    raw = json.dumps(RECORD | fields, indent=2).encode()
    origin = {"format": "whowhen", "file": f"{number}.json", "where": "file", "number": number}
    return make_trajectory(project, f"q{number}", origin=origin, raw=raw, source="whowhen-hand-crafted")


def test_a_violation_log_is_stored_at_its_position_and_the_same_log_again_changes_nothing(project, tmp_path):
    path = written(tmp_path, [violation("shop-0", 2)])
    assert counts(take(project, path, "agentrx")) == (1, 0, [])
    assert counts(take(project, path, "agentrx")) == (0, 1, [])
    row = Violation.objects.get()
    assert (row.step, row.source, row.constraint.name, row.constraint.check_type) == (
        2,
        "agentrx",
        "order_is_named",
        "log",
    )


def test_another_word_on_the_same_violation_is_refused(project, tmp_path):
    take(project, written(tmp_path, [violation("shop-0")]), "agentrx")
    path = written(tmp_path, [violation("shop-0", evidence={"other": 1})])
    assert counts(take(project, path, "agentrx")) == (0, 0, ["differs"])


@pytest.mark.parametrize(
    ("record", "code"),
    [(violation("nobody"), "unknown_trajectory"), (violation("shop-0", 4), "step_out_of_range")],
)
def test_what_fits_no_run_is_refused_and_the_others_are_stored(project, tmp_path, record, code):
    report = take(project, written(tmp_path, [record, violation("shop-0")]), "agentrx")
    assert (report.read, *counts(report)) == (2, 1, 0, [code])


def test_an_id_of_two_runs_is_refused_unless_the_source_narrows_it(project, tmp_path):
    make_trajectory(project, "shop-0", source="elsewhere")
    path = written(tmp_path, [violation("shop-0")])
    assert counts(take(project, path, "agentrx")) == (0, 0, ["ambiguous"])
    assert counts(take(project, path, "agentrx", source="elsewhere")) == (1, 0, [])


def test_a_judge_counts_from_one(project, tmp_path):
    path = written(tmp_path, {"detailed_results": [judged("shop-0", 3), judged("shop-0", 9)]}, "run1.json")
    assert counts(take(project, path, "agentrx", model="tiny")) == (1, 0, ["step_out_of_range"])
    row = Judgement.objects.get()
    assert (row.critical_step, row.model, row.run, row.category) == (
        2,
        "tiny",
        "run1",
        "Misinterpretation of Tool Output",
    )


def test_repeated_runs_of_one_model_stand_beside_each_other_but_one_run_says_one_thing(project, tmp_path):
    take(project, written(tmp_path, {"detailed_results": [judged("shop-0", 3)]}, "run1.json"), "agentrx")
    second = written(tmp_path, {"detailed_results": [judged("shop-0", 2)]}, "run2.json")
    assert counts(take(project, second, "agentrx")) == (1, 0, [])
    assert counts(take(project, second, "agentrx", run="run1")) == (0, 0, ["differs"])


def test_a_log_names_runs_by_the_number_of_their_file(project, tmp_path):
    whowhen(project, 1)
    assert counts(take(project, written(tmp_path, LOG, "log.txt"), "whowhen")) == (1, 0, ["unknown_trajectory"])
    row = Judgement.objects.get()
    assert (row.trajectory.external_id, row.critical_step, row.participant) == ("q1", 2, "Lamp_Expert")


def test_a_cache_names_runs_by_the_hash_of_their_record_whatever_its_spacing(project, tmp_path):
    whowhen(project, 1)
    key = run_key(json.dumps(RECORD).encode())
    assert counts(take(project, written(tmp_path, cache({key: prediction(1, [1, 0])})), "catchbench")) == (1, 0, [])
    assert (Judgement.objects.get().ranking, Judgement.objects.get().protocol) == ([1, 0], "all_at_once")


def test_records_with_equal_histories_and_other_labels_have_other_keys(project, tmp_path):
    whowhen(project, 1)
    whowhen(project, 2, mistake_step="1")
    key = run_key(json.dumps(RECORD | {"mistake_step": "1"}).encode())
    take(project, written(tmp_path, cache({key: prediction(1, [1])})), "catchbench")
    assert Judgement.objects.get().trajectory.external_id == "q2"


def test_constraints_are_repaired_when_they_come_in_and_what_cannot_run_is_said(project, tmp_path):
    broken = constraint("broken", python_check={"function_name": "f", "code_lines": ["def f(:"]})
    path = written(tmp_path, {"invariants": [constraint(), broken]})
    report = take(project, path, "agentrx")
    assert counts(report) == (2, 0, [])
    assert [problem.code for problem in report.warnings] == ["check_repaired", "check_cannot_run"]
    assert counts(take(project, path, "agentrx")) == (0, 2, [])
    rows = Constraint.objects.order_by("pk").values_list("name", "repairs", "dataset")
    assert list(rows) == [
        ("order_is_named", ["full_docstring_quotes"], project.dataset_id),
        ("broken", [], project.dataset_id),
    ]


def test_a_dynamic_constraint_belongs_to_its_run(project, tmp_path):
    output = {"step_num": 3, "parsed": {"step_num": 3, "invariant": [constraint()]}}
    path = written(tmp_path, {"trajectory_id": "shop-0", "per_step_outputs": [output]})
    assert counts(take(project, path, "agentrx")) == (1, 0, [])
    row = Constraint.objects.get()
    assert (row.trajectory.external_id, row.from_position) == ("shop-0", 2)


def judgements(folder, *records: dict, name: str = "file.jsonl"):
    lines = ({"trajectory_id": "shop-0", "model": "tiny", "critical_step": 1} | record for record in records)
    return written(folder, "\n".join(map(json.dumps, lines)), name)


def test_judgements_are_stored_in_batches_and_each_costs_only_itself(project, tmp_path, monkeypatch):
    monkeypatch.setattr(imports, "BATCH", 2)
    records = [{"run": "1"}, {"run": "2", "critical_step": 9}, {"run": "3"}, {"run": "4", "model": []}, {"run": "5"}]
    path = judgements(tmp_path, *records)
    report = take(project, path, "jsonl")
    assert counts(report) == (3, 0, ["step_out_of_range", "bad_field"])
    assert [problem.where for problem in report.refused] == ["line 2", "line 4/model"]
    assert list(Judgement.objects.order_by("run").values_list("run", flat=True)) == ["1", "3", "5"]
    assert counts(take(project, path, "jsonl")) == (0, 3, ["step_out_of_range", "bad_field"])


@pytest.mark.parametrize("batch", [1, 500])
def test_what_a_file_says_twice_is_compared_with_the_first(project, tmp_path, monkeypatch, batch):
    monkeypatch.setattr(imports, "BATCH", batch)
    report = take(project, judgements(tmp_path, {}, {"reason": "other"}, {}, {"model": "large"}), "jsonl")
    assert counts(report) == (2, 1, ["differs"])
    assert [(problem.where, problem.message) for problem in report.refused] == [
        ("line 2", "tiny said something else about made/shop-0 before; give this one another --run")
    ]
    assert list(Judgement.objects.order_by("pk").values_list("model", "reason")) == [("tiny", ""), ("large", "")]


def test_many_judgements_take_as_many_queries_as_one(project, tmp_path):
    def queries(*runs):
        path = judgements(tmp_path, *({"run": run} for run in runs))
        with CaptureQueriesContext(connection) as asked:
            take(project, path, "jsonl")
        return len(asked)

    assert queries("1") == queries("2", "3", "4")


@pytest.mark.django_db(transaction=True)
def test_two_imports_of_one_file_at_once_store_each_judgement_once(tmp_path, monkeypatch):
    project, both, known = make_project("shop"), Barrier(2), imports._known
    path = judgements(tmp_path, {"run": "1"}, {"run": "2"})
    system_user()

    def read_then_wait(rows):
        found = known(rows)
        with suppress(BrokenBarrierError):  # the second comes here only once the first has written
            both.wait(timeout=0.5)
        return found

    def worker(_):
        try:
            return take(project, path, "jsonl")
        finally:
            connection.close()

    monkeypatch.setattr(imports, "_known", read_then_wait)
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(worker, range(2)))

    assert sorted(map(counts, reports)) == [(0, 2, []), (2, 0, [])]
    assert Judgement.objects.count() == 2
