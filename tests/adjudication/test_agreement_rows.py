from adjudication.agreement_rows import axis, rows, told
from adjudication.figure_table import lines
from adjudication.templatetags.figures import place, stacked
from tests.adjudication.test_overview_page import FIGURES

UNDEFINED = {"value": None, "undefined": "no trajectory has two critical steps"}


def by_label(figures):
    return {row.label: row for row in rows(figures)}


def test_a_share_without_an_interval_is_still_a_share():
    row = by_label(FIGURES)["critical step, within ±3"]
    assert row.beside == "chance 0.27"
    assert (row.words, row.ci, row.floor, row.aside) == ("0.57", None, 0.2701, "25 of 44")


def test_an_interval_without_width_is_not_shown_and_says_why():
    agent = {"n": 5, "agree": 5, "kappa": {"value": 1.0, "ci": [1.0, 1.0]}}
    row = by_label({"measures": {"agent": agent}})["responsible agent"]
    assert (row.ci, row.beside) == (None, "no interval: every resample gives this value")
    (line,) = [each for each in lines({"measures": {"agent": agent}}) if each.statistic == "κ"]
    assert (line.low, line.high, line.note) == (None, None, "every resample gives this value")


def test_too_few_clusters_are_said_beside_the_value():
    kappa = {"value": 0.4, "ci": None, "ci_undefined": "too few task clusters to resample within their domains"}
    row = by_label({"measures": {"agent": {"n": 1, "agree": 1, "kappa": kappa}}})["responsible agent"]
    assert row.beside == "no interval: too few task clusters to resample within their domains"


def test_no_figures_at_all_are_rows_that_say_why():
    found = rows({"measures": {"critical_step": {"n": 0, "chance_corrected": UNDEFINED}}})
    assert all(row.value is None and row.undefined for row in found)
    assert found[0].undefined == "Undefined: no trajectory has two critical steps."


def test_an_undefined_kappa_keeps_what_was_counted():
    why = "only one value used: critical; observed agreement 1.0"
    outcome = {"n": 9, "agree": 9, "kappa": {"value": None, "undefined": why}}
    row = by_label({"measures": {"outcome": outcome}})["outcome"]
    assert (row.aside, row.undefined) == ("9 of 9 agree", f"Undefined: {why}.")


def test_the_axis_reaches_below_zero_only_where_a_figure_does():
    assert axis(rows(FIGURES)) == (0.0, 1.0)
    below = {"n": 5, "agree": 1, "kappa": {"value": -0.12, "ci": [-0.31, 0.2]}}
    assert axis(rows({"measures": {"agent": below}})) == (-0.4, 1.0)


def test_a_place_outside_the_axis_stays_on_it():
    assert [place(value, (0.0, 1.0)) for value in (-1, 0.25, 2)] == ["0.00%", "25.00%", "100.00%"]


def test_negative_numbers_carry_a_minus_sign():
    assert told(-0.05) == "−0.05"


def test_a_stacked_bar_draws_what_is_there_and_fills_the_whole():
    drawn = stacked([{"n": 1, "fill": "a"}, {"n": 0, "fill": "b"}, {"n": 3, "fill": "c"}], "runs")["parts"]
    assert [(part["fill"], part["x"], part["width"]) for part in drawn] == [
        ("a", "0.000%", "25.000%"),
        ("c", "25.000%", "75.000%"),
    ]


def test_an_empty_bar_draws_nothing():
    assert stacked([{"n": 0, "fill": "a"}], "runs")["parts"] == []
