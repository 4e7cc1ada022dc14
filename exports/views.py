from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from adjudication.standing import hidden_from
from annotate.policy import may, require
from annotate.throttle import heavy
from exports.actions import create_release
from exports.downloads import download
from exports.errors import BadName, NameTaken, NothingToRelease, UnknownFormat, UnknownRelease
from exports.formats import WRITERS
from exports.labels import GoldLabels
from exports.models import Release
from exports.releases import project_for, release_for
from exports.selection import select

SHOWN = 100
# Plain values: a template would call the classes themselves.
FORMATS = [{"name": each.name, "title": each.title, "many_files": each.many_files} for each in WRITERS]


@login_required
@require_http_methods(["GET", "POST"])
def releases(request, slug):
    project = project_for(request.user, slug)
    require(request.user, "see releases", project)
    error, name = "", ""
    if request.method == "POST":
        require(request.user, "release", project)
        name = request.POST.get("name", "").strip()
        try:
            release = create_release(project=project, name=name, by=request.user)
        except (BadName, NameTaken, NothingToRelease) as refused:
            error = str(refused)
        else:
            messages.success(request, f"Release {release.name} holds {release.labels} labels and never changes.")
            return redirect("releases", slug=project.slug)
    closed = hidden_from(request.user, project)
    page = {
        "project": project,
        "releases": Release.objects.filter(project=project).select_related("by").order_by("-at")[:SHOWN],
        "all_releases": Release.objects.filter(project=project).count(),
        "gold": GoldLabels(project).labelled().exclude(pk__in=closed).count(),
        "closed": len(closed),
        "formats": FORMATS,
        "may_release": may(request.user, "release", project),
        "name": name,
        "error": error,
    }
    return render(request, "exports/releases.html", page, status=422 if error else 200)


@login_required
@require_GET
@heavy
def download_release(request, slug, name):
    try:
        release = release_for(request.user, slug, name)
    except UnknownRelease as error:
        raise Http404 from error
    return answer(request, release.project, file_name=f"{slug}-{release.name}", release=release.name)


@login_required
@require_GET
@heavy
def download_gold(request, slug):
    return answer(request, project_for(request.user, slug), file_name=f"{slug}-gold")


def answer(request, project, *, file_name, release=""):
    """The same bytes as the command and the API write."""
    try:
        chosen = select(project, format=request.GET.get("format", ""), release=release, user=request.user)
    except UnknownFormat as error:
        raise Http404 from error
    return download(chosen, file_name)
