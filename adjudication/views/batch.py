"""Cases of one kind side by side, ruled together where one reason answers them."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from adjudication.actions import HeldByAnother, NotOpen, RulingRefused, rule
from adjudication.actions.claim import free_for
from adjudication.case_page import CasePage, Choice, choices_of, page_of
from adjudication.models import Case
from adjudication.queue import QueueFilter, queue_of, told
from adjudication.ruling_draft import RulingDraft, begun
from adjudication.views.cases import CAUSES
from annotate.models import Project
from annotate.policy import require

AT_ONCE = 8
OTHER = "other"  # another step is written on the page of the case


@dataclass
class Entry:
    page: CasePage
    choices: list[Choice]
    choice: str = ""
    words: str = ""
    error: str = ""

    @property
    def case(self) -> Case:
        return self.page.case


@login_required
@require_http_methods(["GET", "POST"])
def batch(request, slug):
    """The oldest free cases that differ alike. A choice for a case and the reason settle it; the rest stay as they are."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "rule", project)
    asked = QueueFilter.of(request.GET)
    entries = entries_for(request, project, asked)
    if request.method == "POST":
        ruled = sum([settle(request, entry) for entry in entries if entry.choice])
        if ruled:
            messages.success(request, f"Ruled: {ruled} case{'' if ruled == 1 else 's'}.")
        if not any(entry.error for entry in entries):
            return redirect(asked.added_to(reverse("batch", args=[slug])))
        entries = [entry for entry in entries if entry.error or not entry.choice]
    context = {
        "project": project,
        "asked": asked,
        "entries": entries,
        "causes": CAUSES,
        "given": request.POST,
        "more": waiting_of(request, project, asked).count() - len(entries),
    }
    return render(request, "adjudication/batch.html", context, status=422 if any(e.error for e in entries) else 200)


def entries_for(request, project: Project, asked: QueueFilter) -> list[Entry]:
    """When something was sent, the cases that were shown; else the next ones. None that has to be judged first."""
    waiting = told(waiting_of(request, project, asked), request.user)
    if request.method == "POST":
        shown = [int(pk) for pk in request.POST.getlist("case")[:AT_ONCE] if pk.isdecimal() and len(pk) < 12]
        cases = waiting.filter(pk__in=shown)
    else:
        cases = waiting.filter(free_for(request.user))
    return [entry_of(request, case) for case in cases.select_related("item__project")[:AT_ONCE]]


def waiting_of(request, project: Project, asked: QueueFilter):
    """Without those that somebody rules again: each of them has a ruling of its own to begin with."""
    return queue_of(request.user, project, Case.State.OPEN, asked).filter(revises=None)


def entry_of(request, case: Case) -> Entry:
    page = page_of(request.user, case)
    choices = [choice for choice in choices_of(page) if choice.value != OTHER]
    chosen = request.POST.get(f"choice-{case.pk}", "")
    known = chosen if chosen in {choice.value for choice in choices} else ""
    return Entry(page, choices, known, request.POST.get(f"why-{case.pk}", "").replace("\0", "").strip())


def settle(request, entry: Entry) -> bool:
    """Whether it was ruled; what stood against it is in `error`."""
    data = {**begun(entry.page.alignment), "choice": [entry.choice]}
    if entry.choice == "no_failure":
        data["keep"] = []
    draft = RulingDraft(data, entry.page.alignment)
    shared = request.POST.get("rationale", "").replace("\0", "").strip()
    try:
        rule(
            case=entry.case,
            by=request.user,
            outcome=draft.outcome,
            failures=draft.failures(),
            rationale="\n".join(filter(None, [shared, entry.words])),
            cause=request.POST.get("cause", ""),
            reason_for_root_cause=draft.words("reason_for_root_cause"),
            failure_summary=draft.words("failure_summary"),
        )
    except (RulingRefused, NotOpen, HeldByAnother) as error:
        entry.error = str(error)
    return not entry.error
