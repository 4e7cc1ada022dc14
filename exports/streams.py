"""The one row stream: labels of a project joined with the facts of their runs, in an order that never changes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import QuerySet
from django.db.models.functions import Collate

from annotate.models import Item
from exports.history import Histories
from exports.labels import Labels
from exports.rows import Label, Layout, LeftOut, Row, Run, layout_of
from traces.models import Step, Trajectory

CHUNK = 20
MAY_STILL_GET = "you may still get this run, so labels on it stay closed to you"


@dataclass(frozen=True)
class Stream:
    """`hidden` items are closed to the reader whether or not they are labelled; `layers` None shows all layers."""

    labels: Labels
    hidden: frozenset[int] = frozenset()
    layers: frozenset[str] | None = None

    def __iter__(self) -> Iterator[Row | LeftOut]:
        items = ordered(self.labels.items()).iterator(chunk_size=CHUNK)
        while chunk := list(islice(items, CHUNK)):
            yield from self._rows(chunk)

    def layout(self) -> Layout:
        shown = self.labels.labelled().exclude(pk__in=self.hidden)
        facts = shown.values_list("trajectory__source", "trajectory__external_id", "trajectory__external_id_is_int")
        return layout_of((source, int(own) if is_int else own) for source, own, is_int in facts.distinct().iterator())

    def _rows(self, items: list[Item]) -> Iterator[Row | LeftOut]:
        labels = self.labels.of([item for item in items if item.pk not in self.hidden])
        native = native_steps(items, labels)
        histories = Histories([item.trajectory_id for item in items if item.pk in labels])
        for item in items:
            trajectory = item.trajectory
            if item.pk in labels:
                run = run_of(trajectory, histories, self.layers)
                label = numbered(labels[item.pk], native, trajectory.pk)
                yield Row(item.pk, self.labels.name, run, label)
            else:
                why = MAY_STILL_GET if item.pk in self.hidden else self.labels.without
                yield LeftOut(trajectory.source, trajectory.native_id, why)


def ordered(items: QuerySet[Item]) -> QuerySet[Item]:
    by_bytes = (Collate(f"trajectory__{name}", "C") for name in ("source", "external_id"))
    return items.select_related("trajectory").order_by(*by_bytes, "claimed_step", "pk")


def run_of(trajectory: Trajectory, histories: Histories, layers: frozenset[str] | None) -> Run:
    shown = trajectory.layers.items()
    return Run(
        source=trajectory.source,
        trajectory_id=trajectory.native_id,
        domain=trajectory.domain,
        task_cluster=trajectory.task_cluster,
        format=trajectory.format,
        n_steps=trajectory.n_steps,
        instruction=trajectory.instruction,
        layers={name: layer for name, layer in shown if layers is None or name in layers},
        origin=trajectory.origin,
        turns=lambda: histories.of(trajectory.pk),
    )


def native_steps(items: list[Item], labels: dict[int, Label]) -> dict[tuple[int, int], int | None]:
    """The sources' own numbers of the steps that the labels point at, by (trajectory, position)."""
    trajectories = [item.trajectory_id for item in items if item.pk in labels]
    positions = {mark.first_step for label in labels.values() for mark in label.failures if mark.first_step is not None}
    steps = Step.objects.filter(trajectory__in=trajectories, position__in=positions)
    numbers = steps.values_list("trajectory_id", "position", "native_index")
    return {(trajectory, position): number for trajectory, position, number in numbers}


def numbered(label: Label, native: dict[tuple[int, int], int | None], trajectory: int) -> Label:
    marks = (
        mark if mark.first_step is None else replace(mark, native_step=native.get((trajectory, mark.first_step)))
        for mark in label.failures
    )
    return replace(label, failures=tuple(marks))
