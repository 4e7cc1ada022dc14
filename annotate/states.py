"""When things may happen to a turn and to an annotation."""

from jobs.states import Moves

ASSIGNMENT = Moves(
    "assignment",
    {
        "held": {"submit": "submitted", "skip": "skipped", "let run out": "expired"},
        "submitted": {"reopen": "held"},
        "skipped": {},
        "expired": {},
    },
)
ANNOTATION = Moves(
    "annotation",
    {"draft": {"submit": "submitted"}, "submitted": {"reopen": "draft"}},
)
