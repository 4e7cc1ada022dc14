from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from annotate.models import Annotation, Project
from annotate.my_work import my_work
from annotate.policy import require

PAGE = 50


@login_required
def home(request):
    work = my_work(request.user)
    first_open = next((one for one in work if one.may_take_another), None)
    first_held = next((one.held[0] for one in work if one.held and not one.project.closed_at), None)
    context = {"work": work, "first_open": first_open, "first_held": first_held, "now": timezone.now()}
    return render(request, "annotate/my_work.html", context)


@login_required
def my_runs(request, slug):
    """The runs one has submitted oneself, newest first."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    require(request.user, "annotate", project)
    mine = Annotation.objects.submitted().filter(user=request.user, item__project=project)
    mine = mine.select_related("item__trajectory").defer("item__trajectory__layers", "item__trajectory__origin", "raw")
    page = Paginator(mine.order_by("-submitted_at", "-pk"), PAGE).get_page(request.GET.get("page"))
    return render(request, "annotate/my_runs.html", {"project": project, "page": page})
