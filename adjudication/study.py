"""What was handed in for a project, as the measures read it: two queries, however many items there are."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, Max, Min
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from adjudication.judgements import ItemFacts, Judgement, Mark
from adjudication.routing import Rules
from annotate.models import Annotation, Item, Project, Submission
from taxonomy.models import Category
from traces.models import Step

# Judgements by these are compared with people elsewhere, never counted among them.
PEOPLE = (Annotation.Process.HUMAN, Annotation.Process.HUMAN_CONSENSUS)
COLUMNS = (
    "pk",
    "annotation_id",
    "at",
    "sha256",
    "outcome",
    "critical_step",
    "participant",
    "category",
    "failure_steps",
    "annotation__item_id",
    "annotation__user__username",
    "annotation__process",
    "annotation__exhaustive",
    "annotation__critical_definition",
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One annotation as handed in: its judgement, and the rows a label that rests on it has to name.

    Where only the answers were read, `state` is empty and the judgement has neither marks nor words.
    """

    item: int
    annotation: int
    submission: int
    sha256: str
    state: dict[str, Any]
    judgement: Judgement

    @property
    def basis(self) -> dict[str, Any]:
        return {"annotation": self.annotation, "submission": self.submission, "sha256": self.sha256}


def latest_answers(project: Project) -> list[Sheet]:
    """The last submission of each annotation that is handed in now, without its state: what routing rests on."""
    rows = current(Submission.objects.filter(annotation__item__project=project))
    rows = rows.annotate(confidence=KT("state__answers__confidence")).values(*COLUMNS, "confidence")
    return [sheet_of(row, judgement_of(row, number_or_none(row["confidence"]))) for row in rows]


def latest_sheets(items: Iterable[int]) -> list[Sheet]:
    """The same of these items, whole: what gold rests on."""
    return sheets(Submission.objects.filter(annotation__item__in=items))


def sheets_of(item: Item) -> list[Sheet]:
    return latest_sheets([item.pk])


def sheets(submissions) -> list[Sheet]:
    rows = current(submissions).values(*COLUMNS, "state")
    return [sheet_of(row, with_words(judgement_of(row), row["state"]), row["state"]) for row in rows]


def current(submissions):
    handed_in = submissions.filter(
        annotation__state=Annotation.State.SUBMITTED, annotation__is_current=True, annotation__process__in=PEOPLE
    )
    return handed_in.order_by("annotation_id", "-number").distinct("annotation_id")


def sheet_of(row: dict[str, Any], judgement: Judgement, state: dict[str, Any] | None = None) -> Sheet:
    return Sheet(
        item=row["annotation__item_id"],
        annotation=row["annotation_id"],
        submission=row["pk"],
        sha256=row["sha256"],
        state=state or {},
        judgement=judgement,
    )


def judgement_of(row: dict[str, Any], confidence: float | None = None) -> Judgement:
    return Judgement(
        item_id=str(row["annotation__item_id"]),
        annotator=row["annotation__user__username"],
        process=row["annotation__process"],
        exhaustive=row["annotation__exhaustive"],
        definition=row["annotation__critical_definition"],
        outcome=row["outcome"],
        critical_position=row["critical_step"],
        participant=row["participant"] or None,
        category=row["category"] or None,
        failure_positions=frozenset(row["failure_steps"]),
        confidence=confidence,
        submitted_at=row["at"],
        id=str(row["pk"]),
    )


def with_words(judgement: Judgement, state: dict[str, Any]) -> Judgement:
    answers = state["answers"]
    return replace(
        judgement,
        marks=marks_of(state),
        confidence=answers["confidence"],
        reason=answers["reason_for_root_cause"],
        summary=answers["failure_summary"],
    )


def number_or_none(given: str | None) -> float | None:
    return None if given is None else float(given)


def marks_of(state: dict[str, Any]) -> tuple[Mark, ...]:
    return tuple(
        Mark(
            position=failure["first_step"],
            participant=failure["participant"] or None,
            category=failure["category"] or ("none_fits" if failure["none_fits"] else None),
            is_critical=key == state["answers"]["critical"],
            step_reason=failure["step_reason"],
            category_reason=failure["category_reason"],
            id=key,
        )
        for key, failure in sorted(state["failures"].items(), key=lambda pair: pair[1]["number"])
    )


def facts_of(project: Project, item: Item | None = None) -> list[ItemFacts]:
    items = Item.objects.of(project) if item is None else Item.objects.filter(pk=item.pk)
    rows = items.values_list(
        "pk",
        "trajectory__external_id",
        "trajectory__n_steps",
        "trajectory__task_cluster",
        "trajectory__domain",
        "trajectory__source",
    )
    return [
        ItemFacts(str(pk), external_id, n_steps, cluster or f"{source}/{external_id}", domain, source)
        for pk, external_id, n_steps, cluster, domain, source in rows.order_by("pk")
    ]


def rules_of(project: Project, instead: Mapping[str, Any] | None = None) -> Rules:
    """The rules of routing with what the project changed of them, or with these changes in place of its own."""
    changed = dict(project.routing if instead is None else instead)
    if "kinds" in changed:
        changed["kinds"] = frozenset(changed["kinds"])
    categories = Category.objects.filter(version=project.taxonomy_version_id).values_list("key", "name")
    return Rules(**changed, names=dict(categories) | {"none_fits": "none fits"})


def numbering(project: Project, items: Iterable[int]) -> dict[int, dict[str, Any]]:
    """By item, how its steps are numbered for people, as fields of Rules: a first number, or all where they skip."""
    steps = Step.objects.filter(trajectory__items__in=items, trajectory__items__project=project)
    steps = steps.annotate(number=Coalesce("native_index", F("position") + 1), ahead=F("number") - F("position"))
    runs = steps.values_list("trajectory__items").annotate(low=Min("ahead"), high=Max("ahead")).order_by()
    found: dict[int, dict[str, Any]] = {item: {"first_step": low} for item, low, high in runs if low == high}
    skipping = steps.exclude(trajectory__items__in=found).values_list("trajectory__items", "position", "number")
    for item, position, number in skipping.order_by():
        found.setdefault(item, {"numbers": {}})["numbers"][position] = number
    return found


def numbers_of(project: Project, items: Iterable[int]) -> dict[int, Callable[[int], int]]:
    """By item, what its readers know a position by: the number that the source gave the step."""
    items = list(items)
    told = numbering(project, items)
    return {item: Rules(**told.get(item, {})).number for item in items}


def by_item(sheets: Iterable[Sheet]) -> dict[int, list[Sheet]]:
    """The sheets of each item, earliest submission first."""
    grouped: dict[int, list[Sheet]] = defaultdict(list)
    for sheet in sorted(sheets, key=lambda sheet: (sheet.judgement.submitted_at, sheet.submission)):
        grouped[sheet.item].append(sheet)
    return grouped
