"""Sources of suggestions scored against labels, and the contrasts that were declared before."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from adjudication.actions.scoring import SameSource, declare_contrast, is_scored, score_suggestions
from adjudication.labels import GOLD, UnknownLabels, labels_of
from adjudication.models import DeclaredContrast
from adjudication.scoreboard import name_of, scoreboard, violations_scored
from adjudication.standing import hidden_from
from annotate.models import Membership, Project
from annotate.policy import may, require
from annotate.throttle import heavy
from suggestions.queries import judges_of


@login_required
@require_GET
@heavy
def board(request, slug):
    """Looking scores nothing: until a lead does, contrasts can be declared. Runs that the reader may still annotate
    are left out: what models say of them, and how that compares, is not for her."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see figures", project)
    asked = request.GET.get("labels") or GOLD
    left_out = hidden_from(request.user, project)
    labels = labels_for(request.user, project, asked, left_out)
    opened = scoreboard(project, labels) if is_scored(project) else None
    context = {
        "project": project,
        "left_out": len(left_out),
        "labels": asked,
        "label_sets": label_sets(request.user, project),
        "n_labels": sum(label.step is not None for label in labels.gold),
        "may_declare": may(request.user, "declare contrasts", project),
        "may_score": may(request.user, "score suggestions", project),
        "names": [name_of(judge) for judge in judges_of(project.dataset)],
        "declared": DeclaredContrast.objects.filter(project=project),
        "board": opened,
        "violations": opened["violations"] if opened else violations_scored(project, labels),
    }
    return render(request, "adjudication/scoreboard.html", context)


def labels_for(user, project: Project, asked: str, left_out: frozenset[int]):
    if asked != GOLD and not may(user, "export annotator", project):
        raise Http404
    try:
        return labels_of(project, asked, left_out)
    except UnknownLabels as error:
        raise Http404 from error


def label_sets(user, project: Project) -> list[str]:
    if not may(user, "export annotator", project):
        return [GOLD]
    annotators = project.memberships.filter(role=Membership.Role.ANNOTATOR).order_by("user__username")
    return [GOLD, *(f"annotator:{name}" for name in annotators.values_list("user__username", flat=True))]


@login_required
@require_POST
def score(request, slug):
    """A lead scores: from here on everybody who sees figures sees scores, and contrasts are too late."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "score suggestions", project)
    asked = request.POST.get("labels") or GOLD
    left_out = hidden_from(request.user, project)
    try:
        score_suggestions(project=project, by=request.user, labels=asked, left_out=left_out)
    except UnknownLabels as error:
        raise Http404 from error
    if not is_scored(project):
        messages.error(request, f"Nothing was scored: no run that a model judged has a critical step in {asked}.")
    return redirect(f"{reverse('scoreboard', args=[project.slug])}?{urlencode({'labels': asked})}")


@login_required
@require_POST
def declare(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "declare contrasts", project)
    a, b = (request.POST.get(name, "").replace("\0", "") for name in ("a", "b"))
    try:
        declare_contrast(project=project, a=a, b=b, by=request.user)
    except SameSource as error:
        messages.error(request, f"Not declared: {error}.")
    return redirect("scoreboard", project.slug)
