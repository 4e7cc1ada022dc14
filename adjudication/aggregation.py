"""One label out of several judgements: by majority, or with three or more annotators by how reliable each is.

The one-coin model: an annotator is right with a probability of their own, and when wrong names any other option
alike. The probabilities are shrunk towards that of everybody, because most annotators share few items with others.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudication.judgements import Judgement, Study

STRENGTH = 4.0
ROUNDS = 200
CLOSE = 1e-6
LEAST, MOST = 0.02, 0.98


@dataclass(frozen=True, slots=True)
class Vote:
    """One item: who answered what, and out of how many options an answer could come."""

    answers: Mapping[str, Hashable]
    options: int


@dataclass(frozen=True, slots=True)
class CoinFit:
    """Per vote the probability of each named answer; what is missing to 1 lies with answers that nobody named."""

    posteriors: tuple[dict[Hashable, float], ...]
    skill: dict[str, float]
    pooled: float


@dataclass(frozen=True, slots=True)
class CriticalLabel:
    step: int | None
    step_probability: float | None
    category: str | None
    category_probability: float | None
    how: str


def majority(answers: Sequence[Hashable]) -> Hashable | None:
    """The answer given more often than any other; None in a tie or where there is none."""
    ranked = Counter(answers).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def critical_labels(study: Study) -> dict[str, CriticalLabel]:
    """The critical step of every item on which somebody names one, then the category given that step."""
    named = {item.item_id: (item.n_steps, _by_people(found)) for item, found in study.judged}
    named = {key: (n_steps, found) for key, (n_steps, found) in named.items() if found}
    annotators = {judgement.annotator for _, found in named.values() for judgement in found}
    if len(annotators) < 3:
        return {key: _by_majority(found) for key, (_, found) in named.items()}
    return dict(zip(named, _by_reliability(list(named.values())), strict=True))


def one_coin(votes: Sequence[Vote]) -> CoinFit:
    """Fitted by expectation–maximisation from equal skill; the same votes give the same fit."""
    skill = dict.fromkeys(sorted({name for vote in votes for name in vote.answers}), 0.7)
    pooled = 0.7
    for _ in range(ROUNDS):
        posteriors = tuple(_posterior(vote, skill) for vote in votes)
        fitted, pooled = _skills(votes, posteriors)
        moved = max((abs(fitted[name] - skill[name]) for name in skill), default=0.0)
        skill = fitted
        if moved < CLOSE:
            break
    return CoinFit(tuple(_posterior(vote, skill) for vote in votes), skill, pooled)


def _posterior(vote: Vote, skill: Mapping[str, float]) -> dict[Hashable, float]:
    others = max(vote.options - 1, 1)
    named = sorted(set(vote.answers.values()), key=repr)
    likelihood = {}
    for answer in named:
        likelihood[answer] = 1.0
        for annotator, given in vote.answers.items():
            likelihood[answer] *= skill[annotator] if given == answer else (1 - skill[annotator]) / others
    elsewhere = float(max(vote.options - len(named), 0))
    for annotator in vote.answers:
        elsewhere *= (1 - skill[annotator]) / others
    total = sum(likelihood.values()) + elsewhere
    return {answer: value / total for answer, value in likelihood.items()}


def _skills(votes: Sequence[Vote], posteriors: Sequence[Mapping[Hashable, float]]) -> tuple[dict[str, float], float]:
    right: dict[str, float] = defaultdict(float)
    answered: Counter[str] = Counter()
    for vote, posterior in zip(votes, posteriors, strict=True):
        for annotator, given in vote.answers.items():
            right[annotator] += posterior[given]
            answered[annotator] += 1
    pooled = sum(right.values()) / max(answered.total(), 1)
    skill = {name: (right[name] + STRENGTH * pooled) / (answered[name] + STRENGTH) for name in sorted(answered)}
    return {name: min(max(value, LEAST), MOST) for name, value in skill.items()}, pooled


def _by_people(found: Sequence[Judgement]) -> list[Judgement]:
    return [j for j in found if j.by_a_person and j.critical_position is not None]


def _by_majority(found: Sequence[Judgement]) -> CriticalLabel:
    step = majority([j.critical_position for j in found])
    categories = [j.category for j in found if j.category and j.critical_position == step]
    category = majority(categories)
    return CriticalLabel(
        step=step if isinstance(step, int) else None,
        step_probability=None,
        category=category if isinstance(category, str) else None,
        category_probability=None,
        how="majority",
    )


def _by_reliability(named: Sequence[tuple[int, list[Judgement]]]) -> list[CriticalLabel]:
    steps = one_coin([Vote({j.annotator: j.critical_position for j in found}, n) for n, found in named])
    chosen = [_likeliest(posterior) for posterior in steps.posteriors]
    known = len({j.category for _, found in named for j in found if j.category})
    at_step = [
        {j.annotator: j.category for j in found if j.category and j.critical_position == step}
        for (_, found), (step, _) in zip(named, chosen, strict=True)
    ]
    categories = one_coin([Vote(answers, known) for answers in at_step])
    labels = []
    for (step, step_probability), posterior in zip(chosen, categories.posteriors, strict=True):
        category, category_probability = _likeliest(posterior)
        labels.append(CriticalLabel(step, step_probability, category, category_probability, "one-coin"))
    return labels


def _likeliest(posterior: Mapping[Hashable, float]) -> tuple[Any, float | None]:
    """The likeliest answer and its probability; in a tie the same one each time."""
    if not posterior:
        return None, None
    best = max(posterior, key=lambda answer: round(posterior[answer], 9))
    return best, posterior[best]
