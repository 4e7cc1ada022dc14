"""The answers of several annotators to one question, item by item, as arrays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np

from adjudication.judgements import ItemFacts, Judgement, Study

Answer = Callable[[Judgement], Any]


@dataclass(frozen=True)
class Pairs:
    """Unordered pairs of annotators: left is the one whose name sorts first; weights of one item sum up to 1."""

    row: np.ndarray
    left: np.ndarray
    right: np.ndarray
    weight: np.ndarray

    def mean_by_row(self, values: np.ndarray, n_rows: int) -> np.ndarray:
        return np.bincount(self.row, weights=values * self.weight, minlength=n_rows)


@dataclass(frozen=True)
class Ratings:
    """One row per item that at least two annotators answered; who did not answer is absent, never a value.

    Of every single answer: its row, who gave it and what; row by row, in the order of the annotators' names.
    """

    items: tuple[ItemFacts, ...]
    rows: np.ndarray
    names: tuple[str, ...]
    values: tuple[Any, ...]

    @classmethod
    def collect(cls, study: Study, answer: Answer) -> "Ratings":
        judgements = [judgement for _, found in study.judged for judgement in found]
        row = np.repeat(np.arange(len(study.judged)), [len(found) for _, found in study.judged])
        values = [answer(judgement) for judgement in judgements]
        given = np.array([value is not None for value in values], dtype=bool)
        pairable = np.bincount(row[given], minlength=len(study.judged)) > 1
        kept = given & pairable[row]
        return cls(
            items=tuple(compress((item for item, _ in study.judged), pairable)),
            rows=(np.cumsum(pairable) - 1)[row[kept]],
            names=tuple(judgement.annotator for judgement in compress(judgements, kept)),
            values=tuple(compress(values, kept)),
        )

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.names)))

    @cached_property
    def domain(self) -> tuple[Any, ...]:
        """The values in use, sorted."""
        return tuple(sorted(set(self.values)))

    @cached_property
    def codes(self) -> np.ndarray:
        """The answers as indexes into `domain`."""
        index = {value: code for code, value in enumerate(self.domain)}
        return np.array([index[value] for value in self.values], dtype=np.int64)

    @cached_property
    def pairs(self) -> Pairs:
        left, right = pairs_within(self.rows)
        row, n_answers = self.rows[left], np.bincount(self.rows, minlength=len(self))
        weight = 2 / (n_answers * (n_answers - 1))[row]
        return Pairs(row, self.codes[left], self.codes[right], weight)

    @cached_property
    def counts(self) -> np.ndarray:
        """rows × domain: how many annotators gave each value."""
        counts = np.zeros((len(self), len(self.domain)))
        np.add.at(counts, (self.rows, self.codes), 1)
        return counts

    @cached_property
    def agreement_by_row(self) -> np.ndarray:
        """Share of a row's pairs that gave the same value."""
        return self.pairs.mean_by_row((self.pairs.left == self.pairs.right).astype(float), len(self))


def pairs_within(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every two places that have the same row, `rows` being sorted; in the order of itertools.combinations."""
    place = np.arange(len(rows))
    behind = np.searchsorted(rows, rows, side="right") - place - 1
    left = np.repeat(place, behind)
    nth = np.arange(len(left)) - np.repeat(np.cumsum(behind) - behind, behind)
    return left, left + nth + 1
