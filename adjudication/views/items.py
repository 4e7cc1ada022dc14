from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q
from django.shortcuts import get_object_or_404, render

from adjudication.do_next import SIGNS
from adjudication.explained import explained
from adjudication.models import Case, GoldLabel, Routing
from adjudication.standing import STAGES, hidden_from, staged
from annotate.actions import note_what_is_shown
from annotate.models import Annotation, Item, Project
from annotate.policy import require
from taxonomy.queries import category_names

PAGE = 50
SUBMITTED = Q(annotations__is_current=True, annotations__state=Annotation.State.SUBMITTED)
TELLING = ("stage", "decision", "differs", "category")


@login_required
def items(request, slug):
    """The runs of a project by how far they are. Of runs the reader may still annotate nothing is told, and no filter
    that would tell it by leaving them in shows them."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see items", project)
    filters = chosen(request.GET)
    found = listed(request.user, project, filters)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    note_what_is_shown(request.user, [row.pk for row in page if not row.is_hidden and tells_differences(row)])
    context = {
        "project": project,
        "page": page,
        "filters": filters,
        "narrowed": narrowed(project, filters),
        "query": f"{urlencode(filters)}&" if filters else "",
        "stages": STAGES,
        "signs": SIGNS,
        "is_telling": any(name in filters for name in TELLING),
    }
    return render(request, "adjudication/items.html", context)


@login_required
def item(request, slug, item_id):
    """Everything that is known of one run, and why it stands where it stands."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "see items", project)
    found = get_object_or_404(staged(project).select_related("trajectory", "routing"), pk=item_id)
    is_hidden = found.pk in hidden_from(request.user, project)
    context = {"project": project, "item": found, "is_hidden": is_hidden}
    if not is_hidden:
        note_what_is_shown(request.user, [found.pk])
        context |= explained(project, found)
        context["case"] = Case.objects.open().visible_to(request.user).filter(item=found).first()
    return render(request, "adjudication/item.html", context)


def tells_differences(item: Item) -> bool:
    return hasattr(item, "routing") and bool(item.routing.reasons)


def chosen(given) -> dict[str, str]:
    known = {"stage": STAGES, "decision": Routing.Decision.values, "differs": SIGNS}
    found = {name: given[name] for name, values in known.items() if given.get(name) in values}
    for name in ("domain", "category", "q"):
        if text := given.get(name, "").replace("\0", "").strip()[:300]:
            found[name] = text
    return found


def narrowed(project: Project, filters: dict[str, str]) -> list[str]:
    """In words what no tab of the page shows."""
    told = [f"domain {filters['domain']}"] if "domain" in filters else []
    if key := filters.get("category"):
        names = category_names(project.taxonomy_version) | {"none_fits": "none fits"}
        told.append(f"gold category {names.get(key, key)}")
    return told


def listed(user, project: Project, filters: dict[str, str]):
    may_get = Item.objects.may_get(user).filter(pk=OuterRef("pk"))
    closed = Case.objects.closed_to(user).filter(item=OuterRef("pk"))
    cases = Case.objects.open().visible_to(user).filter(item=OuterRef("pk"))
    found = staged(project).annotate(is_hidden=Exists(may_get) | Exists(closed), case_id=cases.values("pk")[:1])
    if any(name in filters for name in TELLING):
        found = found.filter(is_hidden=False)
    if "stage" in filters:
        found = found.filter(stage=filters["stage"])
    if "decision" in filters:
        found = found.filter(routing__decision=filters["decision"])
    if "differs" in filters:
        found = found.filter(routing__reasons__contains=[{"kind": filters["differs"]}])
    if "domain" in filters:
        found = found.filter(trajectory__domain=filters["domain"])
    if "category" in filters:
        labels = GoldLabel.objects.filter(item=OuterRef("pk"), field=GoldLabel.Field.CATEGORY)
        found = found.filter(Exists(labels.filter(value=filters["category"])))
    if "q" in filters:
        found = found.filter(trajectory__external_id__icontains=filters["q"])
    found = found.annotate(people=Count("annotations__user", filter=SUBMITTED, distinct=True))
    found = found.select_related("trajectory", "routing").defer("trajectory__layers", "trajectory__origin")
    return found.order_by("trajectory__source", "trajectory__external_id", "pk")
