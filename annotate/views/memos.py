"""Memos of a run, as its annotator writes them and as the lead answers them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate import actions
from annotate.errors import NotAccepted
from annotate.models import ItemMemo, Project
from annotate.policy import may, require
from annotate.views.json_answers import answers_json, body_of
from annotate.views.run import item_of
from annotate.views.workbench import own_or_404
from traces.models import Step

PAGE = 50


@require_http_methods(["GET", "POST"])
@answers_json
def item_memos(request, item_id):
    """One's own memos of the run with what the lead replied; a POST adds one."""
    item = item_of(request, item_id)
    own_or_404(request, item)
    if request.method == "POST":
        body = body_of(request)
        memo = actions.write_memo(
            item=item,
            by=request.user,
            key=body.get("key", ""),
            kind=body.get("kind", ""),
            text=body.get("text", ""),
            step=body.get("step"),
            failure=body.get("failure", ""),
        )
        return JsonResponse(line(memo))
    mine = ItemMemo.objects.visible_to(request.user).filter(item=item, by=request.user)
    return JsonResponse([line(memo) for memo in mine], safe=False)


def line(memo: ItemMemo) -> dict:
    return {
        "kind": memo.kind,
        "says": memo.get_kind_display(),
        "step": memo.step,
        "failure": memo.failure,
        "text": memo.text,
        "at": memo.at.isoformat(),
        "reply": memo.reply,
        "closed": memo.closed_at is not None,
    }


@login_required
@require_GET
def memos(request, slug):
    """What annotators told the lead; of runs the lead may still annotate nothing is shown."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "read memos", project)
    found = ItemMemo.objects.to_lead(request.user, project)
    step = Step.objects.filter(trajectory=OuterRef("item__trajectory"), position=OuterRef("step"))
    number = Coalesce(Subquery(step.values("native_index")[:1]), F("step") + 1)
    found = found.annotate(number=number).select_related("item__trajectory", "by", "closed_by")
    found = found.defer("item__trajectory__layers", "item__trajectory__origin")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "page": page, "may_reopen": may(request.user, "reopen", project)}
    return render(request, "annotate/memos.html", context)


@login_required
@require_POST
def answer_memo(request, memo_id):
    memo = get_object_or_404(ItemMemo.objects.visible_to(request.user).select_related("item__project"), pk=memo_id)
    project = memo.item.project
    opens = "open" in request.POST
    require(request.user, "reopen" if opens else "read memos", project)
    try:
        actions.answer_memo(memo=memo, by=request.user, reply=request.POST.get("reply", ""), opens=opens)
    except NotAccepted as error:
        messages.warning(request, f"Not done: {error.message}.")
    else:
        messages.success(request, "It is open again." if opens else "Answered; its author reads it beside the run.")
    return redirect("memos", project.slug)
