import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.bootstrap import Bootstrap
from adjudication.failure_sets import failure_steps
from adjudication.judgements import Mark, Study
from tests.adjudication.builders import item, judged

runs = st.lists(
    st.tuples(st.integers(1, 8), st.lists(st.sets(st.integers(0, 7)), min_size=2, max_size=3)), min_size=1, max_size=4
)


@given(runs)
@settings(deadline=None)
def test_alpha_over_steps_equals_the_package(found):
    items, judgements, columns = [], [], []
    for number, (n_steps, sets) in enumerate(found):
        items.append(item(f"t{number}", n_steps))
        kept = [{position for position in marked if position < n_steps} for marked in sets]
        judgements += [judged(f"t{number}", f"r{rater}", failures=marked) for rater, marked in enumerate(kept)]
        columns += [[float(step in marked) for marked in kept] + [np.nan] * (3 - len(kept)) for step in range(n_steps)]
    told = failure_steps(Study.of(items, judgements), Bootstrap(50))
    if len({value for column in columns for value in column if value == value}) < 2:
        assert told["alpha"]["undefined"].startswith("only one value used")
        return
    theirs = krippendorff.alpha(np.array(columns).T, level_of_measurement="nominal")
    assert told["alpha"]["value"] == pytest.approx(theirs, abs=1e-6)


def test_only_exhaustive_annotations_are_compared():
    study = Study.of(
        [item("t1"), item("t2")],
        [
            judged("t1", "ann", 3, failures=(3, 5)),
            judged("t1", "ben", 3, failures=(3,)),
            judged("t2", "ann", 3, failures=(3, 5)),
            judged("t2", "eve", 3, exhaustive=False),
        ],
    )
    told = failure_steps(study, Bootstrap(50))
    assert (told["n"], told["n_pairs"], told["masi"]["value"]) == (1, 1, round(1 / 3, 6))
    assert told["f1"]["0"]["value"] == round(2 / 3, 6)


def test_two_marks_at_one_step_are_two_marks():
    twice = judged("t1", "ann", 3, marks=(Mark(3, "Planner"), Mark(3, "Verifier")))
    told = failure_steps(Study.of([item("t1")], [twice, judged("t1", "ben", 3)]), Bootstrap(50))
    assert (told["f1"]["0"]["value"], told["masi"]["value"]) == (round(2 / 3, 6), 1.0)


def test_no_mark_by_anyone_leaves_alpha_undefined_but_counts_as_agreement():
    told = failure_steps(Study.of([item("t1")], [judged("t1", "ann"), judged("t1", "ben")]), Bootstrap(50))
    assert told["alpha"] == {"value": None, "undefined": "only one value used: not marked; observed agreement 1.0"}
    assert (told["f1"]["0"]["value"], told["masi"]["value"]) == (1.0, 1.0)


def test_a_long_run_weighs_by_its_steps_unless_told_not_to():
    def of(n_steps):
        items = [item("t1", n_steps), item("t2", 10)]
        found = [("t1", "ann", (1,)), ("t1", "ben", (1,)), ("t2", "ann", (1,)), ("t2", "ben", (2,))]
        return Study.of(items, [judged(name, who, failures=marked) for name, who, marked in found])

    short, long = (failure_steps(of(n), Bootstrap(50)) for n in (10, 1000))
    assert long["alpha"]["value"] != short["alpha"]["value"]
    weighted = short["alpha_each_trajectory_weighs_1"]["value"]
    assert weighted == pytest.approx(1 - 0.1 / (2 * 0.1 * 0.9), abs=1e-6)
