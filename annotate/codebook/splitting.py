"""Sorting the marks of a card into parts: by a rule on their words, then one by one."""

from collections.abc import Iterable
from dataclasses import dataclass

from annotate.models import Failure
from taxonomy.codebook import mark_of


@dataclass(frozen=True)
class Rule:
    """Marks whose words contain any of these go to the part."""

    words: tuple[str, ...]
    part: int

    @classmethod
    def of(cls, text: str, part: int) -> "Rule":
        return cls(tuple(word.strip().casefold() for word in text.split(",") if word.strip()), part)

    def takes(self, text: str) -> bool:
        folded = text.casefold()
        return any(word in folded for word in self.words)

    def __str__(self) -> str:
        return f"marks with {' or '.join(f'“{word}”' for word in self.words)} go to part {self.part + 1}"


def text_of(failure: Failure) -> str:
    codes = " ".join(code.phrase for code in failure.codes.all())
    return f"{failure.step_reason}\n{failure.category_reason}\n{codes}"


def name_of(failure: Failure) -> str:
    return mark_of(failure.annotation_id, failure.key)


def sorted_into(failures: Iterable[Failure], rule: Rule, by_hand: dict[str, int]) -> dict[str, int]:
    """Mark → part; what is said by hand wins, what neither says stays open."""
    found = {name_of(failure): rule.part for failure in failures if rule.takes(text_of(failure))}
    return found | by_hand
