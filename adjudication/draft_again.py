"""A ruling turned back into the form that it was made with. Pure."""

from collections.abc import Mapping
from typing import Any

from adjudication.alignment import Alignment, MarkCard
from adjudication.ruling_draft import OUTCOMES, Data, RulingDraft, fields_of, merged, written_as

RELEASED = ("reason_for_root_cause", "failure_summary")


def begun_again(ruling, alignment: Alignment) -> Data:
    """What stands in the form when a ruling is made again: that ruling. Marks that have changed since are written out."""
    words = ("cause", "rationale", "guideline_note")
    data = {"keep": [], "merge": [], **{name: [getattr(ruling, name)] for name in words}}
    data["choice"] = [ruling.outcome] if ruling.outcome in OUTCOMES else []
    for failure in ruling.failures:
        data |= standing_as(failure, data, alignment)
    own = {name: getattr(ruling, name) for name in RELEASED}
    chosen = RulingDraft(data, alignment).chosen
    answers = chosen.column.answers if chosen else dict.fromkeys(own, "")
    if chosen and any(answers[name] and not own[name] for name in own):  # she named the step and took nobody's words
        data |= choice_by_step(chosen.failure, alignment)
        answers = dict.fromkeys(own, "")
    return data | {name: ["" if own[name] == answers[name] else own[name]] for name in own}


def standing_as(failure: dict[str, Any], data: Data, alignment: Alignment) -> Data:
    """A ruled failure as marks that are kept, where they say the same; else as one to be written."""
    sources = {(each["annotation"], each["key"]) for each in failure["from"]}
    group = [mark for mark in alignment.marks.values() if (mark.column.annotation, mark.key) in sources]
    group.sort(key=lambda mark: mark.column.rank)
    leads = group if failure["is_critical"] else group[:1]
    lead = next((mark for mark in leads if says(merged(group, mark), failure, alignment)), None)
    if lead is None:
        origin = group[0] if group else None
        return written_as(failure, origin, data, alignment) | choice_for(failure, origin, origin, alignment)
    choice = choice_for(failure, lead, None, alignment)
    # A mark that is chosen is kept by that alone: with another choice it is let go.
    keep = [mark.value for mark in group if choice.get("choice") != [f"mark:{mark.value}"]]
    kept = {"keep": [*data["keep"], *keep]}
    if len(group) > 1 and (row := alignment.at(lead.place)) and row.merges:
        kept["merge"] = [*data["merge"], str(lead.place)]
    return kept | choice


def says(mark: Mapping[str, Any], failure: Mapping[str, Any], alignment: Alignment) -> bool:
    """They are the same as far as the form can tell. That the critical one persists is not asked."""
    said, ruled = fields_of(mark, alignment), fields_of(failure, alignment)
    if failure["is_critical"]:
        said["effect"] = ruled["effect"]
    return said == ruled


def choice_for(
    failure: dict[str, Any], mark: MarkCard | None, rewritten: MarkCard | None, alignment: Alignment
) -> Data:
    """The answer of the form that makes this failure the critical one: that of a mark if the form has it."""
    if not failure["is_critical"]:
        return {}
    if mark is not None and mark.is_critical:
        offered = next(each for each in alignment.marks.values() if each.is_critical and each.says_as(mark))
        if rewritten is None or rewritten is offered:
            return {"choice": [f"mark:{offered.value}"]}
    return choice_by_step(failure, alignment)


def choice_by_step(failure: Mapping[str, Any], alignment: Alignment) -> Data:
    return {"choice": ["other"], "other_step": [fields_of(failure, alignment)["step"]]}
