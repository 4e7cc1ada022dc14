from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.codebook.board import Page, page_for, public_keys
from annotate.codebook.evidence import evidence_for
from annotate.codebook.seen import Seen
from annotate.codebook.words import Line, history
from annotate.policy import may
from annotate.views.codebook.common import around, given, number, project_for, sees_counts
from taxonomy.actions import Conflict, act, propose, undo
from taxonomy.codebook import Refused
from taxonomy.codebook.log import UNDO
from taxonomy.formats import FORMATS
from taxonomy.models import CodeEvent
from taxonomy.queries import board_of

DONE = {
    "group": "Grouped.",
    "merge": "Merged.",
    "rename": "Renamed.",
    "promote": "Promoted.",
    "move": "Moved.",
    "demote": "Demoted; its codes stay together in a group.",
    "retire": "Retired.",
    "split": "Split.",
    "describe": "Changed.",
}


@login_required
@require_GET
def codebook(request, slug):
    project, roles = project_for(request.user, slug, "see codebook")
    return render(request, "annotate/codebook.html", board_context(request, project, roles))


def board_context(request, project, roles, **more) -> dict:
    page = page_for(request.user, project, counts=sees_counts(roles))
    files = [(each.name, each.title) for each in FORMATS]
    context = {
        **around(request, project, "board"),
        "page": page,
        "chosen": (),
        "files": files,
        "evidence": evidence_for(request.user, project),
    }
    if context["refines"]:
        context["last_act"] = last_act(request.user, project, page)
    return {**context, **more}


def last_act(user, project, page: Page) -> Line | None:
    """What the person did last and can still take back; undoing what she undid is the history's business."""
    lines = history(events_with_names(project), page.board, page.shown)
    own = (line for line in lines if line.event.by_id == user.pk and line.event.op != UNDO)
    return next((line for line in own if line.can_undo), None)


@login_required
@require_POST
def codebook_act(request, slug):
    """One act on the board by a lead, or the proposal of one by somebody else."""
    project, roles = project_for(request.user, slug, "propose codes")
    op = request.POST.get("op", "")
    try:
        if op == "undo":
            return take_back(request, project)
        if may(request.user, "refine codebook", project):
            done = do(request, project, op, payload_of(request, op))
            tell_of_others(request, project, done)
        else:
            ask_for(request, project, op, payload_of(request, op))
    except Refused as error:
        return again(request, project, roles, error.message, 422)
    except Conflict as error:
        return again(request, project, roles, str(error), 409)
    return redirect("codebook", project.slug)


def do(request, project, op, payload) -> CodeEvent:
    check_seen(request.user, project, payload)
    taxonomy, base = project.taxonomy_version.taxonomy, number(request.POST.get("base", ""))
    reason = given(request, "reason")
    event = act(taxonomy=taxonomy, op=op, payload=payload, reason=reason, base=base, by=request.user)
    messages.success(request, f"{DONE[op]} It can be undone.")
    return event


def ask_for(request, project, op, payload) -> None:
    check_seen(request.user, project, payload)
    taxonomy, reason = project.taxonomy_version.taxonomy, given(request, "reason")
    propose(taxonomy=taxonomy, op=op, payload=payload, reason=reason, by=request.user)
    messages.success(request, "Proposed. A lead decides; you find it under proposals.")


def check_seen(user, project, payload) -> None:
    """Cards one may not see are not there: neither by name nor by trying."""
    board = board_of(project.taxonomy_version.taxonomy)
    shown = Seen.by(user, project).shown(board, public_keys(project))
    named = {payload.get("node"), payload.get("into"), payload.get("to")} - {None}
    named |= set(payload.get("nodes") or ()) | set(payload.get("codes") or ())
    if not named <= shown:
        raise Refused("this card is not on the board any more", "nodes")


def take_back(request, project):
    project, _ = project_for(request.user, project.slug, "refine codebook")
    shown = {line.event.number for line in lines_for(request.user, project) if line.can_undo}
    target, base = number(request.POST.get("event", "")), number(request.POST.get("base", ""))
    if target not in shown:
        raise Refused("there is no such act to undo", "event")
    taxonomy, reason = project.taxonomy_version.taxonomy, given(request, "reason")
    event = undo(taxonomy=taxonomy, event=target, reason=reason, base=base, by=request.user)
    messages.success(request, f"Undid act {target}. That can be undone too.")
    tell_of_others(request, project, event)
    return redirect("codebook" if "on_board" in request.POST else "codebook_history", project.slug)


def tell_of_others(request, project, event: CodeEvent) -> None:
    """Whoever acts sees what others did since she loaded the board."""
    base = number(request.POST.get("base", ""))
    for line in reversed(lines_for(request.user, project)):
        if base < line.event.number < event.number:
            messages.info(request, f"Meanwhile {line.event.by.username}: {line.sentence}")


def again(request, project, roles, message: str, status: int):
    """The board as it is now, with what was chosen and typed still there."""
    kept = {name: request.POST.get(name, "") for name in ("name", "reason", "target", "definition")}
    context = board_context(request, project, roles, error=message, chosen=request.POST.getlist("nodes"), kept=kept)
    if status == 409:
        base = number(request.POST.get("base", ""))
        context["since"] = [line for line in lines_for(request.user, project) if line.event.number > base]
    return render(request, "annotate/codebook.html", context, status=status)


def payload_of(request, op: str) -> dict:
    """The payload of an act from the board's form: what is chosen, the name, the target."""
    nodes, target = request.POST.getlist("nodes"), request.POST.get("target", "") or None
    name, definition = given(request, "name"), given(request, "definition")
    one = nodes[0] if len(nodes) == 1 else None
    if op in {"rename", "demote"} and one is None:
        raise Refused("choose exactly one card", "nodes")
    if op == "promote":
        made = {"name": name, "key": given(request, "key") or None, "definition": definition}
        return {"nodes": nodes, **({"into": target} if target else made)}
    payloads = {
        "group": {"nodes": nodes, "name": name, "definition": definition},
        "merge": {"nodes": nodes, "into": target or (nodes[0] if nodes else None)} | ({"name": name} if name else {}),
        "rename": {"node": one, "name": name},
        "move": {"nodes": nodes, "to": target},
        "demote": {"node": one},
        "retire": {"nodes": nodes},
    }
    if op not in payloads:
        raise Refused("choose what to do with the cards", "op")
    return payloads[op]


@login_required
@require_GET
def codebook_history(request, slug):
    project, _ = project_for(request.user, slug, "refine codebook")
    lines = lines_for(request.user, project)
    base = lines[0].event.number if lines else 0
    return render(
        request, "annotate/codebook_history.html", {**around(request, project, "history"), "lines": lines, "base": base}
    )


def lines_for(user, project):
    taxonomy = project.taxonomy_version.taxonomy
    board = board_of(taxonomy)
    return history(events_with_names(project), board, Seen.by(user, project).shown(board, public_keys(project)))


def events_with_names(project) -> list[CodeEvent]:
    events = CodeEvent.objects.filter(taxonomy=project.taxonomy_version.taxonomy_id)
    return list(events.select_related("by").order_by("number"))
