from jobs.actions import enqueue, report
from jobs.models import Job
from jobs.registry import handles
from suggestions.actions import evaluate_dataset
from traces.models import Dataset

PREFETCH = "suggest"


def prefetch(*, dataset: Dataset, project: str = "", by: str = "") -> Job:
    """Have a worker evaluate the dataset's runs; what is done already costs nothing."""
    return enqueue(PREFETCH, key=f"dataset:{dataset.pk}", project=project, payload={"dataset": dataset.pk}, by=by)


@handles(PREFETCH)
def run_prefetch(job: Job) -> dict:
    dataset = Dataset.objects.get(pk=job.payload["dataset"])
    return evaluate_dataset(dataset=dataset, progress=lambda done, total: report(job, done, total)).as_json()
