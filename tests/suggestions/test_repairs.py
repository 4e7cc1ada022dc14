"""Published checks whose code is broken in a known way are mended; the others say why they cannot run."""

import time

from suggestions.repairs import repair

HALF_QUOTED = 'def check(trajectory, current_step_index):\n    ""Return True when the order is open.""\n    return True'
TYPOGRAPHIC = "def check(trajectory, current_step_index):\n    return “open” != ‘closed’"
INDENTED = "  def check(trajectory, current_step_index):\n      return True"
LOST_INDENTATION = "def check(trajectory, current_step_index):\n if True:\n return True\n return False"


def test_good_code_stays_as_it_is():
    good = "def check(trajectory, current_step_index):\n    return True"
    assert (repair(good).code, repair(good).repairs, repair(good).fault) == (good, (), "")


def test_a_docstring_that_lost_a_quote_gets_it_back():
    mended = repair(HALF_QUOTED)
    assert mended.repairs == ("full_docstring_quotes",)
    assert '    """Return True when the order is open."""\n' in mended.code


def test_blank_lines_are_no_long_repair():
    started = time.monotonic()
    assert repair("def" + "\n" * 90_000).fault
    assert time.monotonic() - started < 10


def test_typographic_quotes_become_plain():
    assert repair(TYPOGRAPHIC).repairs == ("plain_quotes",)


def test_a_margin_common_to_all_lines_goes():
    assert repair(INDENTED).repairs == ("common_margin_removed",)


def test_lost_indentation_is_not_guessed_at():
    told = repair(LOST_INDENTATION)
    assert (told.code, told.repairs) == (LOST_INDENTATION, ())
    assert told.fault
