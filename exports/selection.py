"""What an export was asked for, as far as who asks may have it."""

from dataclasses import dataclass

from annotate.models import Item, Project
from annotate.policy import LEAD, VIEWER, require
from annotate.protocols import protocol_of
from exports.formats import Writer, writer_of
from exports.labels import ANNOTATOR, GOLD, labels_named
from exports.streams import Stream
from people.models import User


@dataclass(frozen=True)
class Selection:
    writer: Writer
    stream: Stream


def select(
    project: Project,
    *,
    format: str,
    labels: str = GOLD,
    release: str = "",
    raw_names: bool = False,
    user: User | None = None,
) -> Selection:
    """A fresh writer and its rows. `user` None is the operator of the machine, who may have everything.

    Raises Forbidden and Project.DoesNotExist before saying whether the labels exist; then UnknownFormat,
    UnknownLabels, UnknownAnnotator or UnknownRelease.
    """
    hidden, layers = closed_to(user, project, labels, release)
    chosen = writer_of(format)
    stream = Stream(labels_named(project, labels, release=release, user=user), hidden, layers)
    return Selection(chosen(stream.layout(), raw_names), stream)


def closed_to(
    user: User | None, project: Project, labels: str, release: str
) -> tuple[frozenset[int], frozenset[str] | None]:
    """The items whose labels the user may not see, and the layers of runs that stay within sight."""
    if user is None:
        return frozenset(), None
    is_own = not release and labels.casefold() == f"{ANNOTATOR}{user.username}".casefold()
    if is_own:
        verb = "see project"
    elif release or not labels.startswith(ANNOTATOR):
        verb = "export gold"
    else:
        verb = "export annotator"
    roles = require(user, verb, project)
    layers = None if roles & {LEAD, VIEWER} else frozenset(protocol_of(project.protocol).visible_layers(project.layers))
    return frozenset() if is_own else items_closed_to(user, project), layers


def items_closed_to(user: User, project: Project) -> frozenset[int]:
    """Held by the user or still to be had: no label of anybody is shown there, in any role."""
    return frozenset(Item.objects.of(project).may_get(user).values_list("pk", flat=True))
