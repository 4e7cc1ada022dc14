"""The turns that the arms are compared on, as one person may have them."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from adjudication.answers import Answered, Arm
from adjudication.arms import HIDDEN, SHOWN, Turn
from adjudication.filtered import Reading
from annotate.fold import fold
from annotate.models import Annotation, Assignment, Item, Project, Revision, SuggestionEvent
from annotate.reveal import REVEAL, is_drawn
from suggestions.models import Judgement, Violation

Kind = SuggestionEvent.Kind
PLANNED = frozenset({Arm.BLIND, Arm.ASSISTED})


def turns_of(reading: Reading) -> list[Turn]:
    """First submissions as planned. Under the randomised rule the arm is what was drawn, looked at or not."""
    project = reading.project
    answers = [each for each in reading.answers if each.arm in PLANNED]
    users = dict(Annotation.objects.filter(item__project=project).values_list("pk", "user_id"))
    drawn = arms_drawn(project, answers, users)
    seconds = active_seconds(project)
    events = events_by_annotation(project)
    suggested = suggested_steps(project)
    before = marks_before_reveal(project)
    return [
        Turn(
            item=str(each.item),
            annotator=each.judgement.annotator,
            arm=drawn.get(each.annotation) or (SHOWN if each.arm == Arm.ASSISTED else HIDDEN),
            outcome=each.judgement.outcome or "",
            critical=each.judgement.critical_position,
            marks=each.judgement.mark_positions,
            n_marks=len(each.judgement.marks),
            seconds=seconds.get((each.item, users[each.annotation]), 0),
            suggested=named_until(suggested.get(each.item, []), each.judgement.submitted_at),
            marks_before=before.get(each.annotation),
            **{name: events[each.annotation][kind] for name, kind in ANSWERED},
        )
        for each in answers
    ]


ANSWERED = (("shown", Kind.SHOWN), ("accepted", Kind.ACCEPTED), ("dismissed", Kind.DISMISSED))


def arms_drawn(project: Project, answers: Iterable[Answered], users: dict[int, int]) -> dict[int, str]:
    """By annotation, where the project randomises."""
    if project.reveal != Project.Reveal.RANDOMISED:
        return {}
    items = {item.pk: item for item in Item.objects.of(project).select_related("project", "trajectory")}
    return {
        each.annotation: SHOWN if is_drawn(items[each.item], users[each.annotation]) else HIDDEN for each in answers
    }


def active_seconds(project: Project) -> dict[tuple[int, int], int]:
    turns = Assignment.objects.filter(item__project=project, active_seconds__gt=0).order_by("pk")
    found: Counter[tuple[int, int]] = Counter()
    for item, user, seconds in turns.values_list("item", "user", "active_seconds"):
        found[item, user] += seconds
    return found


def events_by_annotation(project: Project) -> dict[int, Counter]:
    """Each suggestion once per kind: taking over, undoing and taking over again is one."""
    told = SuggestionEvent.objects.filter(item__project=project, annotation__isnull=False).exclude(kind=Kind.OPENED)
    found: dict[int, Counter] = defaultdict(Counter)
    rows = told.order_by().values_list("annotation", "kind", "violation", "judgement").distinct()
    for annotation, kind, *_ in rows:
        found[annotation][kind] += 1
    return found


def suggested_steps(project: Project) -> dict[int, list[tuple[datetime, int, bool]]]:
    """By item: when a step was suggested, which, and whether a model named it as the critical one."""
    found: dict[int, list] = defaultdict(list)
    judged = Judgement.objects.filter(trajectory__items__project=project, critical_step__isnull=False)
    for item, at, step in judged.values_list("trajectory__items", "created_at", "critical_step"):
        found[item].append((at, step, True))
    violated = Violation.objects.standing().filter(trajectory__items__project=project)
    for item, at, step in violated.values_list("trajectory__items", "created_at", "step"):
        found[item].append((at, step, False))
    return found


def named_until(steps: list[tuple[datetime, int, bool]], submitted_at: datetime | None) -> frozenset[int]:
    """What models named; where none has, where constraints are violated. Nothing that came later."""
    in_time = [each for each in steps if submitted_at is None or each[0] <= submitted_at]
    named = frozenset(step for _, step, by_model in in_time if by_model)
    return named or frozenset(step for _, step, _ in in_time)


def marks_before_reveal(project: Project) -> dict[int, tuple[int, ...]]:
    asked = Revision.objects.filter(annotation__item__project=project, op=REVEAL).order_by("annotation", "number")
    first = dict(reversed(list(asked.values_list("annotation", "number"))))
    found = {}
    for annotation, number in first.items():
        state = fold(Revision.objects.filter(annotation=annotation, number__lt=number)).state
        steps = (failure["first_step"] for failure in state["failures"].values())
        found[annotation] = tuple(sorted(step for step in steps if step is not None))
    return found
