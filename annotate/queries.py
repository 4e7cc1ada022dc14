"""The only ways from a person to the steps and layers of an item: what the protocol and the stage let her see."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Count, QuerySet

from annotate.codebook.seen import codes_known_to
from annotate.models import Annotation, FailureCode, Item, Project
from annotate.nearness import nearest
from annotate.protocols import protocol_of
from annotate.skeleton import columns, fields
from taxonomy.codebook import code_node
from taxonomy.models import Code
from taxonomy.queries import board_of
from traces.models import Step

SKELETON = ("position", "native_index", "agent", "kinds", "preview", "characters", "has_error")


def item_for(user, pk: int) -> Item:
    """The item with what its pages need, or Item.DoesNotExist for who may not see it."""
    items = Item.objects.visible_to(user).select_related("project__taxonomy_version", "trajectory")
    item = items.defer("trajectory__origin", "trajectory__layers").get(pk=pk)
    item.seen_by = user.pk
    return item


def may_see(user, item: Item) -> bool:
    return item.seen_by == user.pk or Item.objects.visible_to(user).filter(pk=item.pk).exists()


def steps_for(user, item: Item, start: int = 0, stop: int | None = None) -> QuerySet[Step]:
    """The steps of the item that this person may see, in order; none for who may not see the item."""
    if not may_see(user, item):
        return Step.objects.none()
    steps = Step.objects.filter(trajectory=item.trajectory_id, position__gte=start)
    return steps if stop is None else steps.filter(position__lt=stop)


def skeleton_for(user, item: Item) -> QuerySet:
    return steps_for(user, item).values(*SKELETON)


def columns_for(user, item: Item) -> dict[str, Any]:
    """The whole run in columns, as the workbench shows it; of no steps for who may not see the item."""
    if not may_see(user, item):
        return columns([])
    run = item.trajectory
    return kept_columns(run.pk, run.digest, run.n_steps, run.redacted_at)


@lru_cache(maxsize=256)  # at most some 40 kB each; steps change by redaction only, which is part of the key
def kept_columns(trajectory: int, digest: str, n_steps: int, redacted_at: datetime | None) -> dict[str, Any]:
    names = fields(n_steps)
    rows = Step.objects.filter(trajectory=trajectory).values_list(*names)
    return columns(dict(zip(names, row, strict=True)) for row in rows.iterator(chunk_size=5000))


def layers_for(user, item: Item) -> dict:
    """The layers beyond the steps that the protocol and the project's setting show to annotators."""
    if not may_see(user, item):
        return {}
    names = protocol_of(item.project.protocol).visible_layers(item.project.layers)
    layers = item.trajectory.layers
    return {name: layers[name] for name in names if name in layers}


@dataclass(frozen=True)
class KnownCode:
    phrase: str
    definition: str


def codes_for(user, item: Item, search: str = "", limit: int = 12) -> list[KnownCode]:
    """Codes to choose from while marking: those the person knows on the board and those of several runs, none retired.

    The same on every run of the project, whatever she takes up or gives back: lists that differed would tell, when
    compared, what colleagues saw on one run. Of what stands on several runs she never learns on which.
    """
    board = board_of(item.project.taxonomy)
    hers = codes_known_to(user, item.project).union(codes_of_several_runs(item.project))
    offered = [pk for pk in hers if board.nodes[code_node(pk)].offered]
    shown = Code.objects.filter(pk__in=offered)
    if not search.strip():
        return [KnownCode(*texts) for texts in shown.order_by("phrase").values_list("phrase", "definition")[:limit]]
    known = [KnownCode(*texts) for texts in shown.values_list("phrase", "definition")]
    return nearest(known, search, limit, lambda code: (code.phrase, code.definition))


def codes_of_several_runs(project: Project) -> QuerySet:
    links = FailureCode.objects.filter(code__taxonomy=project.taxonomy_version.taxonomy_id).order_by()
    runs = links.values("code").annotate(runs=Count("failure__annotation__item", distinct=True))
    return runs.filter(runs__gt=1).values_list("code", flat=True)


def own_annotation(user, item: Item) -> Annotation | None:
    found = Annotation.objects.own(user).current().filter(item=item).first()
    if found is not None:
        found.item = item
    return found


def previews_for(user, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Step]:
    """Steps of many items at once, by (item, position): number, agent and preview only, of what this person may see."""
    places = set(places)
    items = Item.objects.visible_to(user).filter(pk__in={item for item, _ in places})
    runs = dict(items.values_list("pk", "trajectory_id"))
    positions = {position for _, position in places}
    steps = Step.objects.filter(trajectory__in=set(runs.values()), position__in=positions)
    found = steps.only("trajectory", "position", "native_index", "agent", "preview")
    by_place = {(step.trajectory_id, step.position): step for step in found}
    wanted = {place: (runs.get(place[0]), place[1]) for place in places}
    return {place: by_place[key] for place, key in wanted.items() if key in by_place}
