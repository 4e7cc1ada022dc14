"""Gold as it stands now, per field with its basis."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db.models import QuerySet

from adjudication.models import GoldLabel, Ruling
from annotate.models import Annotation, Item, Project
from exports.labels.base import Labels
from exports.labels.marks import mark_of
from exports.labels.naming import NONE_FITS, Naming
from exports.rows import Label, Mark

GOLD = "gold"
Field = GoldLabel.Field


class GoldLabels(Labels):
    """An item without an agreed outcome has no label: the other fields hang on it."""

    name = GOLD
    without = "no gold label yet"

    def __init__(self, project: Project, naming: Naming | None = None):
        self.project = project
        self.naming = naming or Naming.of(project)

    def items(self) -> QuerySet[Item]:
        return Item.objects.of(self.project)

    def labelled(self) -> QuerySet[Item]:
        return self.items().filter(gold__field=Field.OUTCOME)

    def of(self, items: list[Item]) -> dict[int, Label]:
        by_item: dict[int, dict[str, GoldLabel]] = defaultdict(dict)
        for row in GoldLabel.objects.filter(item__in=items).order_by("item", "field"):
            by_item[row.item_id][row.field] = row
        annotations, rulings = behind(by_item)
        under = self.naming.under(annotations)
        return {
            item: gold_label(fields, self.naming, under, provenance_of(fields, annotations, rulings))
            for item, fields in by_item.items()
            if Field.OUTCOME in fields
        }


def behind(by_item: Mapping[int, Mapping[str, GoldLabel]]) -> tuple[dict[int, dict], dict[int, Ruling]]:
    """The annotations and rulings that these labels rest on."""
    rests_on = [each for fields in by_item.values() for row in fields.values() for each in row.rests_on]
    rulings = Ruling.objects.in_bulk({each["ruling"] for each in rests_on if "ruling" in each})
    named = {each["annotation"] for each in rests_on if "annotation" in each}
    annotations = Annotation.objects.filter(pk__in=named).values("pk", "process", "critical_definition", "exhaustive")
    return {each["pk"]: each for each in annotations}, rulings


def gold_label(
    fields: Mapping[str, GoldLabel],
    naming: Naming,
    under: Mapping[int, Mapping[str, str | None]],
    provenance: dict[str, Any],
) -> Label:
    values = {name: row.value for name, row in fields.items()}
    marks = [
        mark_of(
            each["key"],
            {**each, "number": number, "category": category_now(each, naming, under)},
            naming,
            is_critical=bool(each.get("is_critical")),
            sources=each.get("from", []),
        )
        for number, each in enumerate(values.get(Field.FAILURES) or [], start=1)
    ]
    return Label(
        outcome=values[Field.OUTCOME],
        failures=tuple(with_critical_fields(marks, values, naming)),
        confidence=None,
        reason_for_root_cause=values.get(Field.REASON) or "",
        failure_summary=values.get(Field.SUMMARY) or "",
        provenance=provenance,
    )


def with_critical_fields(marks: list[Mark], values: Mapping[str, Any], naming: Naming) -> list[Mark]:
    """The gold fields decide what the critical mark says; where no mark is critical they make one."""
    if values[Field.OUTCOME] != "critical":
        return [replace(mark, is_critical=False) for mark in marks]
    critical = next((mark for mark in marks if mark.is_critical), None)
    if critical is None:
        if values.get(Field.CRITICAL_STEP) is None:
            return marks
        words = {"number": len(marks) + 1, "step_reason": values.get(Field.REASON) or "", "effect": "persists"}
        critical = mark_of("critical", words, naming, is_critical=True)
        marks = [*marks, critical]
    said = critical_fields(critical, values, naming)
    return [replace(mark, **said) if mark is critical else mark for mark in marks]


def critical_fields(critical: Mark, values: Mapping[str, Any], naming: Naming) -> dict[str, Any]:
    said: dict[str, Any] = {}
    step, category = values.get(Field.CRITICAL_STEP), values.get(Field.CATEGORY)
    if step is not None and step != critical.first_step:
        said |= {"anchor": "step", "first_step": step, "last_step": step}
    if values.get(Field.PARTICIPANT):
        said["participant"] = values[Field.PARTICIPANT]
    if category in naming.names or category == NONE_FITS or not naming.recodes:
        said |= naming.words(category) if category else {}
    elif category and critical.category is None:
        said |= naming.words(naming.brought(category))
    return said


def category_now(mark: Mapping[str, Any], naming: Naming, under: Mapping[int, Mapping[str, str | None]]) -> str | None:
    """The category of a gold mark under the version: as its sources were recoded where they agree, else by its name's way."""
    key = mark.get("category")
    if not naming.recodes or key in naming.names:
        return key
    sources = mark.get("from", [])
    said = {under.get(each.get("annotation"), {}).get(each.get("key"), "") for each in sources}
    if len(said) == 1 and said != {""}:
        return said.pop()
    return naming.brought(key)


def provenance_of(
    fields: Mapping[str, GoldLabel], annotations: Mapping[int, dict], rulings: Mapping[int, Ruling]
) -> dict[str, Any]:
    """Per field its basis and what it rests on; over all of them the processes and definitions behind the label."""
    rests_on = [each for row in fields.values() for each in row.rests_on]
    ruled = [rulings[pk] for pk in sorted({each["ruling"] for each in rests_on if "ruling" in each})]
    found = [annotations[pk] for pk in sorted({each["annotation"] for each in rests_on if "annotation" in each})]
    return {
        "processes": sorted({each["process"] for each in found} | ({"human"} if ruled else set())),
        "definitions": sorted({each["critical_definition"] for each in found}),
        "exhaustive": bool(ruled) or Field.FAILURES in fields and any(each["exhaustive"] for each in found),
        "basis": {name: {"basis": row.basis, "rests_on": row.rests_on} for name, row in sorted(fields.items())},
        "rulings": [
            {
                "ruling": ruling.pk,
                "at": ruling.at.isoformat(),
                "cause": ruling.cause,
                "rationale": ruling.rationale,
                "basis": ruling.basis,
            }
            for ruling in ruled
        ],
    }
