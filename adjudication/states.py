"""When things may happen to a case."""

from jobs.states import Moves

CASE = Moves(
    "case",
    {
        "open": {"rule": "ruled", "withdraw when the reason goes away": "withdrawn"},
        "ruled": {},  # for good: to rule again opens another case of the same item
        "withdrawn": {},
    },
)
