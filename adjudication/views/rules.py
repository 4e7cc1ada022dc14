"""The rules of routing: read, tried on the runs there are, and set."""

from collections import Counter
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from adjudication.actions import Setting, route, set_rules
from adjudication.consensus_error import consensus_error
from adjudication.differences import WORDS
from adjudication.rules_form import RulesForm, fields_of
from adjudication.standing import hidden_from
from adjudication.views.overview import DECISIONS
from annotate.models import Project
from annotate.policy import require

SHOWN = 50


@login_required
@require_http_methods(["GET", "POST"])
def rules(request, slug):
    """With `try` the form's fields tell what they would route; without it they are set."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "set rules", project)
    given = request.POST if request.method == "POST" else None
    form = RulesForm(given) if given is not None else RulesForm(initial=fields_of(Setting.of(project)))
    if form.is_bound and form.is_valid() and "try" not in request.POST:
        set_rules(project=project, setting=form.setting(), by=request.user)
        messages.success(request, "The rules are set; the runs are being routed by them.")
        return redirect("rules", project.slug)
    context = {
        "project": project,
        "form": form,
        "kinds": WORDS,
        "chosen_kinds": form["kinds"].value() or [],
        "trial": trial(request.user, project, form.setting()) if form.is_bound and form.is_valid() else None,
        "error": consensus_error(project),
    }
    return render(request, "adjudication/rules.html", context, status=422 if form.errors else 200)


@dataclass(frozen=True)
class Move:
    item: int
    trajectory: str
    before: str
    after: str
    explanation: str


def trial(user, project: Project, setting: Setting) -> dict:
    """What would move where. Of runs that the reader may not be told of nothing: tried at one value after another,
    rules would tell how far apart their annotations are."""
    closed = hidden_from(user, project)
    before = {each.item: each for each in route(project, dry_run=True) if each.item not in closed}
    after = [each for each in route(project, instead=setting) if each.item not in closed]
    moves = [
        Move(each.item, each.trajectory, fate(before[each.item]), fate(each), each.explanation)
        for each in after
        if fate(before[each.item]) != fate(each)
    ]
    counts = [Counter(map(place, routed)) for routed in (before.values(), after)]
    gold = [sum(each.is_gold for each in routed) for routed in (before.values(), after)]
    return {
        "rows": [(words, counts[0][words], counts[1][words]) for words in (*DECISIONS.values(), CHECKED)],
        "gold": gold,
        "moves": moves[:SHOWN],
        "moved": len(moves),
        "left_out": len(closed),
    }


CHECKED = "accepted, and checked by an adjudicator"


def fate(routed) -> str:
    return f"{place(routed)}, gold" if routed.is_gold else place(routed)


def place(routed) -> str:
    return CHECKED if routed.is_check else DECISIONS[routed.decision]
