"""In what the judgements of one item differ: each difference a reason with its kind, its size and a sentence.

A kind is compared only where at least two people answer it: who was not asked for a category does not disagree.
The sentences name no person, and list answers in an order that gives none away.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

from adjudication.judgements import OUTCOME_WORDS, ItemFacts, Judgement, participant_key

Kind = Literal["critical_step", "agent", "category", "outcome", "failure_set", "uncertain"]
WORDS: dict[str, str] = {
    "critical_step": "critical step",
    "agent": "agent",
    "category": "category",
    "outcome": "outcome",
    "failure_set": "failure steps",
    "uncertain": "certainty",
}
LISTED_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class Rules:
    """What routes an item. Readers of the sentences see `first_step` for position 0 and so on, but for `numbers`."""

    tolerance: int = 0
    kinds: frozenset[str] = frozenset({"critical_step", "agent", "category", "outcome"})
    max_people: int | None = None
    majority: bool = False
    min_confidence: float = 0.0
    check_share: float = 0.0  # of accepted runs with several people: an adjudicator judges them without knowing
    judge_first_share: float = 0.0  # of cases: the adjudicator judges before the annotations are shown
    first_step: int = 1
    numbers: Mapping[int, int] = field(default_factory=dict)  # of a run whose numbers skip
    names: Mapping[str, str] = field(default_factory=dict)  # of categories, by key
    aliases: Mapping[str, str] = field(default_factory=dict)

    def number(self, position: int) -> int:
        return self.numbers.get(position, position + self.first_step)


@dataclass(frozen=True, slots=True)
class Reason:
    """`size`: steps apart, steps marked by some only, share of pairs that differ, or the missing certainty."""

    kind: Kind
    size: float
    text: str

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "size": self.size, "text": self.text}


def people(judgements: Sequence[Judgement]) -> list[Judgement]:
    """One judgement per person, a later one in place of an earlier one; models are no people."""
    return list({j.annotator: j for j in judgements if j.by_a_person}.values())


def compared(judgements: Sequence[Judgement]) -> tuple[Kind, ...]:
    """The kinds that at least two of the judgements answer."""
    answered: dict[Kind, int] = {
        "outcome": sum(bool(j.outcome) for j in judgements),
        "critical_step": sum(j.critical_position is not None for j in judgements),
        "agent": sum(bool(j.participant) for j in judgements),
        "category": sum(bool(j.category) for j in judgements),
        "failure_set": sum(j.exhaustive for j in judgements),
    }
    return tuple(kind for kind, n in answered.items() if n > 1)


def differences(item: ItemFacts, judgements: Sequence[Judgement], rules: Rules) -> tuple[Reason, ...]:
    """Every difference, whether or not the rules route for its kind."""
    found = people(judgements)
    steps = (_step_difference(item, found, rules), _failure_set_difference(found, rules))
    names = (_name_difference(kind, found, rules) for kind in ("agent", "category", "outcome"))
    reasons = (steps[0], *names, steps[1], _uncertainty(found, rules))
    return tuple(reason for reason in reasons if reason)


def has_majority(values: Sequence[Hashable]) -> bool:
    """More than half give one answer, and there are at least three to count."""
    return len(values) > 2 and 2 * Counter(values).most_common(1)[0][1] > len(values)


def named_answers(kind: str, judgements: Sequence[Judgement], rules: Rules) -> Iterator[tuple[Judgement, str, str]]:
    """Who answers it, the key under which answers are compared, and the answer as written."""
    read: dict[str, Callable[[Judgement], str | None]] = {
        "agent": lambda j: j.participant,
        "category": lambda j: j.category,
        "outcome": lambda j: j.outcome,
    }
    for judgement in judgements:
        if answer := read[kind](judgement):
            yield judgement, participant_key(answer, rules.aliases) if kind == "agent" else answer, answer


def _step_difference(item: ItemFacts, judgements: Sequence[Judgement], rules: Rules) -> Reason | None:
    critical = [j.critical_position for j in judgements if j.outcome == "critical"]
    steps = [position for position in critical if position is not None]
    if len(critical) < 2 or not steps or (rules.majority and has_majority(critical)):
        return None
    shown = _listed([rules.number(position) for position in sorted(set(steps))])
    if len(steps) < len(critical):
        text = f"critical failure is at no step for some and at {shown} for others"
        return Reason("critical_step", item.n_steps, text)
    apart = max(steps) - min(steps)
    if apart <= rules.tolerance:
        return None
    return Reason("critical_step", apart, f"critical step differs by {_steps(apart)}: {shown}")


def _name_difference(kind: Kind, judgements: Sequence[Judgement], rules: Rules) -> Reason | None:
    answers = list(named_answers(kind, judgements, rules))
    keys = [key for _, key, _ in answers]
    if len(set(keys)) < 2 or (rules.majority and has_majority(keys)):
        return None
    words = OUTCOME_WORDS if kind == "outcome" else rules.names
    written = {key: words.get(key, answer) for _, key, answer in reversed(answers)}
    apart = [a != b for a, b in combinations(keys, 2)]
    text = f"{WORDS[kind]} differs: {_listed([written[key] for key in sorted(written)])}"
    return Reason(kind, sum(apart) / len(apart), text)


def _failure_set_difference(judgements: Sequence[Judgement], rules: Rules) -> Reason | None:
    sets = [j.failure_positions for j in judgements if j.exhaustive]
    if len(set(sets)) < 2 or (rules.majority and has_majority(sets)):
        return None
    by_some = sorted(frozenset.union(*sets) - frozenset.intersection(*sets))
    shown = _listed([rules.number(position) for position in by_some])
    return Reason("failure_set", len(by_some), f"{_steps(len(by_some))} marked by some only: {shown}")


def _uncertainty(judgements: Sequence[Judgement], rules: Rules) -> Reason | None:
    if any(j.outcome == "cannot_tell" for j in judgements):
        return Reason("uncertain", 1, "cannot be told from the run, by at least one answer")
    least = min((j.confidence for j in judgements if j.confidence is not None), default=1.0)
    if least >= rules.min_confidence:
        return None
    return Reason("uncertain", 1 - least, f"confidence is {least:.0%}, below the {rules.min_confidence:.0%} asked for")


def _steps(n: int) -> str:
    return "1 step" if n == 1 else f"{n} steps"


def _listed(values: Sequence) -> str:
    shown = [str(value) for value in values[:LISTED_AT_MOST]]
    if len(values) > LISTED_AT_MOST:
        shown.append(f"{len(values) - LISTED_AT_MOST} more")
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
