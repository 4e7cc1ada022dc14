"""Sources of suggestions scored against labels, and the contrasts that were declared before."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from adjudication.actions.scoring import SameSource, declare_contrast, is_scored, score_suggestions
from adjudication.filtered import items_left_out
from adjudication.labels import GOLD, UnknownLabels
from adjudication.models import DeclaredContrast
from adjudication.scoreboard import name_of
from annotate.models import Membership, Project
from annotate.policy import may, require
from suggestions.queries import judges_of


@login_required
@require_GET
def scoreboard(request, slug):
    """Nothing is scored until asked for, so that contrasts can be declared first. Runs that the reader may still
    annotate are left out: what models say of them, and how that compares, is not for her."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see figures", project)
    may_declare = may(request.user, "declare contrasts", project)
    asked = request.GET.get("labels", "")
    if asked not in ("", GOLD) and not may(request.user, "export annotator", project):
        raise Http404
    left_out = items_left_out(request.user, project)
    context = {
        "project": project,
        "left_out": len(left_out),
        "labels": asked,
        "label_sets": label_sets(request.user, project),
        "may_declare": may_declare,
        "names": [name_of(judge) for judge in judges_of(project.dataset)],
        "declared": DeclaredContrast.objects.filter(project=project),
        "is_scored": is_scored(project),
    }
    if asked:
        try:
            context["board"] = score_suggestions(project=project, by=request.user, labels=asked, left_out=left_out)
        except UnknownLabels as error:
            raise Http404 from error
    return render(request, "adjudication/scoreboard.html", context)


def label_sets(user, project: Project) -> list[str]:
    if not may(user, "export annotator", project):
        return [GOLD]
    annotators = project.memberships.filter(role=Membership.Role.ANNOTATOR).order_by("user__username")
    return [GOLD, *(f"annotator:{name}" for name in annotators.values_list("user__username", flat=True))]


@login_required
@require_POST
def declare(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "declare contrasts", project)
    try:
        declare_contrast(project=project, a=request.POST.get("a", ""), b=request.POST.get("b", ""), by=request.user)
    except SameSource as error:
        messages.error(request, f"Not declared: {error}.")
    return redirect("scoreboard", project.slug)
