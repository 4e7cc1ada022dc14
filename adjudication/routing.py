"""Where an item goes next, and why: accept, wait for the planned overlap, one more annotator, or a case."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adjudication.differences import WORDS, Reason, Rules, compared, differences, people
from adjudication.judgements import ItemFacts, Judgement

__all__ = ["Decision", "Reason", "Rules", "decide", "is_drawn", "reasons"]


@dataclass(frozen=True, slots=True)
class Decision:
    decision: Literal["accept", "waiting", "annotate", "adjudicate"]
    reasons: tuple[Reason, ...]
    explanation: str


def reasons(item: ItemFacts, judgements: Sequence[Judgement], rules: Rules) -> tuple[Reason, ...]:
    """The differences for which the rules route."""
    return tuple(reason for reason in differences(item, judgements, rules) if reason.kind in rules.kinds)


def decide(item: ItemFacts, judgements: Sequence[Judgement], rules: Rules, wanted_people: int) -> Decision:
    """An item waits, whatever its differences, until the planned number of different people judged it."""
    found = people(judgements)
    if len(found) < wanted_people or not found:
        have = "has" if len(found) == 1 else "have"
        return Decision("waiting", (), f"{len(found)} of {max(wanted_people, 1)} people {have} submitted")
    why = reasons(item, found, rules)
    if not why:
        return Decision("accept", (), _why_accepted(found, rules))
    differ = f"{_people(len(found))}: reasons to look again are {_words(reason.kind for reason in why)}"
    if rules.max_people and len(found) < rules.max_people:
        return Decision("annotate", why, f"{differ}; one more annotator is asked, of at most {rules.max_people}")
    return Decision("adjudicate", why, f"{differ}; a case for adjudication")


def is_drawn(salt: str, run: str, purpose: str, share: float) -> bool:
    """Whether a run belongs to the share drawn for a purpose: the same answer each time, and a greater share keeps it."""
    drawn = hashlib.sha256(f"{salt}:{purpose}:{run}".encode()).digest()
    return int.from_bytes(drawn[:8], "big") < share * 2**64


def _why_accepted(found: Sequence[Judgement], rules: Rules) -> str:
    if len(found) == 1:
        return "1 person has submitted, as planned"
    kinds = [kind for kind in compared(found) if kind in rules.kinds]
    if not kinds:
        return f"{_people(len(found))}, and no answer that two of them gave"
    how = "most of them agree" if rules.majority and len(found) > 2 else "they agree"
    return f"{_people(len(found))}: {how} on {_words(kinds)}"


def _people(n: int) -> str:
    return "1 person" if n == 1 else f"{n} people"


def _words(kinds) -> str:
    words = [WORDS[kind] for kind in kinds]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
