"""The adjudicator judges the run before the annotations are shown to her."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from adjudication.actions import HeldByAnother, NotOpen, RulingRefused, look_first
from adjudication.actions.rule import positions
from adjudication.case_page import NO_STEP, first_page_of
from adjudication.models import Case
from adjudication.queue import QueueFilter, standing
from adjudication.views.case_steps import opened_stretches, visible_case


@login_required
@require_POST
def first_look(request, pk):
    """The adjudicator's own answer, before the annotations are shown."""
    case = visible_case(request.user, pk)
    given = {
        name: request.POST.get(name, "").replace("\0", "") for name in ("outcome", "step", "participant", "category")
    }
    number = whole_or_none(given["step"].strip())
    try:
        look_first(case=case, by=request.user, **{**given, "step": positions(case).get(number)})
    except RulingRefused as refused:
        return show_first(request, case, given, refused.errors)
    except (NotOpen, HeldByAnother) as error:
        messages.error(request, f"Not taken: {error}.")
    return redirect(QueueFilter.of(request.GET).added_to(reverse("case", args=[case.pk])))


def show_first(request, case: Case, given: dict | None = None, errors: dict | None = None):
    asked = QueueFilter.of(request.GET)
    context = {
        "case": case,
        "item": case.item,
        "project": case.item.project,
        "trajectory": case.item.trajectory,
        "run": first_page_of(request.user, case),
        "place": standing(request.user, case, asked),
        "queue": f"?{asked.query}" if asked else "",
        "outcomes": FIRST_ANSWERS,
        "given": given or {},
        "errors": errors or {},
        "stretches": opened_stretches(request, case),
    }
    return render(request, "adjudication/case_first.html", context, status=422 if errors else 200)


FIRST_ANSWERS = (("critical", "At this step"), *NO_STEP)


def whole_or_none(given: str) -> int | None:
    return int(given) if given.isdecimal() and len(given) < 8 else None
