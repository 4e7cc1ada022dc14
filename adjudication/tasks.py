from adjudication.actions import filter_agreement, recompute, recompute_values, report, route
from annotate.models import Project
from jobs.actions import enqueue
from jobs.actions import report as tell
from jobs.models import Job
from jobs.registry import handles
from people.models import User


@handles("item_changed")
def item_changed(job: Job) -> dict:
    """Labels of a project came in or a case was ruled: fresh values within a second or two, then who is asked next.

    Intervals follow in a job of their own, so that a hundred submissions ask for them once.
    """
    project = Project.objects.get(pk=job.payload["project"])
    recompute_values(project)
    routed = report(route(project))
    enqueue("agreement_intervals", key=f"project:{project.pk}", project=project.slug, payload=job.payload, by=job.by)
    return {name: value for name, value in routed.items() if name != "cases"}


@handles("agreement_intervals")
def agreement_intervals(job: Job) -> dict:
    kept = recompute(Project.objects.get(pk=job.payload["project"]))
    return {"pairable": kept.figures["pairable"]}


@handles("filtered_agreement")
def filtered_agreement(job: Job) -> dict:
    """Agreement under a filter, for the person who asked: what she may see is decided now, not when she asked."""
    filter_agreement(
        project=Project.objects.get(pk=job.payload["project"]),
        by=User.objects.get(pk=job.payload["user"]),
        given=job.payload["filter"],
        progress=lambda done, of: tell(job, done, of),
    )
    return {}
