from jobs.actions import report
from jobs.models import Job
from jobs.registry import handles
from suggestions.actions import evaluate_dataset
from suggestions.actions.prefetch import PREFETCH
from traces.models import Dataset


@handles(PREFETCH)
def run_prefetch(job: Job) -> dict:
    dataset = Dataset.objects.get(pk=job.payload["dataset"])
    return evaluate_dataset(dataset=dataset, progress=lambda done, total: report(job, done, total)).as_json()
