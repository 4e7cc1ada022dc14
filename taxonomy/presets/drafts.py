from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CategoryDraft:
    """One category as a preset proposes it. `name` is the spelling that exports write."""

    key: str
    name: str
    definition: str
    when_to_use: str
    when_not: str
    checklist: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    hotkey: str = ""
    group: str = ""
    names: tuple[tuple[str, str], ...] = ()  # what a format calls it: (format, name)

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.key, self.name, *self.aliases)

    def words(self) -> dict[str, Any]:
        """Everything a category of a version says."""
        return {
            "key": self.key,
            "name": self.name,
            "definition": self.definition,
            "group": self.group,
            "when_to_use": self.when_to_use,
            "when_not": self.when_not,
            "checklist": list(self.checklist),
            "examples": [],
            "aliases": list(self.aliases),
            "names": dict(self.names),
            "hotkey": self.hotkey,
            "colour": 0,
        }


@dataclass(frozen=True, slots=True)
class Preset:
    """A taxonomy to start from. `judge_answers` are spellings that judges give but annotators cannot choose."""

    name: str
    title: str
    credit: str
    categories: tuple[CategoryDraft, ...]
    judge_answers: tuple[str, ...] = ()
