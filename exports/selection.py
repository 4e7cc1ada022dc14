"""What an export was asked for, as far as who asks may have it."""

from dataclasses import dataclass

from adjudication.standing import hidden_from
from annotate.models import Project
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
    exposed: User | None = None  # who gets to see colleagues' labels by it


@dataclass(frozen=True)
class Access:
    """`layers` None shows all layers of a run."""

    hidden: frozenset[int] = frozenset()
    layers: frozenset[str] | None = None
    is_own: bool = False


def select(
    project: Project,
    *,
    format: str,
    labels: str = GOLD,
    release: str = "",
    raw_names: bool = False,
    version: int | None = None,
    user: User | None = None,
) -> Selection:
    """A fresh writer and its rows. `user` None is the operator of the machine, who may have everything.

    Raises Forbidden and Project.DoesNotExist before saying whether the labels exist; then UnknownFormat,
    UnknownLabels, UnknownAnnotator, UnknownRelease or UnknownVersion. `version` is the number of the taxonomy version
    whose categories are written; without it the project's.
    """
    access = Access() if user is None else access_of(user, project, labels, release)
    chosen = writer_of(format)
    stream = Stream(
        labels_named(project, labels, release=release, user=user, version=version), access.hidden, access.layers
    )
    return Selection(chosen(stream.layout(), raw_names), stream, None if access.is_own else user)


def access_of(user: User, project: Project, labels: str, release: str) -> Access:
    is_own = not release and labels.casefold() == f"{ANNOTATOR}{user.username}".casefold()
    if is_own:
        verb = "see project"
    elif release or not labels.startswith(ANNOTATOR):
        verb = "export gold"
    else:
        verb = "export annotator"
    roles = require(user, verb, project)
    shown = protocol_of(project.protocol).visible_layers(project.layers)
    layers = None if roles & {LEAD, VIEWER} else frozenset(shown)
    return Access(frozenset() if is_own else hidden_from(user, project), layers, is_own)
