"""The answers of several annotators to one question, item by item, as arrays."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
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
    """One row per item that at least two annotators answered; who did not answer is absent, never a value."""

    items: tuple[ItemFacts, ...]
    answers: tuple[dict[str, Any], ...]

    @classmethod
    def collect(cls, study: Study, answer: Answer) -> "Ratings":
        items, answers = [], []
        for item, judgements in study.judged:
            given = {j.annotator: value for j in judgements if (value := answer(j)) is not None}
            if len(given) > 1:
                items.append(item)
                answers.append(given)
        return cls(tuple(items), tuple(answers))

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def annotators(self) -> tuple[str, ...]:
        return tuple(sorted({name for given in self.answers for name in given}))

    @cached_property
    def domain(self) -> tuple[Any, ...]:
        """The values in use, sorted."""
        return tuple(sorted({value for given in self.answers for value in given.values()}))

    @cached_property
    def codes(self) -> tuple[list[int], ...]:
        """Per row the indexes into `domain`, in the order of the annotators' names."""
        index = {value: code for code, value in enumerate(self.domain)}
        return tuple([index[given[name]] for name in sorted(given)] for given in self.answers)

    @cached_property
    def pairs(self) -> Pairs:
        row, left, right, weight = [], [], [], []
        for number, codes in enumerate(self.codes):
            share = 2 / (len(codes) * (len(codes) - 1))
            for a, b in combinations(codes, 2):
                row.append(number)
                left.append(a)
                right.append(b)
                weight.append(share)
        rows, lefts, rights = (np.array(column, dtype=np.int64) for column in (row, left, right))
        return Pairs(rows, lefts, rights, np.array(weight, dtype=float))

    @cached_property
    def flat_rows(self) -> np.ndarray:
        """The row of every single answer."""
        return np.repeat(np.arange(len(self)), [len(codes) for codes in self.codes])

    @cached_property
    def flat_codes(self) -> np.ndarray:
        return np.array([code for codes in self.codes for code in codes], dtype=np.int64)

    @cached_property
    def counts(self) -> np.ndarray:
        """rows × domain: how many annotators gave each value."""
        counts = np.zeros((len(self), len(self.domain)))
        np.add.at(counts, (self.flat_rows, self.flat_codes), 1)
        return counts

    @cached_property
    def agreement_by_row(self) -> np.ndarray:
        """Share of a row's pairs that gave the same value."""
        return self.pairs.mean_by_row((self.pairs.left == self.pairs.right).astype(float), len(self))
