from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.bootstrap import Bootstrap
from adjudication.critical_step import critical_step, floor_within
from adjudication.judgements import Study
from tests.adjudication.builders import item, judged, two


@given(st.integers(1, 30), st.integers(0, 40))
def test_the_floor_is_the_share_of_all_pairs_of_guesses_within_reach(n_steps, k):
    near = [abs(a - b) <= k for a, b in product(range(n_steps), repeat=2)]
    assert floor_within(np.array([n_steps]), k)[0] == pytest.approx(np.mean(near))


def test_blind_guessing_scores_zero_but_not_on_raw_positions():
    random = np.random.default_rng(5)
    lengths = random.choice([6, 20, 60, 130], 4000)
    items = [item(f"t{number}", int(n)) for number, n in enumerate(lengths)]
    judgements = [
        judged(facts.item_id, name, int(random.integers(facts.n_steps))) for name in ("ann", "ben") for facts in items
    ]
    told = critical_step(Study.of(items, judgements), Bootstrap(200))
    assert abs(told["chance_corrected"]["value"]) < 0.02
    assert abs(told["alpha_relative"]["value"]) < 0.06
    assert told["alpha_interval"]["value"] > 0.2
    for k, within in told["within_percent"].items():
        assert within["value"] == pytest.approx(told["floor"][k], abs=0.03)


def test_perfect_agreement_scores_one():
    told = critical_step(two([(1, 1), (4, 4), (9, 9)]), Bootstrap(100))
    assert (told["exact"], told["mean_distance"], told["chance_corrected"]["value"]) == (3, 0, 1.0)
    assert (told["alpha_relative"]["value"], told["alpha_nominal"]["value"]) == (1.0, 1.0)


def test_the_same_step_everywhere_leaves_alpha_undefined():
    told = critical_step(two([(4, 4), (4, 4)]), Bootstrap(100))
    assert told["alpha_nominal"]["value"] is None
    assert told["alpha_nominal"]["undefined"] == "only one value used: 4; observed agreement 1.0"
    assert told["alpha_relative"]["value"] is None
    assert told["chance_corrected"]["value"] == 1.0


def test_runs_of_one_step_leave_nothing_to_correct():
    told = critical_step(two([(0, 0), (0, 0)], n_steps=1), Bootstrap(100))
    assert told["chance_corrected"] == {
        "value": None,
        "undefined": "every run has one step only: a guess is always right",
    }
