"""Closing a project and opening it again. Nobody sees more of colleagues meanwhile: it may go on any time."""

from django.db import transaction
from django.utils import timezone

from annotate.actions.projects import put_items
from annotate.actions.recording import project_changed
from annotate.models import Project
from annotate.policy import require
from people.actions import audit
from people.models import User


@transaction.atomic
def close_project(*, project: Project, by: User) -> None:
    """From now on annotators are handed nothing and change nothing. Closing it twice does no harm."""
    require(by, "close project", project)
    if Project.objects.open().filter(pk=project.pk).update(closed_at=timezone.now()):
        audit("project closed", project, by=by, project=project.slug)


@transaction.atomic
def open_project(*, project: Project, by: User) -> None:
    """It goes on, with the runs that were imported into its dataset meanwhile."""
    require(by, "close project", project)
    if Project.objects.filter(pk=project.pk, closed_at__isnull=False).update(closed_at=None):
        audit("project opened", project, by=by, project=project.slug)
        if put_items(project):
            project_changed(project)
