"""What intervals promise, held against annotators whose reliabilities are known."""

from collections import Counter

import numpy as np
import pytest

from adjudication.agreement import measures
from adjudication.bootstrap import Bootstrap
from tests.adjudication.simulation import SEEDS, World, blind, figures_of, know_or_guess, simulated

pytestmark = pytest.mark.slow
SETS, RUNS, B = 400, 320, 400
# Of 400 sets, 95 % of the intervals hold the truth; by chance alone 99.9 % of such counts lie within these.
AT_LEAST, AT_MOST = 366, 393
# Of 19 figures in two worlds the worst may lie lower by chance: 99.9 % of such minima are above this.
WORST = 360


def told(world: World, runs: int, random, b: int = B) -> dict[str, dict]:
    return figures_of(
        measures(simulated(world, runs, random), Bootstrap(b, seed=int(random.integers(2**31))), published=False)
    )


def coverage(world: World, truth: dict[str, float], seed: int, runs: int = RUNS) -> Counter:
    random, hits = np.random.default_rng(seed), Counter()
    for _ in range(SETS):
        for name, figure in told(world, runs, random).items():
            hits[name] += name in truth and figure["ci"][0] <= truth[name] <= figure["ci"][1]
    return hits


@pytest.mark.parametrize("knows", [(0.8, 0.7), (0.75, 0.65, 0.55)])
def test_intervals_hold_the_truth_at_their_nominal_rate(knows):
    """Truth is the value in a population of 30,000 runs of the same world."""
    world = World(knows=knows)
    population = told(world, 30_000, np.random.default_rng(SEEDS["population"]), b=0)
    truth = {name: figure["value"] for name, figure in population.items()}
    hits = coverage(world, truth, SEEDS["coverage"] + len(knows))
    print(len(knows), {name: round(n / SETS, 3) for name, n in hits.items()})
    assert {name: n for name, n in hits.items() if not WORST <= n <= AT_MOST} == {}
    assert AT_LEAST <= np.mean(list(hits.values())) <= AT_MOST


def test_chance_corrected_exact_agreement_is_the_product_of_reliabilities():
    """Who knows with 0.8 and 0.6, and guesses otherwise, has S = 0.48 whatever the lengths of the runs."""
    hits = coverage(know_or_guess(0.8, 0.6), {"chance_corrected": 0.48}, SEEDS["closed form"])
    assert AT_LEAST <= hits["chance_corrected"] <= AT_MOST


def test_blind_guessing_scores_nothing_on_s_and_relative_alpha_but_much_on_raw_alpha():
    random = np.random.default_rng(SEEDS["guessing"])
    found = [told(blind(), 60, random, b=200) for _ in range(SETS)]
    mean = {name: np.mean([each[name]["value"] for each in found]) for name in found[0]}
    above = {name: sum(each[name]["ci"][0] > 0 for each in found) for name in found[0]}
    print({name: (round(mean[name], 3), above[name]) for name in mean})
    assert abs(mean["chance_corrected"]) < 0.01
    assert abs(mean["alpha_relative"]) < 0.03
    assert mean["alpha_interval"] > 0.2
    # An interval above 0 would claim agreement: S and relative α claim it no more often than their rate allows.
    assert max(above["chance_corrected"], above["alpha_relative"]) < 0.06 * SETS
    assert above["alpha_interval"] > 0.5 * SETS
