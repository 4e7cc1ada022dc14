"""Where the labels of an export come from: gold, one annotator, or a release."""

from annotate.models import Project
from exports.errors import ReleaseKeepsItsVersion, UnknownLabels, UnknownRelease
from exports.labels.annotator import ANNOTATOR, AnnotatorLabels, annotator_called
from exports.labels.base import Labels
from exports.labels.gold import GOLD, GoldLabels
from exports.labels.naming import Naming
from exports.labels.release import ReleasedLabels
from exports.models import NAME, Release
from people.models import User

__all__ = ["ANNOTATOR", "GOLD", "GoldLabels", "Labels", "labels_named"]


def labels_named(
    project: Project, labels: str, *, release: str = "", user: User | None = None, version: int | None = None
) -> Labels:
    """The labels of this name, as far as `user` may see them (None: the operator).

    Raises UnknownLabels, UnknownAnnotator, UnknownRelease, UnknownVersion or ReleaseKeepsItsVersion.
    """
    if release and version is not None:
        raise ReleaseKeepsItsVersion(release)
    if release:
        return ReleasedLabels(release_called(release, project))
    if labels == GOLD:
        return GoldLabels(project, Naming.of(project, version))
    if not labels.startswith(ANNOTATOR):
        raise UnknownLabels(labels)
    return AnnotatorLabels(
        project, annotator_called(labels.removeprefix(ANNOTATOR), project), user, Naming.of(project, version)
    )


def release_called(name: str, project: Project) -> Release:
    releases = Release.objects.filter(project=project).select_related("rows")
    found = releases.filter(name=name).first() if NAME.fullmatch(name) else None
    if found is None:
        raise UnknownRelease(name, project.slug)
    return found
