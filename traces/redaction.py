"""What becomes of words that are taken out of a run. Apps above register how they clear those that they keep."""

from collections.abc import Callable
from typing import Any

from traces.models import Trajectory

REDACTED = "[redacted]"
Clear = Callable[[Trajectory, frozenset[int]], None]
_clears: list[Clear] = []


def clears_words(clear: Clear) -> Clear:
    """Registers `clear(trajectory, positions)`, which is called within the transaction of a redaction."""
    if clear not in _clears:
        _clears.append(clear)
    return clear


def clear_above(trajectory: Trajectory, positions: frozenset[int]) -> None:
    for clear in _clears:
        clear(trajectory, positions)


def emptied(value: Any) -> Any:
    """The same shape without its words and ids; yes, no and rates stay."""
    if isinstance(value, dict):
        return {key: emptied(each) for key, each in value.items()}
    if isinstance(value, list):
        return [emptied(each) for each in value]
    return value if value is None or isinstance(value, bool | float) else REDACTED
