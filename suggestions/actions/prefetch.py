from jobs.actions import enqueue
from jobs.models import Job
from traces.models import Dataset

PREFETCH = "suggest"  # the kind of job


def prefetch(*, dataset: Dataset, project: str = "", by: str = "") -> Job:
    """Have a worker evaluate the dataset's runs; what is done already costs nothing."""
    return enqueue(PREFETCH, key=f"dataset:{dataset.pk}", project=project, payload={"dataset": dataset.pk}, by=by)
