"""Intervals beside values that are newer than they are: until a worker has computed new ones, the old ones stand."""

from typing import Any


def with_intervals_of(older: Any, newer: Any) -> Any:
    """The newer figures, each with the interval that stood in the same place of the older ones."""
    if isinstance(newer, dict):
        if "value" in newer:
            return with_interval(older, newer)
        olds = older if isinstance(older, dict) else {}
        return {
            name: olds.get(name) if name.endswith("_ci") else with_intervals_of(olds.get(name), node)
            for name, node in newer.items()
        }
    if isinstance(newer, list):
        before = older if isinstance(older, list) and len(older) == len(newer) else [None] * len(newer)
        return [with_intervals_of(old, node) for old, node in zip(before, newer, strict=True)]
    return newer


def with_interval(older: Any, newer: dict[str, Any]) -> dict[str, Any]:
    if newer["value"] is None or not isinstance(older, dict) or not older.get("ci"):
        return newer
    return {name: value for name, value in newer.items() if name != "ci_undefined"} | {"ci": older["ci"]}
