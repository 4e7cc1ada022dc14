"""The list for recoding: failures whose category under a version somebody has to say."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from annotate.actions import recode, recode_by_hand
from annotate.actions.recoding import decisions_for
from annotate.codebook.context import in_full, shown
from annotate.codebook.marks import Held
from annotate.codebook.recoding import AMBIGUOUS, NOT_PROMOTED, UNMAPPED, Decision, Unclear
from annotate.codebook.seen import failures_seen_by
from annotate.models import Failure, FailureCode
from annotate.policy import may
from annotate.views.codebook.common import around, asked, given, number, project_for
from taxonomy.models import Category, TaxonomyVersion

PAGE = 20
WHY = {
    AMBIGUOUS: "its category was split, or its codes lead to several",
    UNMAPPED: "its category is not in this version",
    NOT_PROMOTED: "its codes are in no category, or it has none",
}


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
    unclear = unclear_in(decisions)
    wanted, words = request.GET.get("why", ""), asked(request, "find")
    page = Paginator(in_full(found(request, unclear)), PAGE).get_page(request.GET.get("page"))
    names = dict(version.categories.values_list("key", "name"))
    before = names_before(version)
    rows = [(each, *unclear[each.failure.pk]) for each in shown(request.user, page)]
    context = {
        **around(request, project, "recoding"),
        "one": version,
        "frozen": frozen,
        "open": len(unclear),
        "clear": len(decisions) - len(unclear),
        "page": page,
        "query": f"{urlencode({'version': version.number, 'why': wanted, 'find': words})}&",
        "wanted": wanted,
        "find": words,
        "whys": [(why, words, sum(what.why == why for _, what in unclear.values())) for why, words in WHY.items()],
        "names": names,
        "rows": [
            {
                "shown": each,
                "was": before.get(held.marked.category, held.marked.category),
                "why": WHY[what.why],
                "choices": [names[key] for key in what.choices if key in names],
            }
            for each, held, what in rows
        ],
    }
    return render(request, "annotate/codebook_recode.html", context)


def unclear_in(decisions: list[tuple[Held, Decision]]) -> dict[int, tuple[Held, Unclear]]:
    return {each.failure: (each, what) for each, what in decisions if isinstance(what, Unclear)}


def found(request, unclear: dict[int, tuple[Held, Unclear]]) -> QuerySet[Failure]:
    """Of the failures that wait, those of the wanted kind whose reason or codes hold the words."""
    wanted, words = request.GET.get("why", ""), asked(request, "find")
    ids = [pk for pk, (_, what) in unclear.items() if wanted in ("", what.why)]
    failures = Failure.objects.filter(pk__in=ids)
    if words:
        coded = FailureCode.objects.filter(failure=OuterRef("pk"), code__phrase__icontains=words)
        failures = failures.filter(Q(step_reason__icontains=words) | Exists(coded))
    return failures


def names_before(version: TaxonomyVersion) -> dict[str, str]:
    """By key, the last name of every category that an earlier version had."""
    rows = Category.objects.filter(version__taxonomy=version.taxonomy_id, version__number__lt=version.number)
    return dict(rows.order_by("version__number").values_list("key", "name"))


def recode_posted(request, project, version, failures):
    back = f"{request.path}?{request.GET.urlencode()}"
    if request.POST.get("all") and may(request.user, "refine codebook", project):
        recode(project=project, version=version, by=request.user)
        messages.success(request, "Recoded where it was clear.")
        return redirect(back)
    key, rows = request.POST.get("category", ""), chosen(request, failures, version)
    category = None if key == "none_fits" else version.categories.filter(key=key).first()
    if category is None and key != "none_fits" or not rows:
        messages.error(request, "Choose failures and what they are.")
        return redirect(back)
    for failure in rows:
        reason = given(request, "reason")
        recode_by_hand(failure=failure, version=version, category=category, reason=reason, by=request.user)
    messages.success(request, f"{len(rows)} recoded. The marks are as they were.")
    return redirect(back)


def chosen(request, failures: QuerySet[Failure], version: TaxonomyVersion) -> QuerySet[Failure]:
    """Those ticked, or everything that the list holds, on its other pages too."""
    if "every" in request.POST:
        rows = found(request, unclear_in(decisions_for(failures, version)))
    else:
        rows = failures.filter(pk__in=[number(each) for each in request.POST.getlist("failure")])
    return rows.select_related("annotation__item__project")
