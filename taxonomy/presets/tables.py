"""Presets written as tables: one line of facts and advice per category."""

from collections.abc import Iterable

from taxonomy.presets.drafts import CategoryDraft

# group, name, the number or name its own files use, definition, when to use it or when not, yes/no question
Line = tuple[str, str, str, str, str, str]
NOT = "not: "


def categories(lines: Iterable[Line], format: str = "", keys: str = "name") -> tuple[CategoryDraft, ...]:
    """Keys come from names, since the numbers of a taxonomy have meant other things in other editions."""
    return tuple(category(line, format, keys) for line in lines)


def category(line: Line, format: str, keys: str) -> CategoryDraft:
    group, name, own, definition, advice, question = line
    use, _, not_ = advice.partition(NOT)
    return CategoryDraft(
        key=own if keys == "own" else key_from(name),
        name=name,
        definition=definition,
        when_to_use=use.strip(),
        when_not=not_.strip(),
        checklist=(question,),
        group=group,
        names=((format, own),) if format and own else (),
    )


def key_from(name: str) -> str:
    return "_".join("".join(c if c.isalnum() else " " for c in name.replace("'", "")).lower().split())
