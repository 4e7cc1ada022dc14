"""What an evaluation says of one step and one constraint. "Could not be evaluated" is not "satisfied"."""

from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    SKIPPED = "skipped"  # the guard does not hold: the constraint has nothing to say here
    SATISFIED = "satisfied"
    VIOLATED = "violated"
    NOT_EVALUATED = "not_evaluated"


@dataclass(frozen=True, slots=True)
class Result:
    """`evidence` of a violation has a sentence for people under `text`; else `why` it could not be evaluated."""

    step: int
    constraint: str
    verdict: Verdict
    evidence: dict = field(default_factory=dict)
    why: str = ""
