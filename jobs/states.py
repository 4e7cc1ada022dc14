"""Tables of allowed moves, and the one of jobs. The database refuses what a table does not list."""

from dataclasses import dataclass

import pgtrigger


@dataclass(frozen=True)
class Moves:
    """What can happen to a thing in each of its states: {state: {verb: next state}}."""

    of: str
    table: dict[str, dict[str, str]]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        moves = {(state, after) for state, verbs in self.table.items() for after in verbs.values()}
        return sorted(moves)

    def trigger(self, name: str) -> pgtrigger.FSM:
        return pgtrigger.FSM(name=name, field="state", transitions=self.pairs)


JOB = Moves(
    "job",
    {
        "queued": {"take": "running", "cancel": "cancelled"},
        "running": {
            "finish": "done",
            "fail for good": "failed",
            "fail and try again": "queued",
            "stop as asked": "cancelled",
            "take over from a dead worker": "running",
        },
        "done": {},
        "failed": {},
        "cancelled": {},
    },
)
