"""From one preset's categories to another's: many-to-many, with notes. Read in either direction."""

from collections.abc import Iterator
from dataclasses import dataclass

from taxonomy.crosswalks import agentrx, maadbench
from taxonomy.crosswalks.drafts import Crosswalk

__all__ = ["CROSSWALKS", "Crosswalk", "Translation", "between", "translate"]

CROSSWALKS: tuple[Crosswalk, ...] = (
    agentrx.MAST,
    agentrx.TRAIL,
    agentrx.AGENT_ERROR_TAXONOMY,
    agentrx.CATCHBENCH_GOLD,
    maadbench.IN_TRACE,
    maadbench.POST_HOC,
)


@dataclass(frozen=True)
class Translation:
    """What a category is called elsewhere: one key where the way is clear, several where it depends, none at all."""

    keys: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_clear(self) -> bool:
        return len(self.keys) == 1


def between(one: str, other: str) -> Iterator[Crosswalk]:
    return (each for each in CROSSWALKS if {each.left, each.right} == {one, other})


def translate(preset: str, key: str, to: str, crosswalk: str = "") -> Translation | None:
    """The category under another preset's names; None where no crosswalk joins the two. Some pairs have two: name one."""
    if preset == to:
        return Translation((key,))
    known = [each for each in between(preset, to) if crosswalk in ("", each.name)]
    if not known:
        return None
    found = [(target, note) for each in known[:1] for target, note in each.ways(preset, key)]
    notes = tuple(dict.fromkeys(note for _, note in found if note))
    return Translation(tuple(dict.fromkeys(target for target, _ in found)), notes)
