"""Releases as a person may see them."""

import json
from collections.abc import Iterator
from typing import Any

from adjudication.standing import hidden_from
from annotate.models import Project
from annotate.policy import require
from exports.actions import rows_of
from exports.exposure import note_exposure
from exports.labels import release_called
from exports.models import Release
from people.models import User


def project_for(user: User, slug: str) -> Project:
    """The project of a member; Project.DoesNotExist for everybody else."""
    projects = Project.objects.visible_to(user).select_related("dataset", "taxonomy_version__taxonomy")
    return projects.get(slug=slug)


def release_for(user: User, slug: str, name: str) -> Release:
    project = project_for(user, slug)
    require(user, "see releases", project)
    return release_called(name, project)


def manifest_for(user: User, release: Release) -> dict[str, Any]:
    """Which runs have no label says something about those this person may still get: then only how many is told."""
    manifest = dict(release.manifest)
    if hidden_from(user, release.project):
        manifest["left_out"] = len(manifest["left_out"])
    return manifest


def rows_for(user: User, release: Release) -> tuple[bytes, int]:
    """The released lines that are open to this person, byte for byte, and how many are not."""
    closed = hidden_from(user, release.project)
    lines = [(json.loads(line)["item"], line) for line in rows_of(release).splitlines(keepends=True)]
    shown = [(item, line) for item, line in lines if item not in closed]
    note_exposure(user, {item for item, _ in shown})
    return b"".join(line for _, line in shown), len(lines) - len(shown)


def chunks(content: bytes, size: int = 64 * 1024) -> Iterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]
