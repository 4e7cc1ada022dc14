"""The measurement counts what it says, and the committed figures are those of the code."""

import json

import pytest

from annotate.management.commands.measure_constraints import SETS, labelled
from suggestions.builtin import BUILTINS
from suggestions.measurement import HELD_OUT, TUNING, Labelled, half_of, measure
from suggestions.pages import MEASURED, constraints_page
from tests.shared_data import shared
from tests.suggestions.builders import a_run, called, said


def test_counts_by_hand():
    run = a_run(called(0, "get", "no json", "c"), said(1, "Assistant", "well"), called(2, "get", "{}", "d"), id="one")
    measured = measure([Labelled(run, 0, frozenset({0, 1}))], BUILTINS)
    told, other = measured[half_of("one")], measured[TUNING if half_of("one") == HELD_OUT else HELD_OUT]
    assert (told.runs, told.steps, told.failures, told.failures_covered, told.critical_covered) == (1, 3, 2, 1, 1)
    assert (told.alarms, told.false_alarms, round(told.false_alarms_per_100_steps, 1)) == (2, 1, 33.3)
    assert told.constraints["arguments_are_json"].on_critical == 1
    assert (other.runs, other.false_alarms_per_100_steps) == (0, 0.0)


@pytest.mark.slow
def test_the_committed_figures_are_those_of_the_code():
    committed = json.loads(MEASURED.read_text())
    for name, (traces, labels, format) in SETS.items():
        halves = measure(labelled(shared(traces), shared(labels), format), BUILTINS)
        assert {half: told.as_json() for half, told in halves.items()} == committed[name], name


def test_the_page_names_every_constraint_and_both_halves():
    page = constraints_page()
    assert all(f"`{builtin.name}`" in page for builtin in BUILTINS)
    assert "tuned on" in page and "held out" in page
