"""What a failure becomes under another version: decided from its codes, its category and the board. Pure."""

import pytest

from annotate.codebook.recoding import AMBIGUOUS, NOT_PROMOTED, UNMAPPED, Coded, Marked, StillNone, Unclear, decide
from taxonomy.codebook import Event, fold

CODES = {1: ("late", ""), 2: ("early", ""), 3: ("odd", "")}
CATEGORIES = {"categories": [{"key": key, "name": key.upper()} for key in ("a", "b", "c", "d")]}
PARTS = [{"name": "D one"}, {"name": "D two"}]
BOARD = fold(
    CODES,
    [
        Event(number, op, payload)
        for number, (op, payload) in enumerate(
            [
                ("start", CATEGORIES),
                ("promote", {"nodes": ["c1"], "into": "a"}),
                ("promote", {"nodes": ["c2"], "into": "d"}),
                ("merge", {"nodes": ["b"], "into": "a"}),
                ("retire", {"nodes": ["c"]}),
                ("split", {"node": "d", "parts": PARTS, "assign": {"9/by-hand": 0}, "codes": {"c2": 1}}),
            ],
            start=1,
        )
    ],
)


@pytest.mark.parametrize(
    ("marked", "decision"),
    [
        (Marked("9/x", category="a"), Coded("a", "mapping")),
        (Marked("9/x", category="b"), Coded("a", "mapping")),
        (Marked("9/x", category="c"), Unclear(UNMAPPED)),
        (Marked("9/x", category="d"), Unclear(AMBIGUOUS, ("d_one", "d_two"))),
        (Marked("9/by-hand", category="d"), Coded("d_one", "mapping")),
        (Marked("9/x", codes=(2,), category="d"), Coded("d_two", "codes")),
        (Marked("9/x", codes=(1,), category="d"), Unclear(AMBIGUOUS, ("d_one", "d_two"))),
        (Marked("9/x", category="unheard"), Unclear(UNMAPPED)),
        (Marked("9/x", codes=(1,)), Coded("a", "codes")),
        (Marked("9/x", codes=(1, 2)), Unclear(AMBIGUOUS, ("a", "d_two"))),
        (Marked("9/x", codes=(3,)), Unclear(NOT_PROMOTED)),
        (Marked("9/x"), Unclear(NOT_PROMOTED)),
        # Nobody chose this category: it came from the codes, and follows them.
        (Marked("9/x", codes=(2,), category="a", by_codes=True), Coded("d_two", "codes")),
        (Marked("9/x", codes=(3,), category="b", by_codes=True), Coded("a", "mapping")),
        # “None fits” stands until a category grows out of its code; said under this very version, it stands anyway.
        (Marked("9/x", codes=(3,), none_fits=True), StillNone()),
        (Marked("9/x", codes=(1,), none_fits=True), Coded("a", "codes")),
        (Marked("9/x", codes=(1,), none_fits=True, answered_here=True), StillNone()),
    ],
)
def test_a_failure_gets_exactly_one_decision(marked, decision):
    assert decide(BOARD, marked) == decision
