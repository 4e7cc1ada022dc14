from dataclasses import dataclass


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

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.key, self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Preset:
    """A taxonomy to start from. `judge_answers` are spellings that judges give but annotators cannot choose."""

    name: str
    title: str
    credit: str
    categories: tuple[CategoryDraft, ...]
    judge_answers: tuple[str, ...] = ()
