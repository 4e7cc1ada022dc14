"""Violations against labels: by hand, and against a slow and obvious count."""

import random

import pytest

from suggestions.alarms import Alarm, AlarmScore, score_alarms
from suggestions.scoring import Gold


def test_each_count_by_hand():
    gold = [
        Gold("covered", 10, 3, category="a"),
        Gold("named otherwise", 10, 3, category="a"),
        Gold("no target", 10, 3, category="a"),
        Gold("no category", 10, 3),
        Gold("missed", 20, 3, category="a"),
        Gold("silent", 40, 3, category="a"),
        Gold("no step", 30, None, category="a"),
    ]
    alarms = [
        Alarm("covered", 3, ("b",)),
        Alarm("covered", 3, ("c", "a")),
        Alarm("covered", 9, ("a",)),
        Alarm("named otherwise", 3, ("b",)),
        Alarm("no target", 3),
        Alarm("no category", 3, ("a",)),
        Alarm("missed", 4, ("a",)),
        Alarm("no step", 3, ("a",)),
        Alarm("not labelled", 3, ("a",)),
    ]
    found = score_alarms(gold, alarms)
    chance = (0.2 + 0.1 + 0.1 + 0.1 + 0.05 + 0) / 6
    assert found == AlarmScore(6, 5, 100, 6, 4, pytest.approx(chance), nameable=2, named=1)
    assert found.as_json() == {
        "n": 6,
        "runs": 5,
        "steps": 100,
        "alarms": 6,
        "alarms_per_100_steps": 6.0,
        "covered": 4,
        "share_covered": 0.6667,
        "chance": round(chance, 4),
        "category": {"n": 2, "named": 1},
    }


def test_without_labels_there_is_no_share():
    told = score_alarms([], [Alarm("run", 1)]).as_json()
    assert (told["n"], told["share_covered"], told["alarms_per_100_steps"]) == (0, None, None)


@pytest.mark.parametrize("seed", range(20))
def test_as_a_count_step_by_step_finds_it(seed):
    draw = random.Random(seed)
    gold = [
        Gold(str(run), n, draw.choice([None, draw.randrange(n)]), category=draw.choice(["", "a", "b"]))
        for run in range(8)
        for n in [draw.randint(1, 6)]
    ]
    alarms = [
        Alarm(label.run, step, tuple(draw.sample("abc", draw.randint(0, 2))))
        for label in gold
        for step in range(label.n_steps)
        for _ in range(draw.choice([0, 0, 1, 2]))
    ]
    found = score_alarms(gold, alarms)
    labelled = [label for label in gold if label.step is not None]
    at = {(alarm.run, alarm.step) for alarm in alarms}
    assert found.alarms == sum((label.run, step) in at for label in labelled for step in range(label.n_steps))
    assert found.covered == sum((label.run, label.step) in at for label in labelled)
    assert found.runs == sum(any((label.run, step) in at for step in range(6)) for label in labelled)
    assert found.named == sum(
        any(a.run == label.run and a.step == label.step and label.category in a.categories for a in alarms)
        for label in labelled
    )
