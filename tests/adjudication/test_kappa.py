import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from adjudication.bootstrap import Bootstrap
from adjudication.judgements import Study
from adjudication.kappa import ac1, kappa, kind_of_kappa, one_value_kappa, published_kappa
from adjudication.nominal import named_answer
from tests.adjudication.builders import item, judged, rated

names = st.sampled_from("abcd")


@given(st.lists(st.tuples(names, names), min_size=1, max_size=12))
@settings(deadline=None)
def test_cohens_kappa_equals_scikit_learn(table):
    ratings = rated(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score(*zip(*table, strict=True))
    assert kappa(ratings).value == pytest.approx(theirs, nan_ok=True)
    assert published_kappa(ratings) == pytest.approx(theirs, nan_ok=True)


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=12))
@settings(deadline=None)
def test_fleiss_kappa_equals_statsmodels(table):
    ratings = rated(table)
    assert kind_of_kappa(ratings) == "fleiss"
    if len(ratings.domain) == 1:
        assert np.isnan(kappa(ratings).value)
        return
    theirs = fleiss_kappa(aggregate_raters(np.array(table))[0])
    assert kappa(ratings).value == pytest.approx(theirs, abs=1e-9)


def test_ac1_of_a_published_example():
    # Gwet 2008: 118 both yes, 5 and 2 apart, none both no: κ looks like chance, AC1 does not
    ratings = rated([("+", "+")] * 118 + [("+", "-")] * 5 + [("-", "+")] * 2)
    assert round(ac1(ratings).value, 4) == 0.9408
    assert round(kappa(ratings).value, 4) == -0.0234


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=8))
@settings(deadline=None)
def test_ac1_equals_its_definition(table):
    values = sorted({value for line in table for value in line})
    if len(values) < 2:
        assert np.isnan(ac1(rated(table)).value)
        return
    agreed = np.mean([np.mean([a == b, a == c, b == c]) for a, b, c in table])
    share = [np.mean([line.count(value) / 3 for line in table]) for value in values]
    chance = sum(p * (1 - p) for p in share) / (len(values) - 1)
    assert ac1(rated(table)).value == pytest.approx((agreed - chance) / (1 - chance))


def test_a_missing_answer_is_not_a_category():
    both = [judged("t1", "ann", 1, category="A"), judged("t1", "ben", 1, category="A")]
    both += [judged("t2", "ann", 1, category="B"), judged("t2", "ben", 1, category="B")]
    alone = [judged("t3", "ann", 1, category="A"), judged("t3", "ben", 1)]
    study = Study.of([item("t1"), item("t2"), item("t3")], both + alone)
    told = named_answer(study, lambda judgement: judgement.category, "categories", Bootstrap(100))
    assert (told["n"], told["kappa"]["value"], told["alpha"]["value"]) == (2, 1.0, 1.0)


def test_two_annotators_who_each_use_one_value_do_not_agree():
    ratings = rated([("a", "b")] * 5)
    assert kappa(ratings).value == 0
    assert ac1(ratings).value < 0


def test_each_category_is_also_told_against_the_rest():
    table = [("A", "A"), ("A", "B"), ("B", "B"), ("C", "C"), ("C", "C")]
    judgements = [
        judged(f"t{number}", name, 1, category=value)
        for number, line in enumerate(table)
        for name, value in zip(("ann", "ben"), line, strict=True)
    ]
    study = Study.of([item(f"t{number}") for number in range(5)], judgements)
    told = named_answer(study, lambda judgement: judgement.category, "categories", Bootstrap(100))
    found = {line["value"]: (line["used_in"], line["kappa"]["value"]) for line in told["one_vs_rest"]}
    theirs = cohen_kappa_score([a == "A" for a, _ in table], [b == "A" for _, b in table])
    assert found["A"] == (2, round(theirs, 6))
    assert found["C"] == (2, 1.0)


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=8), st.booleans())
@settings(deadline=None)
def test_one_against_the_rest_is_kappa_of_two_values(table, three):
    table = table if three else [line[:2] for line in table]
    ratings = rated(table)
    for column, value in enumerate(ratings.domain):
        two_values = rated([tuple(str(given == value) for given in line) for line in table])
        assert one_value_kappa(ratings, column).value == pytest.approx(kappa(two_values).value, nan_ok=True)
