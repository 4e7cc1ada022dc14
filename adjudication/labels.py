"""The labels that suggestions are scored against, and who had seen suggestions when they were made."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from adjudication.models import GoldLabel, Ruling
from annotate.models import Annotation, Item, Membership, Project, Submission, SuggestionEvent
from people.models import User
from suggestions.queries import Checker
from suggestions.scoring import Gold

GOLD, ANNOTATOR = "gold", "annotator:"
Field = GoldLabel.Field


class UnknownLabels(Exception):
    def __init__(self, labels: str, project: str):
        super().__init__(f"“{labels}” is no label set of {project}; expected gold or annotator:NAME")


@dataclass(frozen=True)
class Labels:
    """`touched`: by run, the models (for constraints, sources) whose suggestion a maker of its label had been shown."""

    name: str
    gold: tuple[Gold, ...]
    touched: Mapping[str, frozenset[str]]


def labels_of(project: Project, name: str = GOLD, left_out: Iterable[int] = ()) -> Labels:
    """Raises UnknownLabels. Items in `left_out` are as if they had no label."""
    items = Item.objects.of(project).exclude(pk__in=list(left_out))
    runs = {pk: (str(run), n) for pk, run, n in items.values_list("pk", "trajectory_id", "trajectory__n_steps")}
    if name == GOLD:
        fields, makers = gold_fields(project)
    else:
        fields, makers = annotator_fields(annotator_called(name, project), project)
    gold = tuple(gold_of(*runs[item], values) for item, values in sorted(fields.items()) if item in runs)
    shown = authors_shown(project, makers)
    return Labels(name, gold, {runs[item][0]: authors for item, authors in shown.items() if item in runs})


def gold_of(run: str, n_steps: int, values: Mapping[str, Any]) -> Gold:
    critical = values.get(Field.CATEGORY) or ""
    failures = [each for each in values.get(Field.FAILURES) or [] if each.get("category")]
    failures.sort(key=lambda each: -1 if each["first_step"] is None else each["first_step"])
    categories = tuple(each["category"] for each in failures) or ((critical,) if critical else ())
    return Gold(
        run, n_steps, values.get(Field.CRITICAL_STEP), values.get(Field.PARTICIPANT) or "", critical, categories
    )


@dataclass(frozen=True)
class Makers:
    """Who made the label of an item: these annotations, and where it was ruled, this adjudicator."""

    annotations: frozenset[int]
    users: frozenset[int] = frozenset()


def gold_fields(project: Project) -> tuple[dict[int, dict[str, Any]], dict[int, Makers]]:
    fields: dict[int, dict[str, Any]] = defaultdict(dict)
    bases: dict[int, list[dict]] = defaultdict(list)
    for item, field, value, rests_on in GoldLabel.objects.filter(item__project=project).values_list(
        "item", "field", "value", "rests_on"
    ):
        fields[item][field] = value
        bases[item] += rests_on
    rulings = {row.pk: row for row in Ruling.objects.filter(case__item__project=project)}
    return fields, {item: makers_of(basis, rulings) for item, basis in bases.items()}


def makers_of(basis: list[dict], rulings: Mapping[int, Ruling]) -> Makers:
    ruled = [rulings[each["ruling"]] for each in basis if "ruling" in each]
    on_the_table = [each for ruling in ruled for each in ruling.basis]
    annotations = {each["annotation"] for each in [*basis, *on_the_table] if "annotation" in each}
    return Makers(frozenset(annotations), frozenset(ruling.by_id for ruling in ruled))


def annotator_called(name: str, project: Project) -> User:
    kind, _, username = name.partition(":")
    found = User.objects.called(username).first() if kind == "annotator" else None
    annotates = Membership.objects.filter(project=project, user=found, role=Membership.Role.ANNOTATOR)
    if found is None or not (
        annotates.exists() or Annotation.objects.filter(user=found, item__project=project).exists()
    ):
        raise UnknownLabels(name, project.slug)
    return found


def annotator_fields(user: User, project: Project) -> tuple[dict[int, dict[str, Any]], dict[int, Makers]]:
    """The last submission of each annotation that is handed in now."""
    rows = Submission.objects.filter(
        annotation__in=Annotation.objects.submitted().filter(user=user, item__project=project)
    )
    latest = rows.order_by("annotation_id", "-number").distinct("annotation_id").select_related("annotation")
    fields, makers = {}, {}
    for row in latest:
        item = row.annotation.item_id
        fields[item] = {
            Field.CRITICAL_STEP: row.critical_step,
            Field.PARTICIPANT: row.participant,
            Field.CATEGORY: row.category,
            Field.FAILURES: list(row.state["failures"].values()),
        }
        makers[item] = Makers(frozenset({row.annotation_id}))
    return fields, makers


def authors_shown(project: Project, makers: Mapping[int, Makers]) -> dict[int, frozenset[str]]:
    """By item, whose judgements or violations a maker of its label had been shown."""
    shown = SuggestionEvent.objects.filter(item__project=project, kind=SuggestionEvent.Kind.SHOWN)
    found: dict[int, set[str]] = defaultdict(set)
    told = shown.values_list("item", "annotation", "user", "judgement__model", "violation__source", "violation__run")
    for item, annotation, user, model, source, run in told:
        made = makers.get(item)
        if made and (annotation in made.annotations or annotation is None and user in made.users):
            found[item].add(Checker(source, run).author if model is None else model)
    return {item: frozenset(authors) for item, authors in found.items()}
