from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from annotate.models import Membership, Project
from annotate.policy import ALLOWED, require
from jobs import actions
from jobs.idle import idle_since
from jobs.models import Job

PAGE = 50


@login_required
def jobs(request, slug=None):
    """Jobs of the projects one leads, or of one of them; htmx asks for the list alone while something runs."""
    project = None
    if slug is not None:
        project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
        require(request.user, "see jobs", project)
    found = Job.objects.filter(project__in=[slug] if slug else projects_led_by(request.user))
    page = Paginator(found.order_by("-created_at", "-pk"), PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "active": any(job.state in {Job.State.QUEUED, Job.State.RUNNING} for job in page),
        "idle_since": idle_since(found),
    }
    return render(request, "jobs/list.html" if request.htmx else "jobs/jobs.html", context)


@login_required
@require_POST
def cancel_job(request, job_id):
    job = get_object_or_404(Job, pk=job_id)
    project = Project.objects.visible_to(request.user).filter(slug=job.project).first()
    if project is None:
        raise Http404
    require(request.user, "cancel job", project)
    job = actions.cancel(job=job)
    if job.state == Job.State.RUNNING:
        messages.success(request, "The job stops at its next step.")
    return redirect("project_jobs", project.slug)


def projects_led_by(user):
    roles = Membership.objects.filter(user_id=user.pk, role__in=ALLOWED["see jobs"])
    return roles.values("project__slug")
