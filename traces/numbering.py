"""The numbers outside formats give to steps. Inside there is one: the 0-based position."""

from collections.abc import Iterable

# Lists of messages without numbers of their own: AgentRx counts them from 1 whatever else counts them from 0.
FLAT = frozenset({"whowhen", "magentic"})


def agentrx_number(format: str, position: int, native_index: int | None) -> int:
    """AgentRx's step_number: the step's own index, for flat lists its place counted from 1."""
    return position + 1 if native_index is None or format in FLAT else native_index


def agentrx_positions(format: str, steps: Iterable[tuple[int, int | None]]) -> dict[int, int]:
    """From AgentRx's step_number to the position, for (position, native index) pairs of one trajectory."""
    return {agentrx_number(format, position, native): position for position, native in steps}
