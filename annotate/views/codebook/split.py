from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotate.codebook.board import public_keys
from annotate.codebook.context import Shown, failures_on, in_full, shown
from annotate.codebook.seen import Seen
from annotate.codebook.splitting import Rule, name_of, sorted_into, text_of
from annotate.views.codebook.card import visible_card
from annotate.views.codebook.common import around, given, number, project_for
from taxonomy.actions import Conflict, act
from taxonomy.codebook import CATEGORY, Refused
from taxonomy.queries import board_of, last_event

LISTED = 200


@login_required
@require_POST
def codebook_split_chosen(request, slug):
    project, _ = project_for(request.user, slug, "refine codebook")
    chosen = request.POST.getlist("nodes")
    if len(chosen) != 1:
        messages.error(request, "Choose exactly one card to split.")
        return redirect("codebook", project.slug)
    card = visible_card(request.user, project, chosen[0])
    return redirect("codebook_split", project.slug, card.id)


@login_required
@require_http_methods(["GET", "POST"])
def codebook_split(request, slug, node):
    """Split a card in two: its codes, and each failure anew, by a rule or one by one."""
    project, _ = project_for(request.user, slug, "refine codebook")
    card = visible_card(request.user, project, node)
    taxonomy = project.taxonomy_version.taxonomy
    base, board = last_event(taxonomy), board_of(taxonomy)
    everything = list(in_full(failures_on(request.user, project, board, card)))
    failures = everything[:LISTED]
    error, status = "", 200
    if request.method == "POST" and "try" not in request.POST:
        try:
            split(request, taxonomy, card, everything)
        except Refused as refused:
            error, status = refused.message, 422
        except Conflict as conflict:
            error, status = str(conflict), 409
        else:
            messages.success(request, "Split. It can be undone in the history.")
            return redirect("codebook", project.slug)
    known = Seen.by(request.user, project).shown(board, public_keys(project))
    rule, is_category = rule_in(request), card.kind == CATEGORY
    context = {
        **around(request, project, "board"),
        "deeper": True,
        "card": card,
        "base": base,
        "inside": [
            (child, request.POST.get(f"code-{child.id}", "")) for child in board.children(card.id) if child.id in known
        ],
        "failures": [row_of(request, each, rule) for each in shown(request.user, failures)],
        "total": len(everything),
        "taken": sum(rule.takes(text_of(each)) for each in everything),
        "is_category": is_category,
        "rest": request.POST.get("rest", "" if is_category else "0"),
        "limit": LISTED if len(everything) > LISTED else 0,
        "error": error,
        "kept": request.POST,
    }
    return render(request, "annotate/codebook_split.html", context, status=status)


def row_of(request, each: Shown, rule: Rule) -> dict:
    """A failure with the part chosen for it by hand so far, and whether the rule takes it."""
    mark = name_of(each.failure)
    part = request.POST.get(f"mark-{mark}", "")
    return {"mark": mark, "shown": each, "part": part, "by_rule": rule.takes(text_of(each.failure))}


def rule_in(request) -> Rule:
    return Rule.of(given(request, "words"), 1)


def split(request, taxonomy, card, failures) -> None:
    rule = rule_in(request)
    by_hand = {name: part for name in map(name_of, failures) if (part := part_in(request, f"mark-{name}")) is not None}
    codes = {
        field.removeprefix("code-"): part
        for field in request.POST
        if field.startswith("code-") and (part := part_in(request, field)) is not None
    }
    names = [given(request, "name0"), given(request, "name1")]
    payload = {
        "node": card.id,
        "parts": [{"name": name, "definition": given(request, f"definition{n}")} for n, name in enumerate(names)],
        "assign": sorted_into(failures, rule, by_hand),
        "codes": codes,
        "rest": part_in(request, "rest"),
        "rule": given(request, "rule") or (str(rule) if rule.words else ""),
    }
    base, reason = number(request.POST.get("base", "")), given(request, "reason")
    act(taxonomy=taxonomy, op="split", payload=payload, reason=reason, base=base, by=request.user)


def part_in(request, name: str) -> int | None:
    value = request.POST.get(name, "")
    return int(value) if value in {"0", "1"} else None
