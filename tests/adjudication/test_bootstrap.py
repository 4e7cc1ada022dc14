import numpy as np
import pytest
from scipy.stats import norm, t

from adjudication.bootstrap import Bootstrap, Statistic, mean_of, outside, ratio, student
from tests.adjudication.builders import item


def _items(n: int, **more) -> list:
    return [item(f"t{number}", **more) for number in range(n)]


def test_a_resample_equals_the_slow_one():
    random = np.random.default_rng(3)
    items = [item(f"t{n}", cluster=f"c{n // 2}", domain="ab"[n % 4 // 2]) for n in range(24)]
    values = random.random(24)
    low, high = Bootstrap(4000, seed=1).intervals(items, {"m": mean_of(values)})["m"]
    slow = []
    groups = {domain: sorted({i.cluster for i in items if i.domain == domain}) for domain in "ab"}
    for _ in range(4000):
        drawn = [c for clusters in groups.values() for c in random.choice(clusters, len(clusters))]
        slow.append(np.mean([values[n] for cluster in drawn for n, i in enumerate(items) if i.cluster == cluster]))
    assert (low, high) == pytest.approx(tuple(np.percentile(slow, [0.73, 99.27])), abs=0.02)


def test_percentiles_lie_further_out_where_clusters_are_few():
    for freedom in (3, 5, 10, 42, 158):
        assert student(norm.ppf(0.975), freedom) == pytest.approx(t.ppf(0.975, freedom), rel=0.02)
    assert outside(10, 12) == pytest.approx(norm.cdf(-t.ppf(0.975, 10) * (12 / 10) ** 0.5), rel=0.02)
    assert 0.0249 < outside(100_000, 100_002) < 0.025
    assert outside(1, 2) < 1e-6


def test_runs_of_one_task_are_resampled_together():
    values = np.repeat([0.0, 1.0], 50)
    apart = Bootstrap(500).intervals(_items(100), {"m": mean_of(values)})["m"]
    together = Bootstrap(500).intervals(
        [item(f"t{n}", cluster="ab"[n // 50]) for n in range(100)], {"m": mean_of(values)}
    )["m"]
    assert together == (0.0, 1.0)
    assert apart[0] > 0.35 and apart[1] < 0.65


def test_each_domain_keeps_its_share():
    items = [item(f"t{n}", domain="ab"[n // 50]) for n in range(100)]
    values = np.repeat([0.0, 1.0], 50)
    assert Bootstrap(300).intervals(items, {"m": mean_of(values)})["m"] == (0.5, 0.5)


def test_one_cluster_or_mostly_undefined_resamples_give_no_interval():
    apart = [item(f"t{n}", domain=f"d{n}") for n in range(5)]
    assert Bootstrap(100).intervals(apart, {"m": mean_of(np.arange(5.0))}) == {"m": None}
    assert Bootstrap(100).intervals(_items(3, cluster="c"), {"m": mean_of(np.arange(3.0))}) == {"m": None}
    rare = Statistic(
        np.array([[1.0, 1.0]] + [[0.0, 0.0]] * 5), lambda s: ratio(s[..., 0], np.maximum(s[..., 1] - 2, 0))
    )
    assert Bootstrap(100).intervals(_items(6), {"m": rare}) == {"m": None}


def test_lots_do_not_change_the_draw(monkeypatch):
    items = [item(f"t{n}", domain="ab"[n % 2]) for n in range(40)]
    statistic = {"m": mean_of(np.arange(40.0))}
    whole = Bootstrap(200, seed=4).intervals(items, statistic)
    monkeypatch.setattr("adjudication.bootstrap.CELLS_AT_ONCE", 40 * 7)
    assert Bootstrap(200, seed=4).intervals(items, statistic) == whole


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    random = np.random.default_rng(9)
    hits = 0
    for _ in range(400):
        skill = np.repeat(random.beta(4, 2, 60), 2)
        agreed = (random.random(120) < skill).astype(float)
        items = [item(f"t{n}", cluster=f"c{n // 2:03}") for n in range(120)]
        low, high = Bootstrap(300, seed=1).intervals(items, {"m": mean_of(agreed)})["m"]
        hits += low <= 4 / 6 <= high
    assert 0.91 <= hits / 400 <= 0.985
