"""CatchBench's published caches score what its own board prints."""

import json
import re
from pathlib import Path

import pytest

from annotate.actions import ImportReport, create_project, import_traces
from people.actions import system_user
from suggestions.actions import import_suggestions
from suggestions.formats.reading import Options
from suggestions.queries import answers_by_judge
from suggestions.scoring import Gold, score
from tests.shared_data import shared

ROW = re.compile(r"\s+llm-judge (\S+) \((\S+)\)\s+(\d\.\d+)\s+(\d\.\d+)\s+(\d\.\d+)")


def caches() -> Path:
    catchbench = pytest.importorskip("catchbench", reason="the package with the published caches is not installed")
    return Path(catchbench.__file__).parent / "data"


def board() -> dict[tuple[str, str], tuple[float, ...]]:
    rows = ROW.findall((caches() / "golden" / "board.txt").read_text())
    return {(method.replace("-", "_"), model): tuple(map(float, figures)) for method, model, *figures in rows}


@pytest.mark.slow
@pytest.mark.django_db
def test_all_published_caches_score_what_the_golden_board_prints():
    runs = shared("whowhen/Algorithm-Generated")
    project = create_project(slug="ww", by=system_user())
    import_traces(project=project, paths=[runs], by=system_user())
    report = ImportReport()

    import_suggestions(
        dataset=project.dataset,
        paths=[caches() / "llm_judge"],
        format="catchbench",
        by=system_user(),
        report=report,
        options=Options({}),
    )

    assert (report.read, report.stored, report.refused) == (31 * 126, 31 * 126, [])
    gold = gold_of(runs, dict(project.dataset.trajectories.values_list("external_id", "pk")))
    answers = answers_by_judge(project.dataset)
    scored = {(judge.protocol, judge.model): score(gold, given) for judge, given in answers.items()}
    assert {key: (s.top1, s.top3, s.mrr) for key, s in printed(scored).items()} == board()
    assert scored["all_at_once", "gpt-oss-20b"].abstained == 6


def printed(scored):
    return {key: s.rounded(3) for key, s in scored.items()}


def gold_of(folder: Path, keys: dict[str, int]) -> list[Gold]:
    found = []
    for path in sorted(folder.glob("*.json")):
        run = json.loads(path.read_text())
        name = str(keys[run["question_ID"]])
        found.append(Gold(name, len(run["history"]), int(run["mistake_step"]), run["mistake_agent"]))
    return found
