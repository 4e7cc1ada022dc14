"""What people answered, as agreement reads it: the first submission of each annotation, by the arm it belongs to."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, IntegerField

from adjudication.judgements import Judgement, Mark
from adjudication.study import PEOPLE
from annotate.models import Coding, Project, Submission
from taxonomy.models import TaxonomyVersion


class Arm(StrEnum):
    BLIND = "blind"
    ASSISTED = "assisted"
    ROUTED = "routed"
    POST_FEEDBACK = "post_feedback"


ARM_WORDS = {
    Arm.BLIND: "blind, as planned",
    Arm.ASSISTED: "assisted by suggestions",
    Arm.ROUTED: "asked for by routing",
    Arm.POST_FEEDBACK: "after feedback",
}
# These are too few for pairs of their own: they are compared with the blind annotations of the same runs.
BESIDE_BLIND = frozenset({Arm.ROUTED, Arm.POST_FEEDBACK})


@dataclass(frozen=True, slots=True)
class Answered:
    judgement: Judgement
    arm: Arm
    item: int
    annotation: int
    submission: int


COLUMNS = (
    "pk",
    "annotation_id",
    "planned",
    "assisted",
    "post_feedback",
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


def first_submissions(project: Project):
    return Submission.objects.filter(
        number=1,
        annotation__item__project=project,
        annotation__is_current=True,
        annotation__process__in=PEOPLE,
    )


def answers_of(project: Project) -> list[Answered]:
    """One query, which leaves the states in the database: no marks, no times."""
    return [answered(row) for row in first_submissions(project).values_list(*COLUMNS).iterator(5000)]


def blind_judgements(project: Project) -> list[Judgement]:
    """What the figures of a whole project rest on: the answers of the blind arm, without what surrounds them."""
    rows = first_submissions(project).values_list(*COLUMNS).iterator(5000)
    return [judgement_of(row) for row in rows if arm_of(*row[2:5]) == Arm.BLIND]


def full_answers_of(project: Project) -> list[Answered]:
    """With when they were handed in, and the positions of their marks."""
    at = dict(first_submissions(project).values_list("pk", "at"))
    positions = mark_positions(project)
    return [
        replace(
            each,
            judgement=replace(
                each.judgement,
                submitted_at=at.get(each.submission),
                marks=tuple(map(Mark, positions.get(each.judgement.id, ()))),
            ),
        )
        for each in answers_of(project)
    ]


def mark_positions(project: Project, items: Sequence[str] | None = None) -> dict[str, list[int | None]]:
    """By submission where its marks stand, sorted and one for each, of the whole project or of these items."""
    rows = first_submissions(project)
    if items is not None and len(items) < MANY:
        rows = rows.filter(annotation__item__in=items)
    found = rows.annotate(positions=POSITIONS).values_list("pk", "positions").iterator(5000)
    return {str(pk): positions for pk, positions in found}


MANY = 2000  # more items are not worth naming one by one
POSITIONS = Func(
    F("state"),
    template="""ARRAY(
        SELECT (mark ->> 'first_step')::int FROM jsonb_path_query(%(expressions)s, '$.failures.*') AS mark ORDER BY 1
    )""",
    output_field=ArrayField(IntegerField()),
)


def answered(row: tuple) -> Answered:
    pk, annotation, planned, assisted, post_feedback, *_ = row
    judgement = judgement_of(row)
    return Answered(judgement, arm_of(planned, assisted, post_feedback), int(judgement.item_id), annotation, pk)


def judgement_of(row: tuple) -> Judgement:
    outcome, step, participant, category, failure_steps, item, user, process, exhaustive, definition = row[5:]
    return Judgement(
        item_id=str(item),
        annotator=user,
        process=process,
        exhaustive=exhaustive,
        definition=definition,
        outcome=outcome,
        critical_position=step,
        participant=participant or None,
        category=category or None,
        failure_positions=frozenset(failure_steps),
        id=str(row[0]),
    )


def arm_of(planned: bool, assisted: bool, post_feedback: bool) -> Arm:
    if not planned:
        return Arm.ROUTED
    if post_feedback:
        return Arm.POST_FEEDBACK
    return Arm.ASSISTED if assisted else Arm.BLIND


def of_arm(answers: Iterable[Answered], arm: Arm) -> list[Answered]:
    """The answers of one arm; with the blind ones of the same runs where the arm is compared with them."""
    answers = list(answers)
    own = [each for each in answers if each.arm == arm]
    if arm not in BESIDE_BLIND:
        return own
    runs = {each.item for each in own}
    return own + [each for each in answers if each.arm == Arm.BLIND and each.item in runs]


def recoded(answers: Iterable[Answered], version: TaxonomyVersion) -> list[Answered]:
    """The answers with the critical category as it is coded under this version; None where nobody coded it."""
    answers = list(answers)
    codings = Coding.objects.filter(
        version=version, failure__is_critical=True, failure__annotation__in=[each.annotation for each in answers]
    )
    category = dict(codings.values_list("failure__annotation", "category__key"))
    return [
        replace(each, judgement=replace(each.judgement, category=category.get(each.annotation))) for each in answers
    ]


def basis_by_item(judgements: Iterable[Judgement]) -> dict[str, list[int]]:
    """The submissions that an item's judgements are."""
    found: dict[str, list[int]] = defaultdict(list)
    for each in judgements:
        found[each.item_id].append(int(each.id))
    for submissions in found.values():
        submissions.sort()
    return found
