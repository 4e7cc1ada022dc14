from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.comparisons import WITHIN, Lists, SetComparison, compared, f1, masi, matched
from adjudication.judgements import Judgement, Mark
from adjudication.ratings import pairs_within
from tests.adjudication.builders import item, judged

marks = st.lists(st.integers(0, 9), max_size=5).map(sorted)


def of_two(measure, a, b, *more) -> float:
    return measure(Lists.of([a, b]), np.array([0]), np.array([1]), *more)[0]


def largest_matching(a, b, k) -> int:
    few, many = sorted((a, b), key=len)
    return max(sum(abs(x - y) <= k for x, y in zip(few, order, strict=True)) for order in permutations(many, len(few)))


@given(st.lists(marks, min_size=2, max_size=5), st.integers(0, 4))
@settings(deadline=None, max_examples=200)
def test_the_matching_of_marks_is_the_largest_there_is_for_every_pair_at_once(lists, k):
    left, right = np.array(list(combinations(range(len(lists)), 2))).T
    best = [largest_matching(a, b, k) for a, b in combinations(lists, 2)]
    assert matched(Lists.of(lists), left, right, k).tolist() == best
    assert matched(Lists.of(lists), right, left, k).tolist() == best


@given(st.lists(st.integers(0, 4), max_size=12).map(sorted))
def test_pairs_within_rows_are_those_of_combinations_in_their_order(rows):
    left, right = pairs_within(np.array(rows, dtype=np.int64))
    wanted = [(a, b) for a, b in combinations(range(len(rows)), 2) if rows[a] == rows[b]]
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == wanted


def test_empty_against_marked_is_disagreement_and_two_empties_agree():
    assert (of_two(f1, [], [3], 5), of_two(f1, [], [], 0), of_two(masi, [], [3]), of_two(masi, [], [])) == (0, 1, 0, 1)


def test_masi_weighs_the_overlap_by_its_kind():
    a, b, c = [1, 2], [1, 2, 3], [2, 9]
    assert of_two(masi, a, b) == pytest.approx(2 / 3 * 2 / 3)
    assert of_two(masi, a, c) == pytest.approx(1 / 3 * 1 / 3)
    assert (of_two(masi, a, a), of_two(masi, a, [7])) == (1, 0)


def one_by_one(n_steps: int, found: list[Judgement]) -> SetComparison | None:
    """The slow and obvious way, for one item."""
    found = [judgement for judgement in found if judgement.exhaustive]
    if len(found) < 2:
        return None
    pairs = list(combinations(found, 2))
    steps = [[step in judgement.failure_positions for judgement in found] for step in range(n_steps)]
    differing = sum(a != b for step in steps for a, b in permutations(step, 2)) / (len(found) - 1)
    marked = sum(map(sum, steps))
    f1s = [sum(slow_f1(a.mark_positions, b.mark_positions, k) for a, b in pairs) / len(pairs) for k in WITHIN]
    alike = sum(slow_masi(a.failure_positions, b.failure_positions) for a, b in pairs) / len(pairs)
    return SetComparison(len(pairs), differing, len(found) * n_steps - marked, marked, alike, *f1s)


def slow_f1(a, b, k) -> float:
    return 2 * largest_matching(a, b, k) / (len(a) + len(b)) if a or b else 1.0


def slow_masi(a, b) -> float:
    if a == b:
        return 1.0
    return len(a & b) / len(a | b) * (2 / 3 if a <= b or b <= a else 1 / 3)


judgements = st.lists(st.tuples(marks, st.booleans()), max_size=4)


@given(st.lists(judgements, max_size=4))
@settings(deadline=None)
def test_many_items_at_once_are_compared_as_one_by_one(found):
    rows = [
        (item(f"t{n}", 10), [judgement(f"t{n}", f"r{rater}", *each) for rater, each in enumerate(of)])
        for n, of in enumerate(found)
    ]
    assert compared(rows) == {facts.item_id: one_by_one(10, given) for facts, given in rows}


def judgement(name: str, annotator: str, marked: list[int], exhaustive: bool) -> Judgement:
    return judged(name, annotator, failures=marked, marks=tuple(map(Mark, marked)), exhaustive=exhaustive)
