"""How far each item of a project is: the one word for it, and how many have which."""

from collections.abc import Collection

from django.db import models
from django.db.models import CharField, Count, Exists, OuterRef, Q, Value, When

from adjudication.models import Case, GoldLabel, Routing
from annotate.models import Annotation, Assignment, Item, Project

# In the order in which an item is asked: the first that holds is its stage.
STAGES = {
    "gold": "gold",
    "case": "case open",
    "accepted": "agreed, not gold",
    "working": "being annotated",
    "new": "not begun",
}


def staged(project: Project):
    """The project's items, each with `stage`, a key of STAGES."""
    of_item = {"item": OuterRef("pk")}
    begun = Exists(Annotation.objects.current().filter(**of_item)) | Exists(Assignment.objects.live().filter(**of_item))
    stage = models.Case(
        When(Exists(GoldLabel.objects.filter(**of_item)), then=Value("gold")),
        When(Exists(Case.objects.open().filter(**of_item)), then=Value("case")),
        When(Q(routing__decision=Routing.Decision.ACCEPT), then=Value("accepted")),
        When(begun, then=Value("working")),
        default=Value("new"),
        output_field=CharField(),
    )
    return Item.objects.of(project).annotate(stage=stage)


def hidden_from(user, project: Project) -> frozenset[int]:
    """Items of which this person is told nothing: those she may still annotate, or has to judge before she is told."""
    return frozenset(Item.objects.of(project).closed_to(user).values_list("pk", flat=True))


# So few left out of lists that figures with them, less the lists, would tell of them.
FEW = 5


def few_hidden_from(user, project: Project) -> frozenset[int]:
    """What counts leave out for this person: the items hidden from her in lists, where these are few."""
    hidden = hidden_from(user, project)
    return hidden if len(hidden) < FEW else frozenset()


def stage_counts(project: Project, left_out: Collection[int] = ()) -> dict[str, int]:
    found = dict(staged(project).exclude(pk__in=left_out).values_list("stage").annotate(n=Count("pk")))
    return {stage: found.get(stage, 0) for stage in STAGES}


def decision_counts(project: Project, left_out: Collection[int] = ()) -> dict[str, int]:
    of_project = Routing.objects.filter(item__project=project).exclude(item__in=left_out)
    found = dict(of_project.values_list("decision").annotate(n=Count("pk")))
    return {decision: found[decision] for decision in Routing.Decision.values if decision in found}
