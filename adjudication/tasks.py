from adjudication.actions import recompute, report, route
from annotate.models import Project
from jobs.models import Job
from jobs.registry import handles


@handles("item_changed")
def item_changed(job: Job) -> dict:
    """Labels of a project came in or a case was ruled. Routing first: people wait for it, figures are 'as of' anyway."""
    project = Project.objects.get(pk=job.payload["project"])
    routed = report(route(project))
    recompute(project)
    return {name: value for name, value in routed.items() if name != "cases"}
