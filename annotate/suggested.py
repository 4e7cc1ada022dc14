"""The only way from a person to the suggestions on an item."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from annotate.models import Item, SuggestionEvent
from annotate.queries import own_annotation
from annotate.reveal import is_revealed
from suggestions.models import Judgement, Violation
from taxonomy.actions import spellings
from taxonomy.models import Category
from taxonomy.presets.spelling import fold

LONGEST = 2000
Kind = SuggestionEvent.Kind


@dataclass(frozen=True)
class Suggestion:
    """What a constraint or a model says, for people. `category` is a key where it is one of the taxonomy's."""

    name: str
    source: str
    title: str
    text: str
    steps: tuple[int, ...]  # 0-based; the first is what is meant, others are further guesses
    participant: str = ""
    category: str = ""
    says: str = ""  # the category as the source spells it
    dismissed: str = ""  # the annotator's reason


def suggestions_for(user, item: Item) -> list[Suggestion]:
    """None before the reveal rule allows them. Who has handed in sees what she was shown then, nothing later.

    An adjudicator sees them once she has asked for them, which is recorded.
    """
    annotation = own_annotation(user, item)
    events = SuggestionEvent.objects.filter(item=item, user_id=user.pk)
    if annotation is None:
        return standing_on(item) if has_asked(user, item) else []
    if not is_revealed(annotation):
        return []
    dismissed = {event.suggestion: event.reason for event in events.filter(kind=Kind.DISMISSED)}
    found = [replace(each, dismissed=dismissed.get(each.name, "")) for each in standing_on(item)]
    if not annotation.is_submitted:
        return found
    shown = {event.suggestion for event in events.filter(kind=Kind.SHOWN)}
    return [each for each in found if each.name in shown]


def has_asked(user, item: Item) -> bool:
    """Whether this person, who does not annotate the item, has opened its suggestions."""
    asked = SuggestionEvent.objects.filter(item=item, user_id=user.pk, kind=Kind.OPENED, annotation=None)
    return asked.exists()


def standing_on(item: Item) -> list[Suggestion]:
    known = spellings(item.project.taxonomy_version)
    violations = Violation.objects.standing().filter(trajectory=item.trajectory_id).select_related("constraint")
    judgements = Judgement.objects.filter(trajectory=item.trajectory_id).defer("raw")
    found = [of_violation(row, known) for row in violations.order_by("step", "pk")]
    return found + [of_judgement(row, known) for row in judgements.order_by("model", "protocol", "run", "pk")]


def of_violation(row: Violation, known: Mapping[str, Category]) -> Suggestion:
    targets = row.constraint.taxonomy_targets
    keys = [known[fold(target)].key for target in targets if fold(target) in known]
    return Suggestion(
        name=f"violation:{row.pk}",
        source=row.source,
        title=row.constraint.name.replace("_", " "),
        text=evidence_of(row)[:LONGEST],
        steps=(row.step,),
        category=keys[0] if len(keys) == 1 else "",
        says=", ".join(targets),
    )


def evidence_of(row: Violation) -> str:
    given = row.evidence.get("text")
    if isinstance(given, str) and given:
        return given
    told = {name: value for name, value in row.evidence.items() if value not in (None, "", [], {})}
    words = json.dumps(told, ensure_ascii=False, indent=1) if told else ""
    return "\n".join(filter(None, [row.constraint.hint, words]))


def of_judgement(row: Judgement, known: Mapping[str, Category]) -> Suggestion:
    category = known.get(fold(row.category)) if row.category else None
    named = [] if row.critical_step is None else [row.critical_step]
    return Suggestion(
        name=f"judgement:{row.pk}",
        source=" · ".join(filter(None, [row.model, row.protocol.replace("_", " "), row.run])),
        title="critical step" if named else "no step named",
        text=row.reason[:LONGEST],
        steps=tuple(dict.fromkeys([*named, *row.ranking[:3]])),
        participant=row.participant,
        category=category.key if category else "",
        says=row.category,
    )
