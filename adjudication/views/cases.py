"""The queue of cases and the page on which one is settled."""

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from adjudication.actions import (
    HeldByAnother,
    NotOpen,
    RulingRefused,
    claim_case,
    claim_next_case,
    has_to_look_first,
    keep_draft,
    missing,
    release,
    rule,
    undo_draft,
)
from adjudication.actions.rule_again import obstacle
from adjudication.case_page import (
    CasePage,
    choices_of,
    history_of,
    opened_suggestions,
    page_of,
    task_of,
)
from adjudication.do_next import SIGNS
from adjudication.draft_again import begun_again
from adjudication.models import Case, FirstLook, Ruling
from adjudication.queue import AGES, ALL, JUDGE_FIRST, QueueFilter, counts_by_kind, domains_of, queue_of, standing
from adjudication.ruling_draft import Data, RulingDraft, begun, begun_from, data_of, taken
from adjudication.views.case_steps import opened_stretches, visible_case
from adjudication.views.first_look import show_first
from annotate.models import Project
from annotate.policy import may, require
from annotate.views.json_answers import Malformed, answers_json, body_of, refusal
from taxonomy.models import Category

PAGE = 50


@login_required
@require_GET
def cases(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    roles = require(request.user, "see cases", project)
    asked = QueueFilter.of(request.GET)
    state = Case.State.RULED if request.GET.get("state") == "ruled" else Case.State.OPEN
    page = Paginator(queue_of(request.user, project, state, asked), PAGE).get_page(request.GET.get("page"))
    fields = asked.fields | ({"state": "ruled"} if state == Case.State.RULED else {})
    context = {
        "project": project,
        "page": page,
        "asked": asked,
        "state": state,
        "kinds": kinds_for(request.user, project, asked),
        "domains": domains_of(request.user, project),
        "categories": Category.objects.filter(version=project.taxonomy_version_id),
        "ages": AGES,
        "query": f"{urlencode(fields)}&" if fields else "",
        "may_rule": "adjudicator" in roles,
        "now": timezone.now(),
    }
    return render(request, "adjudication/cases.html", context)


def kinds_for(user, project: Project, asked: QueueFilter) -> list[dict]:
    """The kinds of reasons as links: each keeps what else is asked for."""
    counts = counts_by_kind(user, project)
    words = {**SIGNS, JUDGE_FIRST: "judge first"}
    return [
        {"key": kind, "words": words[kind], "n": counts.get(kind, 0), "query": replace(asked, kind=kind).query}
        for kind in words
        if kind in counts or kind == asked.kind
    ]


@login_required
@require_POST
def next_case(request, slug):
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    after = request.POST.get("after", "")
    passed = int(after) if after.isdecimal() and len(after) < 12 else 0
    return to_next(request, project, QueueFilter.of(request.POST), passed)


def to_next(request, project: Project, asked: QueueFilter = ALL, after: int = 0):
    case = claim_next_case(project=project, by=request.user, asked=asked, after=after)
    if case is not None:
        return redirect(url_of(case, asked))
    messages.info(request, "No other case waits that you can take now.")
    return redirect(asked.added_to(reverse("cases", args=[project.slug])))


def url_of(case: Case, asked: QueueFilter) -> str:
    """The page of a case, which goes on with the part of the queue that was asked for."""
    return asked.added_to(reverse("case", args=[case.pk]))


@login_required
@require_GET
def case(request, pk):
    case = visible_case(request.user, pk)
    if has_to_look_first(case, request.user):
        return show_first(request, case)
    page = page_of(request.user, case)
    data = case.draft.get(str(request.user.pk)) or start_of(request.user, page)
    return show(request, page, RulingDraft(data, page.alignment))


@login_required
@require_POST
def rule_case(request, pk):
    """Rules, or does what one of the form's own buttons asks. Whatever is turned down comes back with its text."""
    case = visible_case(request.user, pk)
    if has_to_look_first(case, request.user):
        return redirect(url_of(case, QueueFilter.of(request.GET)))
    page = page_of(request.user, case)
    data = data_of(request.POST.lists())
    try:
        if take := request.POST.get("take", ""):
            if take == "undo":
                undo_draft(case=case, by=request.user, now=data, start=start_of(request.user, page))
            else:
                keep_draft(case=case, by=request.user, draft=taken(data, take, page.alignment))
            return redirect(f"{url_of(case, QueueFilter.of(request.GET))}#{anchor_of(take)}")
        return settle(request, page, RulingDraft(data, page.alignment))
    except (NotOpen, HeldByAnother) as error:
        messages.error(request, f"Not ruled: {error}. What you wrote is still here.")
        return show(request, page, RulingDraft(data, page.alignment), status=409)


def start_of(user, page: CasePage) -> Data:
    revised = page.case.revises
    if revised is not None and revised.by_id == user.pk:
        return begun_again(revised, page.alignment)
    look = FirstLook.objects.filter(case=page.case, by=user).first()
    return begun(page.alignment) if look is None else begun_from(look, page.alignment)


def settle(request, page: CasePage, draft: RulingDraft):
    failures = draft.failures()
    words = {"rationale": draft.text("rationale"), "cause": draft.text("cause")}
    if draft.errors:
        draft.errors |= missing(outcome=draft.outcome, **words)
        return show(request, page, draft, status=422)
    try:
        rule(
            case=page.case,
            by=request.user,
            outcome=draft.outcome,
            failures=failures,
            reason_for_root_cause=draft.words("reason_for_root_cause"),
            failure_summary=draft.words("failure_summary"),
            guideline_note=draft.text("guideline_note"),
            proposal={"category": draft.text("proposal_for"), "definition": draft.text("proposal_text")},
            **words,
        )
    except RulingRefused as refused:
        draft.errors |= refused.errors
        return show(request, page, draft, status=422)
    messages.success(request, f"Ruled: run {page.case.item.trajectory.external_id}.")
    return to_next(request, page.case.item.project, QueueFilter.of(request.GET), after=page.case.pk)


def anchor_of(take: str) -> str:
    return "written" if take.partition(":")[0] in {"write", "rewrite", "drop"} else "marks"


@login_required
@require_POST
def claim(request, pk):
    case = visible_case(request.user, pk)
    try:
        claim_case(case=case, by=request.user)
    except (NotOpen, HeldByAnother) as error:
        messages.error(request, f"Not taken: {error}.")
    return redirect("case", case.pk)


@login_required
@require_POST
def skip(request, pk):
    case = visible_case(request.user, pk)
    release(case=case, by=request.user)
    return to_next(request, case.item.project, QueueFilter.of(request.GET), after=case.pk)


@answers_json
@require_POST
def draft(request, pk):
    """Keeps what is written so far and renews the hold; an empty object only renews it."""
    case = Case.objects.visible_to(request.user).select_related("item__project").filter(pk=pk).first()
    if case is None:
        return refusal(404, "not_found", "There is nothing here.")
    body = body_of(request)
    if not all(isinstance(values, list) for values in body.values()):
        raise Malformed("expected a list of texts for each field", "body")
    data = data_of(body.items())
    try:
        kept = keep_draft(case=case, by=request.user, draft=data) if data else claim_case(case=case, by=request.user)
    except NotOpen as error:
        return refusal(409, "closed", str(error))
    except HeldByAnother as error:
        return refusal(409, "not_held", str(error))
    return JsonResponse({"held_until": kept.held_until.isoformat()})


def show(request, page: CasePage, draft: RulingDraft, status: int = 200, again_error: str = ""):
    case, user = page.case, request.user
    asked = QueueFilter.of(request.GET)
    where, history = standing(user, case, asked), history_of(case)
    context = {
        "case": case,
        "item": case.item,
        "project": case.item.project,
        "trajectory": case.item.trajectory,
        "alignment": page.alignment,
        "names": page.names,
        "categories": page.categories,
        "participants": page.participants,
        "choices": choices_of(page),
        "draft": draft,
        "causes": CAUSES,
        "look": FirstLook.objects.filter(case=case, by=user).first() if case.judge_first else None,
        "effects": ("recovered", "harmless", "persists", "unknown"),
        "ruling": getattr(case, "ruling", None),
        "history": history,
        "is_superseded": any(each.is_superseded for each in history if each.case == case),
        "may_rule_again": may(user, "rule again", case.item.project) and obstacle(case, user) is None,
        "again_error": again_error,
        "task": task_of(user, case),
        "place": where,
        "suggestions": opened_suggestions(user, page),
        "queue": f"?{asked.query}" if asked else "",
        "may_rule": case.state == Case.State.OPEN and may(user, "rule", case.item.project) and not where.is_taken,
        "stretches": opened_stretches(request, case),
    }
    return render(request, "adjudication/case.html", context, status=status)


CAUSES = {
    Ruling.Cause.SLIP: ("slip", "p", "one of them overlooked or mistyped something"),
    Ruling.Cause.GUIDELINE_UNCLEAR: ("guideline unclear", "g", "the guideline does not decide this"),
    Ruling.Cause.CATEGORY_UNCLEAR: ("category unclear", "c", "the categories' definitions overlap or leave a gap"),
    Ruling.Cause.TRULY_AMBIGUOUS: ("truly ambiguous", "t", "the run itself allows both"),
}
