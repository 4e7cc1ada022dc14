"""What a worker does for annotate. Each takes ids, and running it twice does no harm."""

from annotate.models import Project
from jobs.models import Job
from jobs.registry import handles
from people.models import User


@handles("propose_groups")
def propose_groups(job: Job) -> dict:
    from annotate.actions.comparing import propose_groups as propose

    project = Project.objects.select_related("taxonomy_version__taxonomy").get(pk=job.payload["project"])
    return {"proposals": len(propose(project=project, by=User.objects.get(pk=job.payload["by"])))}
