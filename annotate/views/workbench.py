"""The page where annotators work, and the endpoints its queue talks to."""

from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from annotate import actions
from annotate.errors import Conflict, NotAccepted, NotYours
from annotate.models import Annotation, Assignment, Item, Project
from annotate.protocols import Problem, protocol_of
from annotate.queries import codes_for, columns_for, own_annotation
from annotate.reveal import is_revealed, may_ask
from annotate.rows import state_of
from annotate.views.json_answers import Malformed, answers_json, body_of, refusal, whole_number
from annotate.views.run import item_of, window_of

CATEGORY_WORDS = ("key", "name", "definition", "when_not", "checklist", "hotkey")
FIRST_WINDOW = 10  # steps that come with the page; as many as steps.js puts into a window


@gzip_page
@login_required
@require_GET
@ensure_csrf_cookie
def workbench(request, item_id):
    """For who was given the item, and nobody else: others read runs elsewhere."""
    item = item_of(request, item_id)
    annotation = own_or_404(request, item)
    turn = turn_of(request.user, item)
    context = {
        "item": item,
        "project": item.project,
        "trajectory": item.trajectory,
        "annotation": annotation,
        "turn": turn,
        "is_held": is_held(turn),
        "page": page_of(request.user, item, annotation, turn),
        **window_of(request.user, item, 0, FIRST_WINDOW),
    }
    return render(request, "annotate/workbench.html", context)


def own_or_404(request, item: Item) -> Annotation:
    own = own_annotation(request.user, item)
    if own is None:
        raise Http404
    return own


def turn_of(user, item: Item) -> Assignment | None:
    """The latest turn of this person at the item; there is at most one that is held or submitted."""
    return Assignment.objects.visible_to(user).filter(item=item).order_by("-claimed_at", "-pk").first()


def is_held(turn: Assignment | None) -> bool:
    return turn is not None and turn.state == Assignment.State.HELD


def page_of(user, item: Item, annotation: Annotation, turn: Assignment | None) -> dict:
    steps = columns_for(user, item)
    return {
        "item": item.pk,
        "user": user.pk,
        "steps": steps,
        "participants": list(dict.fromkeys([*item.trajectory.participants, *filter(None, steps["agents"])])),
        "categories": list(item.project.taxonomy_version.categories.values(*CATEGORY_WORDS)),
        "urls": urls_of(item),
        "suggestions": reach_of(annotation),
        "active_seconds": turn.active_seconds if turn else 0,
        **standing(item, annotation, turn),
    }


def reach_of(annotation: Annotation) -> str:
    """Whether suggestions may be read now, may be asked for, or are no part of this page."""
    if is_revealed(annotation):
        return "open"
    return "closed" if may_ask(annotation) else ""


def urls_of(item: Item) -> dict[str, str]:
    names = ("steps", "codes", "state", "search", "layers", "suggestions", "memos")
    return {
        **{name: reverse(f"item_{name}", args=[item.pk]) for name in names},
        "block": reverse("item_block", args=[item.pk, 0, 0]),
        "operations": reverse("operations", args=[item.pk]),
        "heartbeat": reverse("heartbeat", args=[item.pk]),
        "login": reverse("login"),
        "home": reverse("home"),
    }


def standing(item: Item, annotation: Annotation, turn: Assignment | None) -> dict:
    """Where the annotation stands: what a page needs to go on from here, when opened or after a conflict."""
    project = item.project
    state = state_of(annotation, project.taxonomy_version)
    return {
        "revision": annotation.revision,
        "state": state,
        "can_undo": bool(annotation.undoable),
        "can_redo": bool(annotation.redoable),
        "submitted": annotation.is_submitted,
        "closed": project.closed_at is not None,
        "held": is_held(turn),
        "held_until": turn.held_until.isoformat() if turn and is_held(turn) else None,
        "warnings": said(protocol_of(project.protocol).problems(state, is_closed=project.is_closed_coding)),
    }


def said(problems: list[Problem]) -> list[dict]:
    return [asdict(problem) for problem in problems]


@require_GET
@answers_json
def item_state(request, item_id):
    item = item_of(request, item_id)
    annotation = own_or_404(request, item)
    return JsonResponse({"user": request.user.pk, **standing(item, annotation, turn_of(request.user, item))})


@require_GET
@answers_json
def item_codes(request, item_id):
    item = item_of(request, item_id)
    own_or_404(request, item)
    found = codes_for(request.user, item, request.GET.get("q", "")[:200])
    return JsonResponse([asdict(code) for code in found], safe=False)


@require_POST
@answers_json
def operations(request, item_id):
    """One change. A 2xx is committed; whatever else comes back, nothing was changed."""
    body = body_of(request)
    if "user" in body and body["user"] != request.user.pk:
        item_of(request, item_id)
        message = f"You are logged in as {request.user}; these changes were made under another log-in."
        return refusal(403, "not_yours", message)
    try:
        recorded = actions.record(
            item=item_id,
            user=request.user,
            key=body.get("key", ""),
            base=whole_number(body, "base"),
            op=text_in(body, "op"),
            payload=body.get("payload", {}),
        )
    except NotYours:
        item_of(request, item_id)  # strangers hear of no item
        raise
    except Conflict as conflict:
        return refusal(409, "conflict", conflict.message, **conflicting(request, item_of(request, item_id)))
    return JsonResponse(answer_of(recorded))


def text_in(body: dict, name: str) -> str:
    if not isinstance(body.get(name), str):
        raise Malformed("expected text", name)
    return body[name]


@transaction.atomic
def conflicting(request, item: Item) -> dict:
    return standing(item, own_or_404(request, item), turn_of(request.user, item))


def answer_of(recorded: actions.Recorded) -> dict:
    annotation = recorded.annotation
    return {
        "revision": recorded.revision,
        "patch": recorded.patch,
        "can_undo": bool(annotation.undoable),
        "can_redo": bool(annotation.redoable),
        "warnings": said(recorded.warnings),
        "repeated": recorded.repeated,
        "submitted": annotation.is_submitted,
        "next": reverse("home") if annotation.is_submitted else None,
    }


@require_POST
@answers_json
def heartbeat(request, item_id):
    item = item_of(request, item_id)
    body = body_of(request)
    seconds = whole_number(body, "active_seconds")
    own_or_404(request, item)
    spent = spent_in(body, item.trajectory.n_steps)
    turn = actions.heartbeat(item=item, user=request.user, active_seconds=seconds, spent=spent)
    return JsonResponse({"held_until": turn.held_until.isoformat(), "active_seconds": turn.active_seconds})


def spent_in(body: dict, n_steps: int) -> list[actions.Spent]:
    """[[phase, step, seconds], …] of a heartbeat; a part that cannot be is left out, it is only a claim."""
    parts = body.get("spent", [])
    if not isinstance(parts, list) or len(parts) > 500:
        raise Malformed("expected a list of at most 500 [phase, step, seconds]", "spent")
    return [actions.Spent(*part) for part in parts if is_spent(part, n_steps)]


def is_spent(part, n_steps: int) -> bool:
    if not (isinstance(part, list) and [type(each) for each in part] in ([int, int, int], [int, int, float])):
        return False
    phase, step, seconds = part
    return phase in (1, 2) and 0 <= step < n_steps and 0 < seconds <= 3600


@login_required
@require_POST
def next_item(request, slug):
    """To the run one holds, else to a newly claimed one, else back with a sentence."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    try:
        turn = actions.claim_next(project=project, user=request.user)
    except NotAccepted as error:
        messages.warning(request, error.message)
        return redirect("home")
    if turn is None:
        messages.info(request, f"Nothing is left for you in {project.name} right now.")
        return redirect("home")
    return redirect("workbench", item_id=turn.item_id)


@login_required
@require_POST
def skip_item(request, item_id):
    item = item_of(request, item_id)
    reason = request.POST.get("reason", "").strip()
    if not reason:
        messages.error(request, "To give a run back, say why; the lead reads it.")
        return redirect("workbench", item_id=item.pk)
    try:
        actions.skip(item=item, user=request.user, reason=reason)
    except NotAccepted as error:
        messages.warning(request, error.message)
    else:
        messages.success(request, "The run went back. Your draft is kept, and is there again if it comes to you.")
    return redirect("home")
