"""What suggestions do to annotations: those made with them beside those made without."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from adjudication.arm_turns import turns_of
from adjudication.arms import compared
from adjudication.bootstrap import Bootstrap
from adjudication.filtered import Reading
from annotate.models import Project
from annotate.policy import may, require
from annotate.throttle import heavy


@login_required
@require_GET
@heavy
def arms(request, slug):
    """Over the runs that the reader may not annotate any more; closed where few left out would be told of."""
    project = get_object_or_404(Project.objects.visible_to(request.user), slug=slug)
    roles = require(request.user, "see figures", project)
    reading = Reading.of(request.user, project, roles)
    context = {
        "project": project,
        "is_closed": reading.is_closed,
        "left_out": len(reading.left_out),
        "may_set_reveal": may(request.user, "set reveal rule", project),
    }
    if not reading.is_closed:
        context["told"] = compared(turns_of(reading), reading.items, Bootstrap(seed=project.seed))
    return render(request, "adjudication/arms.html", context)
