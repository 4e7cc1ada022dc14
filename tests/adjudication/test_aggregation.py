import numpy as np
import pytest

from adjudication.aggregation import Vote, critical_labels, majority, one_coin
from adjudication.judgements import Study
from tests.adjudication.builders import item, judged

SKILL = {"ann": 0.9, "ben": 0.8, "eve": 0.15, "mia": 0.3, "zoe": 0.25}


def _votes(seed: int, n: int = 300, n_steps: int = 12) -> tuple[list[Vote], list[int]]:
    random = np.random.default_rng(seed)
    truth = random.integers(0, n_steps, n)
    votes = []
    for right in truth:
        wrong = {name: int((right + random.integers(1, n_steps)) % n_steps) for name in SKILL}
        votes.append(Vote({k: int(right) if random.random() < p else wrong[k] for k, p in SKILL.items()}, n_steps))
    return votes, truth.tolist()


def test_a_majority_needs_more_than_any_other():
    assert (majority([3, 3, 5]), majority([3, 5]), majority([]), majority([4])) == (3, None, None, 4)


def test_the_model_finds_who_is_reliable_and_beats_the_majority():
    votes, truth = _votes(seed=1)
    fit = one_coin(votes)
    assert fit.skill == pytest.approx(SKILL, abs=0.07)
    chosen = [max(posterior, key=posterior.__getitem__) for posterior in fit.posteriors]
    right = np.mean([a == b for a, b in zip(chosen, truth, strict=True)])
    by_majority = np.mean([majority(list(v.answers.values())) == b for v, b in zip(votes, truth, strict=True)])
    assert right > by_majority + 0.1
    told = np.mean([max(posterior.values()) for posterior in fit.posteriors])
    assert told == pytest.approx(right, abs=0.05)


def test_the_same_votes_give_the_same_fit():
    votes, _ = _votes(seed=2, n=40)
    again = [Vote(dict(reversed(vote.answers.items())), vote.options) for vote in votes]
    assert one_coin(again).skill == pytest.approx(one_coin(votes).skill)


def test_one_answer_only_is_shrunk_towards_everybody():
    votes, _ = _votes(seed=3, n=60)
    lucky = Vote(votes[0].answers | {"new": votes[0].answers["ann"]}, 12)
    fit = one_coin([lucky, *votes[1:]])
    assert abs(fit.skill["new"] - fit.pooled) < 0.2 < fit.skill["ann"] - fit.skill["new"]


def test_disagreement_of_all_leaves_room_for_a_step_nobody_named():
    posterior = one_coin([Vote({"ann": 1, "ben": 5, "mia": 9}, 50)]).posteriors[0]
    assert sum(posterior.values()) < 1


def test_labels_take_the_step_and_then_the_category_of_those_who_named_it():
    found = [judged("t1", name, 3, category="Tool") for name in ("ann", "ben")]
    found += [judged("t1", "mia", 7, category="Plan"), judged("t1", "zoe", 8, category="Plan"), judged("t2", "ann")]
    label = critical_labels(Study.of([item("t1"), item("t2")], found))["t1"]
    assert (label.step, label.category, label.how) == (3, "Tool", "one-coin")
    assert label.step_probability > 0.9


def test_two_annotators_are_settled_by_majority_only():
    found = [judged("t1", "ann", 3, category="Tool"), judged("t1", "ben", 3)]
    found += [judged("t2", "ann", 3), judged("t2", "ben", 4)]
    labels = critical_labels(Study.of([item("t1"), item("t2")], found))
    assert (labels["t1"].step, labels["t1"].category, labels["t1"].how) == (3, "Tool", "majority")
    assert (labels["t2"].step, labels["t2"].category) == (None, None)
