"""The run of a case, read step by step."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET

from adjudication.actions.claim import next_free
from adjudication.models import Case
from adjudication.queue import QueueFilter
from annotate.cards import cards
from annotate.policy import require
from annotate.queries import steps_for
from annotate.views.run import palette_of

STEPS_AT_ONCE = 40
STEPS_AHEAD = 100


@login_required
@require_GET
def case_steps(request, pk):
    """The steps of a stretch, opened in place; at most so many at once, with a way to the rest."""
    case = visible_case(request.user, pk)
    start, stop = (whole(request.GET.get(name, "")) for name in ("from", "to"))
    return render(request, "adjudication/case_steps.html", opened(request.user, case, start, stop))


def opened(user, case: Case, start: int, stop: int) -> dict:
    shown = range(start, min(stop, start + STEPS_AT_ONCE))
    steps = list(steps_for(user, case.item, shown.start, shown.stop))
    palette = palette_of(user, case.item)
    rest = (shown.stop, stop) if steps and stop > shown.stop else None
    return {"case": case, "cards": cards(steps, shown, palette.hue), "start": start, "stop": stop, "rest": rest}


@login_required
@require_GET
def ahead(request, pk):
    """The first steps of the case that would come next, one by one; nothing else is told of it before it is claimed."""
    case = visible_case(request.user, pk)
    project = case.item.project
    require(request.user, "rule", project)
    following = next_free(project=project, by=request.user, asked=QueueFilter.of(request.GET), after=case.pk)
    if following is None:
        return JsonResponse({"url": None, "steps": []})
    return JsonResponse(
        {"url": reverse("case_steps", args=[following.pk]), "steps": one_by_one(request.user, following)}
    )


def one_by_one(user, case: Case) -> list[str]:
    """As they stand in an opened stretch. Where stretches begin and end would tell what is marked."""
    shown = range(STEPS_AHEAD)
    found = cards(list(steps_for(user, case.item, shown.start, shown.stop)), shown, palette_of(user, case.item).hue)
    return [render_to_string("adjudication/case_steps.html", {"case": case, "cards": [card]}) for card in found]


def opened_stretches(request, case: Case) -> dict[int, dict]:
    """What a page without JavaScript was asked to open, by first position: ?open=12:30, at most a few."""
    found = {}
    for given in request.GET.getlist("open")[:5]:
        start, _, stop = given.partition(":")
        found[whole(start)] = opened(request.user, case, whole(start), whole(stop))
    return found


def whole(given: str) -> int:
    if not given.isdecimal() or len(given) > 9:
        raise Http404
    return int(given)


def visible_case(user, pk: int) -> Case:
    cases = Case.objects.visible_to(user).select_related("item__project", "item__trajectory", "ruling", "revises")
    return get_object_or_404(cases, pk=pk)
