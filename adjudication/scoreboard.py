"""Every source of suggestions against labels: pure of requests, one query per table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from adjudication.labels import Labels
from adjudication.models import DeclaredContrast
from annotate.models import Project
from suggestions.alarms import score_alarms
from suggestions.contrasts import Contrast, Tested, compare
from suggestions.queries import Judge, alarms_by_checker, answers_by_judge
from suggestions.scoring import Answer, Gold, Score, over_runs, score
from taxonomy.actions import spellings
from taxonomy.presets.spelling import fold

Answers = Mapping[Judge, Sequence[Answer]]


def name_of(judge: Judge) -> str:
    """What a contrast calls a source: source/model/protocol, and the run where there are several."""
    return "/".join(filter(None, judge[:3])) + (f"#{judge.run}" if judge.run else "")


def scoreboard(project: Project, labels: Labels) -> dict[str, Any]:
    """The shape of `scoreboard --json`, best Top-1 first. A label is left out for a model that touched it."""
    known = keys_by_spelling(project)
    answers = answers_by_judge(project.dataset, lambda spelling: known.get(fold(spelling), spelling))
    declared = list(DeclaredContrast.objects.filter(project=project))
    scores = {judge: score(untouched(labels, judge.model), given) for judge, given in answers.items()}
    order = sorted(scores, key=lambda judge: (-scores[judge].top1, -scores[judge].mrr, judge))
    return {
        "project": project.slug,
        "labels": labels.name,
        "gold": {"n": sum(label.step is not None for label in labels.gold), "labelled": len(labels.gold)},
        "sources": [told_of(judge, scores[judge], touched_by(labels, judge.model)) for judge in order],
        "violations": violations_scored(project, labels),
        "models": over_repeated_runs(scores),
        "contrasts": contrasts(labels, answers, [each for each in declared if each.before_scoring]),
        "contrasts_after_scoring": contrasts(labels, answers, [each for each in declared if not each.before_scoring]),
    }


def violations_scored(project: Project, labels: Labels) -> list[dict[str, Any]]:
    """Sources that only say which constraint a step breaks: they name no critical step, so they are in no contrast."""
    known = keys_by_spelling(project)
    found = alarms_by_checker(project.dataset, lambda spelling: known.get(fold(spelling), ""))
    return [
        {"name": checker.name, **checker._asdict()}
        | score_alarms(untouched(labels, checker.author), alarms).as_json()
        | {"touched": touched_by(labels, checker.author)}
        for checker, alarms in found.items()
    ]


def keys_by_spelling(project: Project) -> dict[str, str]:
    return {spelling: category.key for spelling, category in spellings(project.taxonomy_version).items()}


def untouched(labels: Labels, *authors: str) -> list[Gold]:
    return [label for label in labels.gold if not labels.touched.get(label.run, frozenset()) & set(authors)]


def touched_by(labels: Labels, author: str) -> int:
    """Labels with a step that this model's or source's suggestion touched."""
    return sum(label.step is not None and author in labels.touched.get(label.run, ()) for label in labels.gold)


def told_of(judge: Judge, found: Score, touched: int) -> dict[str, Any]:
    return {"name": name_of(judge), **judge._asdict(), **found.as_json(), "touched": touched}


def over_repeated_runs(scores: Mapping[Judge, Score]) -> list[dict[str, Any]]:
    """Mean and deviation where one model ran one protocol more than once."""
    grouped: dict[tuple, list[Score]] = defaultdict(list)
    for judge in sorted(scores):
        grouped[judge[:3]].append(scores[judge])
    return [
        {"source": source, "model": model, "protocol": protocol, "runs": len(found), **over_runs(found)}
        for (source, model, protocol), found in grouped.items()
        if len(found) > 1
    ]


def contrasts(labels: Labels, answers: Answers, declared: Sequence[DeclaredContrast]) -> list[dict[str, Any]]:
    """The tests of one family. A contrast with a source that has no answers is named, not tested."""
    by_name = {name_of(judge): given for judge, given in answers.items()}
    model = {name_of(judge): judge.model for judge in answers}
    testable = [each for each in declared if each.a in by_name and each.b in by_name]
    named = {model[name] for each in testable for name in (each.a, each.b)}
    family = [Contrast(each.a, each.b) for each in testable]
    # One set of labels for the whole family: those that none of its models touched.
    tested = compare(family, untouched(labels, *named), by_name)
    missing = [
        {"a": each.a, "b": each.b, "verdict": "not tested: no answers"} for each in declared if each not in testable
    ]
    return [*map(told_of_test, tested), *missing]


def told_of_test(test: Tested) -> dict[str, Any]:
    return {
        "a": test.contrast.a,
        "b": test.contrast.b,
        "measure": test.measure,
        "n": test.n,
        "value_a": round(test.a, 4),
        "value_b": round(test.b, 4),
        "p": round(test.p, 6),
        "p_holm": round(test.adjusted, 6),
        "verdict": test.verdict,
    }
