"""Failures as the codebook's pages show them: the step they stand at, what was written, what they are called."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotate.codebook.board import members_of
from annotate.codebook.seen import Seen, annotations_seen_by
from annotate.models import Annotation, Coding, Example, Exposure, Failure, Item, Project
from annotate.queries import previews_for
from taxonomy.codebook import CATEGORY, CODE, Board, Node
from traces.models import Step

EXAMPLE = "example"


@dataclass(frozen=True)
class Shown:
    """A failure in its context; `number` is the source's own number of the step where it has one."""

    failure: Failure
    run: str
    step: Step | None
    phrases: tuple[str, ...]

    @property
    def number(self) -> int | None:
        if self.step is None:
            return None
        return self.step.position + 1 if self.step.native_index is None else self.step.native_index


def shown(user, failures: Iterable[Failure]) -> list[Shown]:
    rows = list(failures)
    places = {(row.annotation.item_id, row.first_step) for row in rows if row.first_step is not None}
    steps = previews_for(user, places)
    return [
        Shown(
            row,
            row.annotation.item.trajectory.external_id,
            steps.get((row.annotation.item_id, row.first_step)),
            tuple(code.phrase for code in row.codes.all()),
        )
        for row in rows
    ]


def in_full(failures: QuerySet[Failure]) -> QuerySet[Failure]:
    return (
        failures.select_related("annotation__user", "annotation__item__trajectory")
        .defer("annotation__raw", "annotation__item__trajectory__layers", "annotation__item__trajectory__origin")
        .prefetch_related("codes")
        .order_by("pk")
    )


def failures_on(user, project: Project, board: Board, node: Node) -> QuerySet[Failure]:
    """The failures on a card that this person may see; of a category also those that were coded with it directly."""
    homes = Seen.by(user, project).homes(board)
    inside = {node.id} if node.kind == CODE else codes_inside(board, node)
    ids = {link.failure for each in inside for link in homes.get(each, ())}
    found = Q(pk__in=ids)
    if node.kind == CATEGORY:
        coded = Coding.objects.filter(version=project.taxonomy_version, category__key=node.id)
        found |= Q(pk__in=coded.values("failure"))
    return Failure.objects.filter(found, annotation__in=annotations_seen_by(user, project))


def codes_inside(board: Board, node: Node) -> set[str]:
    if node.kind == CATEGORY:
        return {each.id for each in members_of(board, node.id)}
    return {each.id for each in board.children(node.id, CODE)}


def examples_in(user, project: Project, categories: Iterable[str]) -> dict[str, list[tuple[Example, Shown]]]:
    """By category: real failures held up as examples, from runs whose annotation by this person is frozen, or that she
    may see anyway.

    Who is shown a colleague's mark by it can no longer have her own annotation of that run reopened.
    """
    own = Annotation.objects.submitted().filter(item=OuterRef("failure__annotation__item"), user=user.pk)
    closed = Item.objects.of(project).closed_to(user)
    seen = annotations_seen_by(user, project)
    examples = list(
        Example.objects.filter(project=project, category__in=list(categories))
        .exclude(failure__annotation__item__in=closed)
        .filter(Q(failure__annotation__in=seen) | Exists(own) & Q(failure__annotation__state="submitted"))
    )
    failures = in_full(Failure.objects.filter(pk__in=[example.failure_id for example in examples]))
    by_failure = {each.failure.pk: each for each in shown(user, failures)} if examples else {}
    note_exposure(user, [each for each in by_failure.values() if each.failure.annotation.user_id != user.pk])
    found: dict[str, list[tuple[Example, Shown]]] = defaultdict(list)
    for example in examples:
        found[example.category].append((example, by_failure[example.failure_id]))
    return found


def examples_for(user, project: Project, category: str) -> list[tuple[Example, Shown]]:
    return examples_in(user, project, [category])[category]


def note_exposure(user, of_others: list[Shown]) -> None:
    items = {each.failure.annotation.item_id for each in of_others}
    rows = [Exposure(item_id=item, user=user, to=EXAMPLE) for item in items]
    Exposure.objects.bulk_create(rows, ignore_conflicts=True)
