"""What a worker does for annotate. Each takes ids, and running it twice does no harm."""

from django.conf import settings

from annotate.actions.naming import PROPOSE_NAME, propose_name
from annotate.models import Project
from jobs.actions import report
from jobs.models import Job
from jobs.registry import handles
from people.models import User
from taxonomy.codebook import Refused


@handles("propose_groups")
def propose_groups(job: Job) -> dict:
    from annotate.actions.comparing import propose_groups as propose

    project = Project.objects.select_related("taxonomy_version__taxonomy").get(pk=job.payload["project"])
    return {"proposals": len(propose(project=project, by=User.objects.get(pk=job.payload["by"])))}


@handles(PROPOSE_NAME, queue=settings.MODELS_QUEUE)
def run_naming(job: Job) -> dict:
    project = Project.objects.select_related("taxonomy_version__taxonomy").get(pk=job.payload["project"])
    try:
        proposal, named = propose_name(
            project=project,
            nodes=job.payload["nodes"],
            model=job.payload["model"],
            by=User.objects.get(pk=job.payload["by"]),
            progress=lambda done, total: report(job, done, total),
        )
    except Refused as error:
        return {"proposal": None, "why": error.message}
    Job.objects.filter(pk=job.pk).update(cost=named.bill.cost or 0)
    return {"proposal": proposal and proposal.pk, "why": named.why} | named.bill.as_json()
