"""Gold without an adjudicator: what the annotators of an item agree on, where the project takes that as gold."""

from typing import Any

from adjudication.actions.gold import Label
from adjudication.actions.rules import Setting
from adjudication.consensus import Gold, GoldFailure, consensus
from adjudication.differences import Rules
from adjudication.judgements import ItemFacts
from adjudication.models import GoldLabel, Routing
from adjudication.ruled import KEPT
from adjudication.study import Sheet
from annotate.fold import new_failure

ACCEPT, WAITING = Routing.Decision.ACCEPT, Routing.Decision.WAITING
WORDS = (GoldLabel.Field.REASON, GoldLabel.Field.SUMMARY)


def agreed_labels(sheets: list[Sheet], rules: Rules, single_is_gold: bool) -> dict[str, Label]:
    """By field, of an item whose annotations are gold."""
    facts = ItemFacts(str(sheets[0].item), trajectory="", n_steps=0, cluster="")
    gold = consensus(facts, [sheet.judgement for sheet in sheets], rules, one_definition=True)
    return labels_of(gold, sheets, single_is_gold)


def is_gold(setting: Setting, decision: str, sheets: list[Sheet]) -> bool:
    """Not where it is not accepted, rests on two definitions of critical, or on one person alone."""
    if len(sheets) < 2:
        return bool(sheets) and setting.single_is_gold and decision in (ACCEPT, WAITING)
    one_definition = len({sheet.judgement.definition for sheet in sheets}) == 1
    return decision == ACCEPT and (one_definition or setting.takes_definitions_as_one)


def labels_of(gold: Gold, sheets: list[Sheet], single_is_gold: bool) -> dict[str, Label]:
    """A field that one of several people answered is no gold on its own, except for the words that explain the rest."""
    by_id = {sheet.judgement.id: sheet for sheet in sheets}
    labels = {}
    for name, value in gold.fields.items():
        if value.basis == "consensus" or single_is_gold or name in WORDS:
            labels[name] = Label(value.value, value.basis, [by_id[each].basis for each in value.judgements])
    if gold.failures is not None:
        # Who marks the critical step alone says nothing of the other failures, so cannot agree on them.
        exhaustive = sum(sheet.judgement.exhaustive for sheet in sheets)
        basis = "single" if exhaustive == 1 or len(sheets) == 1 else "consensus"
        failures = [failure_of(each, number, by_id) for number, each in enumerate(gold.failures, start=1)]
        labels[GoldLabel.Field.FAILURES] = Label(failures, basis, [sheet.basis for sheet in sheets])
    return labels


def failure_of(gold: GoldFailure, number: int, by_id: dict[str, Sheet]) -> dict[str, Any]:
    """In the shape of a ruling's failures, with the words, codes and effect of the earliest mark behind it."""
    behind = [
        (by_id[judgement], key, mark)
        for judgement in gold.judgements
        for key, mark in by_id[judgement].state["failures"].items()
        if key in gold.marks and mark["first_step"] == gold.position
    ]
    failure = new_failure(**(behind[0][2] if behind else {"first_step": gold.position, "last_step": gold.position}))
    failure |= {
        "key": f"f{number}",
        "number": number,
        "participant": gold.participant or failure["participant"],
        "category": None if gold.category == "none_fits" else gold.category,
        "none_fits": gold.category == "none_fits",
        "step_reason": gold.step_reason or failure["step_reason"],
        "category_reason": gold.category_reason or failure["category_reason"],
        "is_critical": gold.is_critical,
        "from": [{"annotation": sheet.annotation, "key": key} for sheet, key, _ in behind],
    }
    if gold.is_critical:
        failure |= {"effect": "persists", "recovered_at": None, "recovered_by": ""}
    return {**{name: failure[name] for name in KEPT}, "count": gold.count, "of": gold.of}
