from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.actions import adopt_version, freeze_version
from annotate.codebook.board import public_keys
from annotate.codebook.coverage import coverage
from annotate.codebook.seen import Seen
from annotate.errors import NotAccepted
from annotate.policy import may, require
from annotate.views.codebook.common import around, given, project_for, sees_counts
from annotate.views.codebook.common import number as number_in
from taxonomy.actions import NothingToFreeze
from taxonomy.codebook.mapping import changes, in_words
from taxonomy.queries import board_of, board_of_version

NEXT = "What is clear is recoded, the rest waits under recoding. Take it up when people shall choose from it."


@login_required
@require_http_methods(["GET", "POST"])
def codebook_versions(request, slug):
    """The versions, and for leads: freeze the board as the next one."""
    project, roles = project_for(request.user, slug, "see codebook")
    taxonomy, error = project.taxonomy_version.taxonomy, ""
    if request.method == "POST":
        require(request.user, "refine codebook", project)
        try:
            version = freeze_version(project=project, summary=given(request, "summary"), by=request.user)
        except NothingToFreeze as refused:
            error = str(refused)
        else:
            messages.success(request, f"Version {version.number} is frozen and never changes. {NEXT}")
            return redirect("codebook_versions", project.slug)
    versions = list(taxonomy.versions.order_by("-number").select_related("frozen_by"))
    context = {
        **around(request, project, "versions"),
        "versions": versions,
        "coverage": coverage(request.user, project, project.taxonomy_version) if sees_counts(roles) else None,
        "changes": pending(request.user, project) if may(request.user, "refine codebook", project) else [],
        "nothing_to_freeze": not board_of(taxonomy).categories(),
        "error": error,
        "summary": request.POST.get("summary", ""),
    }
    return render(request, "annotate/codebook_versions.html", context, status=422 if error else 200)


def pending(user, project) -> list[str]:
    """What a version frozen now would change, in words, as far as its reader knows the cards."""
    latest, board = project.taxonomy_version.taxonomy.versions.order_by("-number")[0], board_of(project.taxonomy)
    shown = Seen.by(user, project).shown(board, public_keys(project))
    found = [each for each in changes(board_of_version(latest), board) if {each.key, *each.to} <= shown]
    return [in_words(change) for change in found if change.how != "kept" or change.sharpened]


@login_required
@require_GET
def codebook_version(request, slug, number):
    """One version, and in words what it changed from another one."""
    project, _ = project_for(request.user, slug, "see codebook")
    versions = project.taxonomy_version.taxonomy.versions
    version = get_object_or_404(versions, number=number)
    since = number_in(request.GET.get("since", ""), -1)
    before = versions.filter(number=since).first() or versions.filter(number__lt=number).order_by("-number").first()
    found = changes(board_of_version(before), board_of_version(version)) if before else []
    context = {
        **around(request, project, "versions"),
        "deeper": True,
        "one": version,
        "before": before,
        "others": versions.exclude(pk=version.pk).order_by("number"),
        "changes": [(change.how, in_words(change)) for change in found],
        "categories": version.categories.all(),
    }
    return render(request, "annotate/codebook_version.html", context)


@login_required
@require_POST
def codebook_adopt(request, slug, number):
    project, _ = project_for(request.user, slug, "refine codebook")
    version = get_object_or_404(project.taxonomy_version.taxonomy.versions, number=number)
    try:
        done = adopt_version(project=project, version=version, by=request.user)
    except NotAccepted as error:
        messages.error(request, error.message)
        return redirect("codebook_versions", project.slug)
    words = f"People now choose from version {version.number}."
    if done.unclear:
        words += " Some failures wait for recoding."
    messages.success(request, words)
    return redirect("codebook_versions", project.slug)
