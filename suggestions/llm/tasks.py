from django.conf import settings

from jobs.actions import report
from jobs.models import Job
from jobs.registry import handles
from suggestions.llm.actions import ASK_MODEL, ESTIMATE, plan_of, rehearse, suggest_by_model
from suggestions.llm.plan import Plan
from taxonomy.models import TaxonomyVersion
from traces.models import Dataset


@handles(ASK_MODEL, queue=settings.MODELS_QUEUE)
def run_plan(job: Job) -> dict:
    told = suggest_by_model(
        dataset=_dataset(job), plan=_plan(job), progress=lambda done, total: report(job, done, total)
    )
    Job.objects.filter(pk=job.pk).update(cost=told.bill.cost or 0)
    return told.as_json()


@handles(ESTIMATE, queue=settings.MODELS_QUEUE)
def run_rehearsal(job: Job) -> dict:
    told = rehearse(dataset=_dataset(job), plan=_plan(job), progress=lambda done, total: report(job, done, total))
    return told.as_json()


def _dataset(job: Job) -> Dataset:
    return Dataset.objects.get(pk=job.payload["dataset"])


def _plan(job: Job) -> Plan:
    version = TaxonomyVersion.objects.get(pk=job.payload["version"])
    return plan_of(
        model=job.payload["model"],
        tasks=job.payload["tasks"],
        version=version,
        project=job.project,
        run=job.payload["run"],
    )
