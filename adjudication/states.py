"""When things may happen to a case."""

from jobs.states import Moves

CASE = Moves(
    "case",
    {"open": {"rule": "ruled", "withdraw when the reason goes away": "withdrawn"}, "ruled": {}, "withdrawn": {}},
)
