"""Why an item stands where it stands: its annotations, each difference and whether it routes, its cases and gold."""

from dataclasses import replace
from typing import Any

from adjudication.differences import Reason, differences
from adjudication.judgements import OUTCOME_WORDS
from adjudication.models import Case, GoldLabel
from adjudication.staleness import basis
from adjudication.study import Sheet, facts_of, numbering, rules_of, sheets_of
from annotate.models import Item, Project


def explained(project: Project, item: Item) -> dict[str, Any]:
    sheets = sorted(sheets_of(item), key=lambda sheet: (sheet.judgement.submitted_at, sheet.submission))
    rules = replace(rules_of(project), **numbering(project, [item.pk]).get(item.pk, {}))
    (facts,) = facts_of(project, item)
    found = differences(facts, [sheet.judgement for sheet in sheets], rules)
    gold = list(GoldLabel.objects.filter(item=item).order_by("field"))
    cases = list(Case.objects.filter(item=item).select_related("ruling").order_by("opened_at"))
    return {
        "rows": [row_of(sheet, rules) for sheet in sheets],
        "differences": [(reason.as_json(), routes(reason, rules)) for reason in found],
        "gold": [label_of(label, rules) for label in gold],
        "is_stale": is_stale(gold, cases, sheets),
        "cases": cases,
    }


def routes(reason: Reason, rules) -> bool:
    return reason.kind in rules.kinds


def row_of(sheet: Sheet, rules) -> dict[str, Any]:
    judgement = sheet.judgement
    step = judgement.critical_position
    return {
        "annotator": judgement.annotator,
        "at": judgement.submitted_at,
        "outcome": OUTCOME_WORDS[judgement.outcome] if judgement.outcome else "not answered",
        "step": "" if step is None else rules.number(step),
        "participant": judgement.participant or "",
        "category": rules.names.get(judgement.category or "", judgement.category or ""),
        "confidence": judgement.confidence,
        "marks": len(judgement.marks),
        "exhaustive": judgement.exhaustive,
        "definition": judgement.definition,
    }


def label_of(label: GoldLabel, rules) -> dict[str, Any]:
    return {"field": label.get_field_display(), "basis": label.basis, "shown": shown(label, rules), "at": label.at}


def shown(label: GoldLabel, rules) -> str:
    if label.value is None:
        return "none"
    if label.field == GoldLabel.Field.FAILURES:
        return f"{len(label.value)} marked"
    if label.field == GoldLabel.Field.CRITICAL_STEP:
        return f"step {rules.number(label.value)}"
    if label.field == GoldLabel.Field.OUTCOME:
        return OUTCOME_WORDS[label.value]
    return rules.names.get(label.value, str(label.value))


def is_stale(gold: list[GoldLabel], cases: list[Case], sheets: list[Sheet]) -> bool:
    rulings = {case.ruling.pk: case.ruling.basis for case in cases if hasattr(case, "ruling")}
    outcome = next((label for label in gold if label.field == GoldLabel.Field.OUTCOME), None)
    return outcome is not None and basis(outcome.rests_on, rulings) != {sheet.submission for sheet in sheets}
