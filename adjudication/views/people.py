from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from adjudication.actions import open_feedback
from adjudication.feedback import cases_to_learn_from, compared
from adjudication.filtered import Reading
from adjudication.models import Case
from adjudication.people_page import closer, people_of
from adjudication.pseudonyms import key_of
from adjudication.study import numbers_of
from annotate.models import Project
from annotate.policy import require
from annotate.queries import steps_for
from annotate.throttle import heavy

AROUND = 2


@login_required
@require_GET
@heavy
def people(request, slug):
    """How each annotator's labels compare with others' and with rulings; for leads."""
    project = project_of(request, slug)
    reading = Reading.of(request.user, project, require(request.user, "see people", project))
    found = [] if reading.is_closed else people_of(reading)
    context = {"project": project, "reading": reading, "people": found, "left_out": len(reading.left_out)}
    return render(request, "adjudication/people.html", context)


@login_required
@require_GET
@heavy
def person(request, slug, key):
    project = project_of(request, slug)
    reading = Reading.of(request.user, project, require(request.user, "see people", project))
    name = next((each for each in people_names(reading) if key_of(project, each) == key), None)
    if name is None or reading.is_closed:
        raise Http404
    context = {"project": project, "closer": closer(reading, name), "left_out": len(reading.left_out)}
    return render(request, "adjudication/people_person.html", context)


@login_required
@require_GET
def my_feedback(request, slug):
    """One's own labels beside the rulings on them, once one has asked for each."""
    project = project_of(request, slug)
    require(request.user, "annotate", project)
    cases = list(cases_to_learn_from(request.user, project))
    return render(request, "adjudication/people_me.html", {"project": project, "cases": cases})


@login_required
@require_GET
def feedback(request, slug, pk):
    project = project_of(request, slug)
    require(request.user, "annotate", project)
    case = get_object_or_404(cases_to_learn_from(request.user, project).filter(is_opened=True), pk=pk)
    rows = compared(request.user, case)
    context = {"project": project, "case": case, "rows": rows, "steps": steps_around(request.user, case)}
    return render(request, "adjudication/people_feedback.html", context)


@login_required
@require_POST
def open_case(request, slug, pk):
    project = project_of(request, slug)
    require(request.user, "annotate", project)
    case = get_object_or_404(cases_to_learn_from(request.user, project), pk=pk)
    open_feedback(case=case, by=request.user)
    return redirect("feedback", project.slug, case.pk)


def steps_around(user, case: Case):
    """The ruled critical step with its neighbours, to read it again."""
    critical = next((each for each in case.ruling.failures if each.get("is_critical")), None)
    if critical is None or critical.get("first_step") is None:
        return []
    at, number = critical["first_step"], numbers_of(case.item.project, [case.item_id])[case.item_id]
    found = steps_for(user, case.item, max(0, at - AROUND), at + AROUND + 1)
    return [(number(each.position), each) for each in found]


def project_of(request, slug: str) -> Project:
    projects = Project.objects.visible_to(request.user).select_related("taxonomy_version__taxonomy", "dataset")
    return get_object_or_404(projects, slug=slug)


def people_names(reading: Reading) -> set[str]:
    return {each.judgement.annotator for each in reading.answers}
