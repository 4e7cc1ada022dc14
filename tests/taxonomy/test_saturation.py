from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonomy.saturation import batches_of, mean_curve, saturation, unseen

RUNS = [{"a", "b"}, {"a"}, {"b", "c"}, set(), {"d"}]


def test_the_mean_over_random_orders_comes_close_to_that_over_all_orders():
    exact = [0.0] * len(RUNS)
    orders = list(permutations(RUNS))
    for order in orders:
        met: set[str] = set()
        for position, run in enumerate(order):
            met |= run
            exact[position] += len(met) / len(orders)
    assert mean_curve(RUNS, 4000, seed=1) == pytest.approx(exact, abs=0.06)


def test_new_information_is_the_share_of_new_codes_in_the_base():
    batches = batches_of([2, 4, 5, 6, 6.5, 7, 7, 7.1], base=4, length=2)
    assert [(each.runs, each.new, each.share) for each in batches] == [
        (6, 1, pytest.approx(1 / 6)),
        (8, pytest.approx(0.1), pytest.approx(0.1 / 6)),
    ]


def test_saturation_is_reached_where_a_batch_brings_no_more_than_the_threshold():
    found = saturation([{"a", "b"}] * 8, ["a", "b"] * 8, seed=1)
    assert (found.runs, found.codes, found.reached_at, found.curve[-1], found.new[0]) == (8, 2, 6, 2, 2)
    assert saturation([{str(n)} for n in range(8)], [str(n) for n in range(8)], seed=1).reached_at is None


def test_what_is_unseen_after_good_and_turing_and_chao():
    # Of ten marks: three codes once, one twice, one five times.
    found = unseen([*"abc", *"dd", *"eeeee"])
    assert (found.probability, found.once, found.twice) == (0.3, 3, 1)
    assert found.codes == pytest.approx(0.9 * 9 / 2)
    assert unseen([]).why == "no code was marked"
    assert unseen(["a", "a"]).probability == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.sampled_from("abcdefgh")), min_size=1, max_size=12), st.integers(0, 99))
def test_the_curve_grows_to_the_number_of_codes_and_is_the_same_for_a_seed(runs, seed):
    found = saturation(runs, sorted(code for run in runs for code in run), seed=seed, orders=20)
    assert list(found.curve) == sorted(found.curve)
    assert found.curve[-1] == found.codes
    assert sum(found.new) == pytest.approx(found.codes)
    assert found == saturation(runs, sorted(code for run in runs for code in run), seed=seed, orders=20)
