"""Scorers against published conventions and figures."""

import json

import pytest

from annotate.formats import read_labels
from annotate.formats.drafts import LabelDraft
from suggestions.scoring import Answer, Gold, over_runs, rank, score
from taxonomy.presets import load
from taxonomy.presets.spelling import resolve
from tests.shared_data import shared


def agentrx(path: str) -> list[Gold]:
    preset = load("agentrx")
    found = []
    labels = (label for label in read_labels([shared(path)], "agentrx") if isinstance(label, LabelDraft))
    for label in labels:
        critical = next(failure for failure in label.failures if failure.key == label.critical_key)
        categories = [resolve(preset, failure.category_raw or "") or "" for failure in label.failures]
        category = resolve(preset, critical.category_raw or "") or ""
        found.append(
            Gold(str(label.external_id), 200, critical.number, critical.participant, category, tuple(categories))
        )
    return found


def perfect(gold: list[Gold], shift: int = 0, category: str | None = None) -> list[Answer]:
    return [
        Answer(g.run, (g.step or 0) + shift, g.participant, g.category if category is None else category) for g in gold
    ]


@pytest.mark.parametrize(
    ("path", "n", "categories"),
    [
        (
            "agentrx/ground_truth/tau_ground_truth.json",
            29,
            {"critical": 29, "any": 29, "earliest": 27, "terminal": 24},
        ),
        (
            "agentrx/ground_truth/magentic_one_ground_truth.json",
            44,
            {"critical": 44, "any": 44, "earliest": 28, "terminal": 26},
        ),
    ],
)
def test_perfect_predictions_score_as_in_the_benchmark(path, n, categories):
    gold = agentrx(path)
    told = score(gold, perfect(gold))
    assert (told.n, told.exact, told.within[1], told.mean_distance, told.category) == (n, n, n, 0, categories)
    assert (told.agent, told.coverage, told.top1) == (n, 1.0, 1.0)


def test_one_step_off_in_another_category_scores_as_in_the_benchmark():
    gold = agentrx("agentrx/ground_truth/tau_ground_truth.json")
    told = score(gold, perfect(gold, shift=1, category="another"))
    assert (told.exact, told.within[1], told.mean_distance) == (0, 29, 1.0)
    assert told.category == {"critical": 0, "any": 0, "earliest": 0, "terminal": 0}


def test_whowhen_labels_against_agentrx_give_the_published_agreement():
    gold = agentrx("agentrx/ground_truth/magentic_one_ground_truth.json")
    answers = []
    for path in shared("whowhen/Hand-Crafted").glob("*.json"):
        run = json.loads(path.read_text())
        answers.append(Answer(run["question_ID"], int(run["mistake_step"]) + 1, run["mistake_agent"]))
    told = score(gold, answers)
    assert (told.n, told.exact, told.within) == (44, 16, {1: 21, 3: 25, 5: 28})
    assert round(told.mean_distance, 4) == 7.6591
    assert told.agent == 27


RUN = Gold("r", 6, 3, "Orchestrator", "b", ("a", "b"))


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        (Answer("r", 3), 1),
        (Answer("r", 1, ranking=(1, 3)), 2),
        (Answer("r", 1, ranking=(1, 2)), 4),  # after both, 0 comes first
        (Answer("r", 5, ranking=(3, 5)), 2),  # the named step goes before its ranking
        (Answer("r", None), 4),  # an abstention leaves the steps in the order of the run
        (Answer("r", 3, names_one_step=True), 1),
        (Answer("r", 2, names_one_step=True), None),
    ],
)
def test_rank_of_the_labelled_step(answer, place):
    assert rank(RUN, answer) == place


def test_abstentions_are_wrong_answers_and_missing_records_lower_the_coverage():
    other, unlabelled = Gold("s", 6, 0), Gold("t", 6, None)
    told = score([RUN, other, unlabelled], [Answer("r", None, names_one_step=True)])
    assert (told.n, told.coverage, told.abstained, told.exact, told.mean_distance) == (1, 0.5, 1, 0, None)


def test_floors_are_the_chance_of_a_blind_guess_within_the_run():
    told = score([RUN, Gold("s", 2, 0)], [Answer("r", 3), Answer("s", 0)])
    assert told.floor == {0: (1 / 6 + 1 / 2) / 2, 1: (3 / 6 + 1) / 2, 3: (6 / 6 + 1) / 2, 5: 1.0}


def test_names_differ_by_more_than_case_and_notes():
    answers = [Answer("r", 3, "orchestrator (-> WebSurfer)")]
    assert score([RUN], answers).agent == 1
    assert score([RUN], [Answer("r", 3, "WebSurfer")]).agent == 0
    assert score([Gold("r", 6, 3)], [Answer("r", 3, "")]).agent == 0


def test_mean_and_deviation_over_runs():
    right, wrong = score([RUN], [Answer("r", 3)]), score([RUN], [Answer("r", 0, names_one_step=True)])
    assert over_runs([right, wrong])["top1"] == {"mean": 0.5, "std": 0.5}
    assert over_runs([right])["top1"] == {"mean": 1.0, "std": None}


def test_nothing_to_score_is_no_error():
    told = score([], [])
    assert (told.n, told.coverage, told.mean_distance, told.as_json()["exact"]) == (0, 0.0, None, 0)
