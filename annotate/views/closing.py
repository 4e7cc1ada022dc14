from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from annotate import actions
from annotate.models import Project
from annotate.policy import require


@login_required
@require_POST
def close_project(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "close project", project)
    actions.close_project(project=project, by=request.user)
    messages.success(request, f"{project.name} is closed.")
    return redirect("project", project.slug)


@login_required
@require_POST
def open_project(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "close project", project)
    actions.open_project(project=project, by=request.user)
    messages.success(request, f"{project.name} is open again.")
    return redirect("project", project.slug)
