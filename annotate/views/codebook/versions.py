from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.actions import adopt_version, freeze_version, recode, recode_by_hand
from annotate.actions.recoding import decisions_for
from annotate.codebook.board import public_keys
from annotate.codebook.context import in_full, shown
from annotate.codebook.coverage import coverage
from annotate.codebook.recoding import AMBIGUOUS, NOT_PROMOTED, UNMAPPED, Unclear
from annotate.codebook.seen import Seen, failures_seen_by
from annotate.errors import NotAccepted
from annotate.models import Failure
from annotate.policy import may, require
from annotate.views.codebook.common import around, given, number, project_for, sees_counts
from taxonomy.actions import NothingToFreeze
from taxonomy.codebook.mapping import changes, in_words
from taxonomy.queries import board_of, board_of_version

PAGE = 20
WHY = {
    AMBIGUOUS: "its category was split, or its codes lead to several",
    UNMAPPED: "its category is not in this version",
    NOT_PROMOTED: "its codes are in no category, or it has none",
}


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
            messages.success(request, f"Version {version.number} is frozen and never changes.")
            return redirect("codebook_versions", project.slug)
    versions = list(taxonomy.versions.order_by("-number").select_related("frozen_by"))
    context = {
        **around(request, project, "versions"),
        "versions": versions,
        "coverage": coverage(request.user, project, project.taxonomy_version) if sees_counts(roles) else None,
        "changes": pending(request.user, project) if may(request.user, "refine codebook", project) else [],
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
    since = request.GET.get("since", "")
    before = (
        versions.filter(number=int(since)).first() if since.isascii() and since.isdecimal() and since != "" else None
    )
    before = before or versions.filter(number__lt=number).order_by("-number").first()
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


@login_required
@require_http_methods(["GET", "POST"])
def codebook_recode(request, slug):
    """Failures whose category is not clear under a version: by their annotators, or in bulk by leads."""
    project, _ = project_for(request.user, slug, "recode")
    frozen = project.taxonomy_version.taxonomy.versions.filter(frozen_at__isnull=False).order_by("-number")
    version = frozen.filter(number=number(request.GET.get("version", ""), -1)).first() or frozen.first()
    if version is None:
        return render(request, "annotate/codebook_recode.html", {**around(request, project, "recoding"), "open": 0})
    failures = failures_seen_by(request.user, project).filter(annotation__state="submitted")
    if not may(request.user, "refine codebook", project):
        failures = failures.filter(annotation__user=request.user)
    if request.method == "POST":
        return recode_posted(request, project, version, failures)
    decisions = decisions_for(failures, version)
    unclear = {each.failure: (each, what) for each, what in decisions if isinstance(what, Unclear)}
    wanted = request.GET.get("why", "")
    ids = [pk for pk, (_, what) in unclear.items() if wanted in ("", what.why)]
    page = Paginator(in_full(Failure.objects.filter(pk__in=ids)), PAGE).get_page(request.GET.get("page"))
    names = dict(version.categories.values_list("key", "name"))
    rows = [(each, *unclear[each.failure.pk]) for each in shown(request.user, page)]
    context = {
        **around(request, project, "recoding"),
        "one": version,
        "frozen": frozen,
        "open": len(unclear),
        "clear": len(decisions) - len(unclear),
        "page": page,
        "query": f"version={version.number}&" + (f"why={wanted}&" if wanted in WHY else ""),
        "whys": [(why, words, sum(what.why == why for _, what in unclear.values())) for why, words in WHY.items()],
        "names": names,
        "rows": [
            {
                "shown": each,
                "was": held.marked.category,
                "why": WHY[what.why],
                "choices": [(key, names[key]) for key in (what.choices or names) if key in names],
            }
            for each, held, what in rows
        ],
    }
    return render(request, "annotate/codebook_recode.html", context)


def recode_posted(request, project, version, failures):
    if request.POST.get("all") and may(request.user, "refine codebook", project):
        recode(project=project, version=version, by=request.user)
        messages.success(request, "Recoded where it was clear.")
        return redirect("codebook_recode", project.slug)
    key, chosen = request.POST.get("category", ""), request.POST.getlist("failure")
    category = None if key == "none_fits" else version.categories.filter(key=key).first()
    if category is None and key != "none_fits" or not chosen:
        messages.error(request, "Choose failures and what they are.")
        return redirect("codebook_recode", project.slug)
    rows = failures.filter(pk__in=[number(each) for each in chosen]).select_related("annotation__item__project")
    for failure in rows:
        reason = given(request, "reason")
        recode_by_hand(failure=failure, version=version, category=category, reason=reason, by=request.user)
    messages.success(request, f"{len(rows)} recoded. The marks are as they were.")
    return redirect(f"{request.path}?version={version.number}")
