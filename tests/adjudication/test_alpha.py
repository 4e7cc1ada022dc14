from itertools import permutations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.alpha import alpha, fits_the_package, interval_alpha, nominal_alpha, one_value_alpha, published_alpha
from tests.adjudication.builders import rated

units = st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=4), min_size=1, max_size=8)


def _counts(found: list[list[int]]) -> tuple[np.ndarray, list[int]]:
    domain = sorted({value for unit in found for value in unit})
    return np.array([[unit.count(value) for value in domain] for unit in found], dtype=float), domain


def _slow_alpha(found: list[list[int]], distance) -> float:
    values = [value for unit in found for value in unit]
    n = len(values)
    observed = sum(distance(a, b) / (len(unit) - 1) for unit in found for a, b in permutations(unit, 2)) / n
    expected = sum(distance(a, b) for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected if expected else np.nan


@given(units)
@settings(deadline=None)
def test_alpha_equals_its_definition_and_the_package(found):
    counts, domain = _counts(found)
    for level, own, distance in (
        ("nominal", nominal_alpha(counts), lambda a, b: float(a != b)),
        ("interval", interval_alpha(rated(found)), lambda a, b: float((a - b) ** 2)),
    ):
        slow = _slow_alpha(found, distance)
        assert own.value == pytest.approx(slow, nan_ok=True)
        assert published_alpha(counts, domain, level) == pytest.approx(slow, nan_ok=True)


def test_alpha_of_a_published_example():
    # Krippendorff 2011, "Computing Krippendorff's alpha-reliability", C: four observers, missing values
    found = [[1, 1, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4]]
    found += [[1, 1, 2, 1], [2, 2, 2, 2], [5, 5, 5], [1, 1]]
    counts, domain = _counts(found)
    assert round(published_alpha(counts, domain, "nominal"), 3) == 0.743
    assert round(published_alpha(counts, domain, "interval"), 3) == 0.849


@given(units)
@settings(deadline=None)
def test_one_against_the_rest_is_alpha_of_two_values(found):
    counts, domain = _counts(found)
    for column, value in enumerate(domain):
        two_values = [[int(given == value) for given in unit] for unit in found]
        slow = _slow_alpha(two_values, lambda a, b: float(a != b))
        assert one_value_alpha(counts, column).value == pytest.approx(slow, nan_ok=True)


def test_one_value_only_is_undefined_and_not_one():
    counts = np.array([[2.0], [2.0]])
    assert np.isnan(published_alpha(counts, [3], "nominal"))
    assert np.isnan(nominal_alpha(counts).value)
    assert np.isnan(interval_alpha(rated([[3, 3], [3, 3]])).value)


def test_many_values_need_no_square_table():
    random = np.random.default_rng(1)
    many = rated(random.permutation(40_000).reshape(20_000, 2).tolist())
    assert not fits_the_package(len(many), len(many.domain))
    assert abs(alpha(many, "interval")[1]) < 0.1
    assert "counts" not in vars(many)


def test_own_alpha_equals_the_package_on_many_raters():
    random = np.random.default_rng(2)
    data = random.integers(0, 6, (5, 300)).astype(float)
    data[random.random(data.shape) < 0.2] = np.nan
    data = data[:, (~np.isnan(data)).sum(axis=0) > 1]
    counts = np.array([[(unit == value).sum() for value in range(6)] for unit in data.T], dtype=float)
    assert nominal_alpha(counts).value == pytest.approx(krippendorff.alpha(data, level_of_measurement="nominal"))
    own = interval_alpha(rated([[int(value) for value in unit if value == value] for unit in data.T])).value
    assert own == pytest.approx(krippendorff.alpha(data, level_of_measurement="interval"))
