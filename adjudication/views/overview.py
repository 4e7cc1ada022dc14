from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from adjudication.agreement_rows import axis, rows
from adjudication.coverage import by_category, by_domain
from adjudication.do_next import do_next
from adjudication.models import AgreementFigures
from adjudication.staleness import stale_items
from adjudication.standing import STAGES, decision_counts, few_hidden_from, stage_counts
from adjudication.worded import in_words
from annotate.models import Annotation, Assignment, Project
from annotate.policy import ALLOWED, require
from jobs.actions import enqueue
from taxonomy.queries import category_names

FILLS = {
    "gold": "fill-good",
    "case": "fill-warn",
    "accepted": "fill-quiet",
    "working": "fill-accent",
    "new": "fill-none",
}
DECISIONS = {
    "accept": "accepted",
    "annotate": "ask one more annotator",
    "waiting": "wait for the planned overlap",
    "adjudicate": "adjudicated or to adjudicate",
}


@login_required
def overview(request, slug):
    """Figures of the whole project for leads and viewers; everybody else gets their own counts."""
    projects = Project.objects.visible_to(request.user).select_related("dataset", "taxonomy_version__taxonomy")
    project = get_object_or_404(projects, slug=slug)
    roles = require(request.user, "see project", project)
    context = {
        "project": project,
        "roles": sorted(roles),
        "allowed": allowed(roles),
        "own": own_counts(request.user, project),
    }
    if ALLOWED["see figures"] & roles:
        context |= whole_project(request.user, project, roles)
    return render(request, "adjudication/overview.html", context)


@login_required
@require_POST
def recompute(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see jobs", project)
    key, payload = f"project:{project.pk}", {"project": project.pk}
    enqueue("item_changed", key=key, project=project.slug, payload=payload, by=request.user.username)
    messages.success(request, "Agreement and routing are being computed.")
    return redirect("project_jobs", project.slug)


def allowed(roles: frozenset[str]) -> dict[str, bool]:
    """The verbs of the policy as names a template can ask for."""
    return {verb.replace(" ", "_"): bool(held & roles) for verb, held in ALLOWED.items()}


def whole_project(user, project: Project, roles: frozenset[str]) -> dict:
    left_out = few_hidden_from(user, project)
    stages = stage_counts(project, left_out)
    figures = AgreementFigures.objects.filter(project=project).first()
    found = rows(in_words(figures.figures, category_names(project.taxonomy_version))) if figures else []
    decisions = decision_counts(project, left_out)
    stale = stale_items(project) - left_out
    return {
        "figures": figures,
        "rows": found,
        "axis": axis(found),
        "items": sum(stages.values()),
        "left_out": len(left_out),
        "gold": stages["gold"],
        "stages": [{"key": key, "words": told(key, n), "n": n, "fill": FILLS[key]} for key, n in stages.items()],
        "decisions": [{"key": key, "words": DECISIONS[key], "n": n} for key, n in decisions.items()],
        "domains": by_domain(project, left_out),
        "categories": by_category(project, left_out),
        "stale": len(stale),
        "next": do_next(user, project, roles, stages, len(left_out)),
        "memberships": project.memberships.select_related("user").order_by("role", "user__username"),
    }


def told(stage: str, n: int) -> str:
    return "cases open" if stage == "case" and n != 1 else STAGES[stage]


def own_counts(user, project: Project) -> dict[str, int]:
    held = Assignment.objects.visible_to(user).filter(item__project=project, state=Assignment.State.HELD)
    submitted = Annotation.objects.submitted().filter(user=user, item__project=project)
    return {"held": held.count(), "submitted": submitted.count()}
