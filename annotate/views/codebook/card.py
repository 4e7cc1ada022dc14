from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.codebook.board import public_keys
from annotate.codebook.context import examples_for, failures_on, in_full, shown
from annotate.codebook.evidence import evidence_for
from annotate.codebook.memos import memos_for
from annotate.codebook.seen import Seen, failures_seen_by
from annotate.models import Example
from annotate.policy import require
from annotate.views.codebook.common import around, given, number, project_for
from taxonomy.actions import Conflict, act, note
from taxonomy.codebook import CATEGORY, Refused
from taxonomy.queries import board_of, last_event

PAGE = 20
LINES = ("checklist", "aliases")


@login_required
@require_http_methods(["GET", "POST"])
def codebook_card(request, slug, node):
    """One card: its words, the failures on it in their context, examples and memos."""
    project, _ = project_for(request.user, slug, "see codebook")
    taxonomy = project.taxonomy_version.taxonomy
    base, card = last_event(taxonomy), visible_card(request.user, project, node)
    error, status = "", 200
    if request.method == "POST":
        require(request.user, "refine codebook", project)
        try:
            describe(request, taxonomy, card)
        except Refused as refused:
            error, status = refused.message, 422
        except Conflict as conflict:
            error, status = str(conflict), 409
        else:
            messages.success(request, "Changed. It can be undone in the history.")
            return redirect("codebook_card", project.slug, card.id)
    board = board_of(taxonomy)
    failures = in_full(failures_on(request.user, project, board, card))
    page = Paginator(failures, PAGE).get_page(request.GET.get("page"))
    context = {
        **around(request, project, "board"),
        "deeper": True,
        "card": card,
        "over": board.nodes.get(card.parent or ""),
        "base": base,
        "page": page,
        "failures": shown(request.user, page),
        "examples": examples_for(request.user, project, card.id) if card.kind == CATEGORY else [],
        "evidence": evidence_for(request.user, project, card.id) if card.kind == CATEGORY else [],
        "memos": memos_for(request.user, project, card.id),
        "error": error,
        "words": [(name, value, name in LINES) for name, value in editable(card)],
    }
    return render(request, "annotate/codebook_one.html", context, status=status)


def visible_card(user, project, node: str):
    board = board_of(project.taxonomy_version.taxonomy)
    if node not in Seen.by(user, project).shown(board, public_keys(project)) or node not in board.nodes:
        raise Http404
    return board.nodes[node]


def editable(card) -> list[tuple[str, str]]:
    fields = [("definition", card.definition)]
    if card.kind == CATEGORY:
        words = card.words
        for name in ("group", "when_to_use", "when_not"):
            fields.append((name, words.get(name, "")))
        fields += [(name, "\n".join(words.get(name, []))) for name in LINES]
        fields.append(("hotkey", words.get("hotkey", "")))
        fields.append(("colour", str(words.get("colour") or "")))
        fields.append(("agentrx_name", words.get("names", {}).get("agentrx", "")))
    return fields


def describe(request, taxonomy, card) -> None:
    """Change what differs from the card as its reader saw it."""
    before = dict(editable(card))
    said = {name: given(request, name).replace("\r\n", "\n") for name in before if name in request.POST}
    changed = {name: value for name, value in said.items() if value != before[name]}
    if not changed:
        raise Refused("nothing was changed")
    fields = {name: stored(name, value, card) for name, value in changed.items()}
    if "agentrx_name" in fields:
        fields["names"] = fields.pop("agentrx_name")
    base = number(request.POST.get("base", ""))
    payload = {"node": card.id, "fields": fields}
    act(taxonomy=taxonomy, op="describe", payload=payload, reason=given(request, "reason"), base=base, by=request.user)


def stored(name: str, value: str, card):
    if name in LINES:
        return [line.strip() for line in value.split("\n") if line.strip()]
    if name == "colour":
        colour = number(value)
        if colour > 8:
            raise Refused("colours are numbered 1 to 8", "colour")
        return colour
    if name == "group" and len(value) > 200:
        raise Refused("a group's name has at most 200 characters", "group")
    if name == "hotkey" and len(value) > 1:
        raise Refused("a key is one character", "hotkey")
    if name == "agentrx_name":
        names = {format: own for format, own in card.words.get("names", {}).items() if format != "agentrx"}
        return names | ({"agentrx": value} if value else {})
    return value


@login_required
@require_POST
def codebook_note(request, slug, node):
    """A memo on a card by anybody who may propose."""
    project, _ = project_for(request.user, slug, "propose codes")
    card = visible_card(request.user, project, node)
    try:
        note(taxonomy=project.taxonomy_version.taxonomy, subject=card.id, text=given(request, "text"), by=request.user)
    except Refused as error:
        messages.error(request, error.message)
    return redirect("codebook_card", project.slug, card.id)


@login_required
@require_POST
def codebook_example(request, slug, node):
    """Hold up a failure as an example of a category, or as none of it."""
    project, _ = project_for(request.user, slug, "refine codebook")
    card = visible_card(request.user, project, node)
    if card.kind != CATEGORY:
        raise Http404
    seen = failures_seen_by(request.user, project)
    failure = get_object_or_404(seen, pk=number(request.POST.get("failure", "")))
    positive = request.POST.get("positive", "1") == "1"
    Example.objects.update_or_create(
        category=card.id,
        failure=failure,
        defaults={"project": project, "positive": positive, "note": given(request, "note"), "by": request.user},
    )
    messages.success(request, "Held up as an example, for those whose annotation of that run is frozen.")
    return redirect("codebook_card", project.slug, card.id)
