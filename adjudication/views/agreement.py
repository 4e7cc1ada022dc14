from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from adjudication.actions import TooFewLeftOut, filter_agreement
from adjudication.agreement_page import AgreementPage, whole_page
from adjudication.figure_table import as_csv
from adjudication.filtered import Reading, key_for
from adjudication.filters import BadFilter, Filter, chosen
from adjudication.models import AgreementFigures, FilteredFigures
from adjudication.opened import Figure, answer_words, opened
from adjudication.study import numbers_of
from annotate.actions import note_what_is_shown
from annotate.models import Item, Project, Submission
from annotate.policy import require
from annotate.throttle import heavy
from jobs.actions import enqueue
from jobs.models import Job

# More than these are computed by a worker: a page answers within a second or two.
AT_ONCE = 3000
PAGE = 50
WAITING_AT_MOST = 5  # filters of one person in one project: every day given is another one


@login_required
@require_GET
@heavy
def agreement(request, slug):
    """Figures of the whole project, or under one filter over the runs that the reader may not annotate any more."""
    project, roles = project_and_roles(request, slug)
    context = {"project": project, "may_open": "lead" in roles}
    reading = Reading.of(request.user, project, roles)
    try:
        filter = chosen(request.GET, reading.choices)
    except BadFilter as error:
        page = page_for(request.user, reading, Filter())
        context |= {"page": page, "choices": reading.choices, "filter": request.GET, "error": error}
        return render(request, "adjudication/agreement.html", context, status=422)
    page = page_for(request.user, reading, filter)
    job = None if page.figures or page.is_closed else newest_job(project, request.user, filter)
    context |= {"page": page, "choices": reading.choices, "filter": filter, "job": job}
    template = "adjudication/agreement_figures.html" if request.htmx else "adjudication/agreement.html"
    return render(request, template, context)


@login_required
@require_GET
@heavy
def agreement_csv(request, slug):
    project, roles = project_and_roles(request, slug)
    reading = Reading.of(request.user, project, roles)
    page = page_for(request.user, reading, filter_or_404(request.GET, reading))
    if not page.figures:
        raise Http404
    response = HttpResponse(as_csv(page.lines, page.rests_on), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="agreement-{project.slug}.csv"'
    return response


@login_required
@require_GET
@heavy
def agreement_items(request, slug):
    """The runs behind one figure, with what each annotator answered; none that the reader may still annotate."""
    project, roles = project_and_roles(request, slug)
    require(request.user, "see items", project)
    reading = Reading.of(request.user, project, roles)
    filter, figure = filter_or_404(request.GET, reading), Figure.of(request.GET)
    if figure is None:
        raise Http404
    found = [] if reading.is_closed else opened(reading.selected(filter).study_for(figure.measure), figure)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    items = Item.objects.visible_to(request.user).filter(pk__in=[int(each.item.item_id) for each in page])
    ours = items.select_related("trajectory").defer("trajectory__layers", "trajectory__origin").in_bulk()
    note_what_is_shown(request.user, ours)
    names, numbers = reading.category_names(filter), numbers_of(project, ours)
    rows = [
        (ours[item], [(who, answer_words(said, figure.measure, names, numbers[item])) for who, said in answers])
        for item, answers in ((int(each.item.item_id), each.answers) for each in page)
        if item in ours
    ]
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "project": project,
        "page": page,
        "rows": rows,
        "figure": figure,
        "figure_words": figure.words(names),
        "looked_at": filter.words(reading.choices),
        "left_out": len(reading.left_out),
        "query": f"{query.urlencode()}&",
        "back": filter.query,
    }
    return render(request, "adjudication/agreement_items.html", context)


@login_required
@require_POST
def compute_agreement(request, slug):
    """Ask a worker for the figures under a filter; asking twice is asking once."""
    project, roles = project_and_roles(request, slug)
    filter = filter_or_404(request.POST, Reading.of(request.user, project, roles))
    if not filter.is_empty:
        payload = {"project": project.pk, "user": request.user.pk, "filter": filter.given}
        key = job_key(project, request.user, filter)
        if waiting_beside(key, project, request.user) < WAITING_AT_MOST:
            enqueue("filtered_agreement", key=key, project=project.slug, payload=payload, by=request.user.username)
        else:
            messages.warning(
                request, f"{WAITING_AT_MOST} filters of yours wait for a worker. Try again when one is done."
            )
    return redirect(f"{request.path.removesuffix('compute')}?{filter.query}")


def waiting_beside(key: str, project: Project, user) -> int:
    jobs = Job.objects.of_project(project.slug).filter(kind="filtered_agreement", state=Job.State.QUEUED)
    return jobs.filter(by=user.username).exclude(key=key).count()


def project_and_roles(request, slug: str) -> tuple[Project, frozenset[str]]:
    projects = Project.objects.visible_to(request.user).select_related("taxonomy_version__taxonomy", "dataset")
    project = get_object_or_404(projects, slug=slug)
    return project, require(request.user, "see figures", project)


def filter_or_404(given, reading: Reading) -> Filter:
    try:
        return chosen(given, reading.choices)
    except BadFilter as error:
        raise Http404 from error


def page_for(user, reading: Reading, filter: Filter) -> AgreementPage:
    project = reading.project
    if filter.is_empty:
        kept = AgreementFigures.objects.filter(project=project).first()
        return whole_page(reading, kept)
    if reading.is_closed:
        return AgreementPage(reading, filter, is_closed=True)
    kept = FilteredFigures.objects.filter(
        project=project, user=user, key=key_for(filter, reading.left_out, reading.roles)
    ).first()
    if len(reading.everything) <= AT_ONCE and (kept is None or is_old(kept, project)):
        try:
            kept = filter_agreement(project=project, by=user, given=filter.given)
        except TooFewLeftOut:  # an annotation came in meanwhile
            return AgreementPage(reading, filter, is_closed=True)
    if kept is None:
        return AgreementPage(reading, filter)
    return AgreementPage(reading, filter, kept.figures, kept.as_of, is_old=is_old(kept, project))


def is_old(kept: FilteredFigures, project: Project) -> bool:
    return Submission.objects.filter(annotation__item__project=project, at__gt=kept.as_of).exists()


def job_key(project: Project, user, filter: Filter) -> str:
    return f"filter:{project.pk}:{user.pk}:{key_for(filter, (), ())[:32]}"


def newest_job(project: Project, user, filter: Filter) -> Job | None:
    """The one that is at work on these figures, or failed at them a moment ago."""
    key = job_key(project, user, filter)
    return Job.objects.filter(kind="filtered_agreement", key=key, project=project.slug).order_by("-pk").first()
