"""Tests of contrasts against slow, obvious versions and packages."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from suggestions.contrasts import NOT_SEPARATED, SEPARATED, Contrast, compare, holm, mcnemar, wilcoxon
from suggestions.scoring import Answer, Gold


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_exact_binomial_test(b, c):
    expected = stats.binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(expected)


@settings(deadline=None)
@given(st.lists(st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 0.25, 1 / 3, 0.5, 2 / 3]), max_size=9))
def test_wilcoxon_is_the_share_of_signs_at_least_as_extreme(differences):
    assert wilcoxon(np.array(differences)) == pytest.approx(by_all_signs(differences))


def test_wilcoxon_without_ties_is_what_scipy_says():
    told = np.array([0.3, -0.1, 0.7, 1.9, -0.45, 0.2, 1.1, 0.9])
    assert wilcoxon(told) == pytest.approx(stats.wilcoxon(told).pvalue)


def by_all_signs(differences):
    told = np.array([d for d in differences if d])
    if not len(told):
        return 1.0
    ranks = stats.rankdata(np.round(np.abs(told), 12))
    observed = ranks[told > 0].sum()
    extreme = min(observed, ranks.sum() - observed)
    sums = [sum(r for r, sign in zip(ranks, signs, strict=True) if sign) for signs in product([0, 1], repeat=len(told))]
    return min(1.0, 2 * np.mean([total <= extreme + 1e-9 for total in sums]))


def test_holm_multiplies_by_how_many_are_left_and_never_falls():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_a_contrast_is_tested_on_the_runs_both_answered_and_says_when_nothing_is_separated():
    gold = [Gold(str(n), 10, 3) for n in range(12)]
    right = [Answer(str(n), 3, names_one_step=True) for n in range(12)]
    wrong = [Answer(str(n), 4, names_one_step=True) for n in range(11)]
    family = [Contrast("right", "wrong"), Contrast("right", "right")]

    told = compare(family, gold, {"right": right, "wrong": wrong})

    assert [(t.measure, t.n, t.a, t.b, t.verdict) for t in told] == [
        ("top1", 11, 1.0, 0.0, SEPARATED),
        ("top3", 11, 1.0, 0.0, SEPARATED),
        ("mrr", 11, 1.0, 0.0, SEPARATED),
        ("top1", 12, 1.0, 1.0, NOT_SEPARATED),
        ("top3", 12, 1.0, 1.0, NOT_SEPARATED),
        ("mrr", 12, 1.0, 1.0, NOT_SEPARATED),
    ]
    assert told[0].adjusted == pytest.approx(6 * told[0].p)
