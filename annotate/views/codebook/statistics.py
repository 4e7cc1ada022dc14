from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.codebook.figures import annotations_for_figures, root_causes, saturation_of
from annotate.models import Membership
from annotate.policy import may
from annotate.views.codebook.common import around, number, project_for
from taxonomy.queries import board_of

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 260, 44, 12, 12, 34


@login_required
@require_GET
def codebook_statistics(request, slug):
    """Root causes by domain, and how soon codes run out."""
    project, _ = project_for(request.user, slug, "see figures")
    versions = project.taxonomy_version.taxonomy.versions.order_by("number")
    version = versions.filter(number=number(request.GET.get("version", ""), -1)).first() or project.taxonomy_version
    annotations = annotations_for_figures(request.user, project)
    leads = may(request.user, "refine codebook", project)
    annotators = list(annotators_of(annotations)) if leads else []
    chosen = request.GET.get("annotator", "")
    if chosen in annotators:
        annotations = annotations.filter(user__username=chosen)
    board = board_of(project.taxonomy_version.taxonomy)
    coded = saturation_of(annotations, board, project.seed)
    context = {
        **around(request, project, "statistics"),
        "one": version,
        "versions": versions,
        "annotators": annotators,
        "chosen": chosen if chosen in annotators else "",
        "shares": root_causes(annotations, version),
        "coded": coded,
        "saturations": [(domain or "no domain", each, plot(each)) for domain, each in coded.by_domain.items()],
        "seed": project.seed,
    }
    return render(request, "annotate/codebook_statistics.html", context)


def annotators_of(annotations):
    rows = annotations.filter(user__memberships__role=Membership.Role.ANNOTATOR)
    return rows.order_by("user__username").values_list("user__username", flat=True).distinct()


def plot(found) -> dict:
    """The curve of codes met as points of an SVG, and its ticks."""
    top = max(1, found.codes)
    runs = max(1, found.runs)

    def at(run: float, codes: float) -> str:
        x = LEFT + (WIDTH - LEFT - RIGHT) * run / runs
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * codes / top
        return f"{x:.1f},{y:.1f}"

    points = " ".join([at(0, 0), *(at(n, value) for n, value in enumerate(found.curve, start=1))])
    across = [(n, at(n, 0).split(",")[0]) for n in ticks(runs)]
    up = [(n, at(0, n).split(",")[1]) for n in ticks(top)]
    return {"points": points, "across": across, "up": up, "width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT, "bottom": HEIGHT - BOTTOM}  # fmt: skip


def ticks(most: int) -> list[int]:
    step = next(each for power in range(9) for each in (10**power, 2 * 10**power, 5 * 10**power) if most / each <= 6)
    return list(range(0, most + 1, step))
