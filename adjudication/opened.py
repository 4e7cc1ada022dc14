"""The items behind a figure: what each annotator answered there, and which of the items it counts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from adjudication.agreement import answer_to
from adjudication.judgements import ItemFacts, Judgement, Study
from adjudication.worded import worded

MEASURES = ("critical_step", "agent", "category", "outcome", "failure_steps")
WHICH = ("same", "differs")


@dataclass(frozen=True)
class Opened:
    item: ItemFacts
    answers: list[tuple[str, Any]]  # annotator's name, answer


@dataclass(frozen=True)
class Figure:
    """One figure of the page: a measure, and which of its items are asked for."""

    measure: str
    which: str = ""  # same, differs; empty: all that are compared
    k: int = 0  # for the critical step: same means within ±k
    cell: tuple[str, str] | None = None  # one answered this, the other that; of two named annotators in this order

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Figure | None":
        measure, which, k = given.get("measure", ""), given.get("is", ""), given.get("k", "0")
        if measure not in MEASURES or which not in ("", *WHICH) or not k.isdecimal() or len(k) > 6:
            return None
        cell = (given["x"], given["y"]) if "x" in given and "y" in given else None
        return cls(measure, which, int(k), cell)

    def words(self, names: Mapping[str, str]) -> str:
        """What the runs have in common; `names` are those of categories, by key."""
        what = {"critical_step": "the critical step", "failure_steps": "which steps fail"}
        thing = what.get(self.measure, f"the {self.measure}")
        near = f", within ±{self.k}" if self.k else ""
        if self.cell:
            one, other = (worded(answer, self.measure, names) for answer in self.cell)
            return f"answer {one} and {other} on {thing}"
        return {
            "same": f"agree on {thing}{near}",
            "differs": f"differ on {thing}{f' by more than {self.k} steps' if self.k else ''}",
        }.get(self.which, f"are compared on {thing}")


def opened(study: Study, figure: Figure) -> list[Opened]:
    answer = answers_for(figure.measure, study)
    two = len({judgement.annotator for judgement in study.judgements}) == 2
    found = []
    for item, judgements in study.judged:
        given = [(j.annotator, value) for j in judgements if j.by_a_person and (value := answer(j)) is not None]
        pairs = list(combinations([value for _, value in given], 2))
        if pairs and counts(figure, pairs, ordered=two):
            found.append(Opened(item, given))
    return found


def counts(figure: Figure, pairs: list[tuple[Any, Any]], ordered: bool) -> bool:
    if figure.cell is not None:
        turned = figure.cell if ordered else figure.cell[::-1]
        return any(pair in (figure.cell, turned) for pair in pairs)
    alike = [near(figure, a, b) for a, b in pairs]
    return {"same": all(alike), "differs": not all(alike)}.get(figure.which, True)


def near(figure: Figure, a: Any, b: Any) -> bool:
    return abs(a - b) <= figure.k if figure.measure == "critical_step" else a == b


def answers_for(measure: str, study: Study) -> Callable[[Judgement], Any]:
    if measure == "critical_step":
        return lambda judgement: judgement.critical_position
    if measure == "failure_steps":
        return lambda judgement: judgement.failure_positions if judgement.exhaustive else None
    return answer_to(measure, study)


def answer_words(answer: Any, measure: str, names: Mapping[str, str], number: Callable[[int], int]) -> str:
    """`number` is what readers of the run know a position by."""
    if measure == "critical_step":
        return f"step {number(answer)}"
    if measure == "failure_steps":
        return ", ".join(str(number(position)) for position in sorted(answer)) or "no step"
    return worded(answer, measure, names)
