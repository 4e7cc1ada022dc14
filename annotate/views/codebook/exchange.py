from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.codebook.board import page_for, public_keys
from annotate.codebook.context import examples_in
from annotate.codebook.seen import Seen
from annotate.views.codebook.common import around, project_for
from taxonomy.actions import take_in
from taxonomy.codebook import Refused
from taxonomy.formats import MAX_BYTES, BadCodebook, format_of, read
from taxonomy.formats.drafts import drafts_of
from taxonomy.presets import PRESETS
from taxonomy.queries import board_of


@login_required
@require_GET
def codebook_file(request, slug, format):
    """The codebook as its reader sees it: no card in the file that is not on her board."""
    project, _ = project_for(request.user, slug, "see codebook")
    try:
        chosen = format_of(format)
    except BadCodebook as error:
        raise Http404 from error
    board = board_of(project.taxonomy_version.taxonomy)
    shown = Seen.by(request.user, project).shown(board, public_keys(project))
    response = HttpResponse(chosen.write(slug, drafts_of(board, shown)), content_type=chosen.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{slug}-codebook.{chosen.name}"'
    return response


@login_required
@require_POST
def codebook_import(request, slug):
    project, _ = project_for(request.user, slug, "refine codebook")
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, "Choose a file.")
        return redirect("codebook", project.slug)
    taxonomy = project.taxonomy_version.taxonomy
    try:
        done = take_in(
            taxonomy=taxonomy, nodes=read(file.read(MAX_BYTES + 1)), reason=f"from {file.name}"[:200], by=request.user
        )
    except BadCodebook as error:
        messages.error(request, f"Nothing was taken in: {error}.")
    except Refused as error:
        messages.error(request, f"Nothing was taken in: {error.message}.")
    else:
        known = f", {done.known} were there already" if done.known else ""
        messages.success(request, f"{done.codes} codes taken in{known}. {done.acts} acts stand in the history.")
    return redirect("codebook", project.slug)


@login_required
@require_GET
def codebook_print(request, slug):
    """The categories in use on paper: what annotators hold in hand."""
    project, _ = project_for(request.user, slug, "see codebook")
    version = project.taxonomy_version
    categories = list(version.categories.all())
    examples = examples_in(request.user, project, [each.key for each in categories])
    preset = next((each for each in PRESETS if each.name == version.taxonomy.preset), None)
    context = {
        **around(request, project, "print"),
        "categories": [(each, examples[each.key]) for each in categories],
        "codes": page_for(request.user, project, counts=False).loose_codes,
        "credit": preset.credit if preset else "",
    }
    return render(request, "annotate/codebook_print.html", context)
