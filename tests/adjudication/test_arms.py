import random
from dataclasses import replace
from statistics import fmean

import pytest
from django.urls import reverse

from adjudication.arm_turns import turns_of
from adjudication.arms import HIDDEN, SHOWN, Turn, compared
from adjudication.bootstrap import Bootstrap
from adjudication.filtered import Reading
from annotate.actions import show_suggestions
from annotate.models import Assignment, Item, Project
from annotate.reveal import is_drawn
from suggestions.models import Judgement
from tests.adjudication.builders import item
from tests.factories import annotate_and_submit, do, hold, join, make_project, make_user

FEW = Bootstrap(b=200, seed=1)


def turn(run: str, annotator: str, arm: str, critical: int | None = 2, **more) -> Turn:
    given = {"outcome": "critical", "marks": (2,), "n_marks": 1, "seconds": 600, "suggested": frozenset({3})}
    return Turn(run, annotator, arm, critical=critical, **{**given, **more})


def value(told, key: str, name: str):
    return next(each for each in told["measures"] if each["key"] == key)[name]["value"]


def test_arms_are_told_side_by_side_with_their_difference():
    items = [item(f"t{n}") for n in range(4)]
    turns = [
        turn("t0", "ann", SHOWN, 3), turn("t0", "ben", SHOWN, 3), turn("t1", "ann", SHOWN, 3), turn("t1", "ben", SHOWN, 2),
        turn("t2", "ann", HIDDEN, 2, n_marks=3), turn("t2", "ben", HIDDEN, 4), turn("t3", "ann", HIDDEN, 2), turn("t3", "ben", HIDDEN, 3),
    ]  # fmt: skip
    told = compared(turns, items, FEW)

    assert told["arms"] == {arm: {"runs": 2, "annotations": 4, "people": 2} for arm in (SHOWN, HIDDEN)}
    assert [value(told, "critical_step_exact", name) for name in (SHOWN, HIDDEN, "difference")] == [0.5, 0.0, 0.5]
    assert [value(told, "critical_step_within_1", name) for name in (SHOWN, HIDDEN)] == [1.0, 0.5]
    assert [value(told, "marks", name) for name in (SHOWN, HIDDEN, "difference")] == [1.0, 1.5, -0.5]
    assert [value(told, "towards", name) for name in (SHOWN, HIDDEN, "difference")] == [0.75, 0.25, 0.5]
    assert value(told, "minutes", SHOWN) == 10
    low, high = next(each for each in told["measures"] if each["key"] == "towards")["difference"]["ci"]
    assert low <= 0.5 <= high


def test_means_weigh_every_run_once_as_a_slow_version_does():
    rng = random.Random(7)
    items = [item(f"t{n}") for n in range(12)]
    turns = [
        turn(f"t{n}", name, rng.choice([SHOWN, HIDDEN]), rng.choice([None, 1, 2, 3]), n_marks=rng.randrange(5))
        for n in range(12)
        for name in ("ann", "ben", "cleo")
    ]
    told = compared(turns, items, FEW)
    for arm in (SHOWN, HIDDEN):
        runs = sorted({each.item for each in turns if each.arm == arm})
        slow = fmean(fmean(each.n_marks for each in turns if each.arm == arm and each.item == run) for run in runs)
        assert value(told, "marks", arm) == pytest.approx(slow, abs=1e-6)


def test_what_became_of_suggestions_and_what_is_missing():
    turns = [
        turn("t0", "ann", SHOWN, shown=4, accepted=1, dismissed=2, seconds=0),
        turn("t1", "ben", SHOWN, None, shown=4),
    ]
    told = compared(turns, [item("t0"), item("t1")], FEW)

    assert (told["suggestions"]["shown"], told["suggestions"]["accepted"]["value"]) == (8, 0.125)
    assert told["suggestions"]["dismissed"]["value"] == 0.25
    assert value(told, "marks", HIDDEN) is None and value(told, "critical_step_exact", SHOWN) is None
    assert value(told, "minutes", "difference") is None
    assert compared([], [], FEW)["arms"][SHOWN]["annotations"] == 0


def test_the_shift_after_the_reveal_is_within_the_same_annotators():
    turns = [
        turn("t0", "ann", SHOWN, 3, marks=(1, 3), marks_before=(1,)),
        turn("t1", "ann", SHOWN, 3, marks=(3,), marks_before=(3,)),
        turn("t2", "ben", SHOWN, 2, marks=(2,), marks_before=(2,)),
    ]
    told = compared(turns, [item(f"t{n}") for n in range(3)], FEW)["since_reveal"]

    assert (told["n"], told["before"]["value"], told["after"]["value"]) == (3, 0.333333, 0.666667)
    assert compared([replace(turns[0], marks_before=None)], [item("t0")], FEW)["since_reveal"] is None


@pytest.fixture
def randomised(db):
    """Six runs with a model that names step 3; in the arm that shows it, Ann follows."""
    project = make_project(runs=6, steps=9, reveal="randomised")
    for each in Item.objects.select_related("project__taxonomy_version", "trajectory").order_by("pk"):
        Judgement.objects.create(
            trajectory=each.trajectory, source="made", model="m", protocol="all_at_once", critical_step=3
        )
        for name in ("ann", "ben"):
            user = make_user(name)
            hold(each, user)
            seen = show_suggestions(item=each, user=user)
            if seen and name == "ann":
                payload = {
                    "suggestion": seen[0].name,
                    "failure": "s1",
                    "fields": {"first_step": 3, "effect": "harmless"},
                }
                do(each, user, "accept", payload)
            annotate_and_submit(each, user, step=3 if seen else 2)
    Assignment.objects.update(active_seconds=120)
    Item.objects.update(settled_at="2026-03-29T10:00Z")
    return Project.objects.get(pk=project.pk)


def test_turns_are_in_the_arm_that_was_drawn(randomised):
    turns = turns_of(Reading.of(make_user("mia"), randomised, ["lead"]))
    drawn = {str(each.pk): SHOWN if is_drawn(each, 0) else HIDDEN for each in randomised.items.all()}

    assert len(turns) == 12 and all(each.arm == drawn[each.item] for each in turns)
    assert all(each.critical == (3 if each.arm == SHOWN else 2) for each in turns)
    assert {each.seconds for each in turns} == {120}
    assert {each.suggested for each in turns} == {frozenset({3})}
    assert {(each.annotator, each.shown, each.accepted) for each in turns if each.arm == SHOWN} <= {
        ("ann", 1, 1), ("ben", 1, 0),
    }  # fmt: skip


def test_the_page_shows_both_arms_to_leads_and_viewers(client, randomised):
    for name, status in (("mia", 200), ("vic", 200), ("ada", 403), ("ann", 403), ("eve", 404)):
        client.force_login(make_user(name))
        answer = client.get(reverse("arms", args=[randomised.slug]))
        assert answer.status_code == status
        if status == 200:
            assert "randomised by run" in answer.content.decode()
            assert ("marks per run" in answer.content.decode()) is bool(answer.context["told"]["arms"][SHOWN]["runs"])


def test_the_page_is_closed_to_who_may_still_annotate_a_few_of_the_runs(client, randomised):
    Item.objects.filter(pk=randomised.items.first().pk).update(settled_at=None)
    join(randomised, make_user("mia"), "annotator")
    randomised.items.first().exposures.all().delete()
    client.force_login(make_user("mia"))
    answer = client.get(reverse("arms", args=[randomised.slug]))
    assert answer.context["is_closed"] and "told" not in answer.context
