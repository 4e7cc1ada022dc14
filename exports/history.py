"""The steps of runs for formats that carry them: read when a writer asks, for a whole chunk of runs at once."""

from collections import defaultdict
from functools import cached_property
from typing import Any

from exports.rows import Turn
from traces.models import Blob, Step


class Histories:
    def __init__(self, trajectories: list[int]):
        self.trajectories = trajectories

    def of(self, trajectory: int) -> list[Turn]:
        return self._turns[trajectory]

    @cached_property
    def _turns(self) -> dict[int, list[Turn]]:
        steps = Step.objects.filter(trajectory__in=self.trajectories).order_by("trajectory_id", "position")
        rows = list(steps.values_list("trajectory_id", "role", "agent", "blocks"))
        large = {block["blob"] for *_, blocks in rows for block in blocks if block.get("blob")}
        texts = {blob.pk: bytes(blob.content).decode() for blob in Blob.objects.filter(pk__in=large)}
        turns: dict[int, list[Turn]] = defaultdict(list)
        for trajectory, role, agent, blocks in rows:
            turns[trajectory].append(Turn(role, agent, "\n\n".join(words_of(block, texts) for block in blocks)))
        return turns


def words_of(block: dict[str, Any], texts: dict[str, str]) -> str:
    if block["kind"] == "tool_call":
        return f"{block.get('tool_name') or 'tool'}({block.get('arguments') or ''})"
    return texts[block["blob"]] if block.get("blob") else block["text"]
