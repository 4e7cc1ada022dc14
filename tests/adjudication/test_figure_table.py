import pytest

from adjudication.figure_table import safe


@pytest.mark.parametrize("text", ["=1+1", "\n=1+1", " \t=1+1", "\r=1", "+1", "-1", "@SUM(A1)", "＝1+1", "\nplain"])
def test_what_a_spreadsheet_would_run_is_quoted(text):
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("cell", ["step 3 = 4", "α", "", -0.5, 3])
def test_everything_else_stays_as_it_is(cell):
    assert safe(cell) == cell


def test_nothing_is_an_empty_cell():
    assert safe(None) == ""
