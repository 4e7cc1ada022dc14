"""What a job is and how it stands, in words."""

from django import template
from django.utils import timezone
from django.utils.timesince import timesince

from jobs.models import Job

register = template.Library()

KINDS = {
    "item_changed": "agreement and routing",
    "ask_model": "questions to a model",
    "estimate_model": "estimate of questions to a model",
    "suggest": "looking for suggestions",
    "propose_groups": "comparing codes",
    "propose_name": "name for codes by a model",
}
STATES = {
    Job.State.QUEUED: ("waiting for a worker", ""),
    Job.State.RUNNING: ("running", "tag--accent"),
    Job.State.DONE: ("✓ done", "tag--good"),
    Job.State.FAILED: ("⚑ failed", "tag--bad"),
    Job.State.CANCELLED: ("cancelled", ""),
}


@register.filter
def kind_in_words(job: Job) -> str:
    return KINDS.get(job.kind, job.kind.replace("_", " "))


@register.filter
def state_in_words(job: Job) -> str:
    if job.state == Job.State.QUEUED and job.attempts:
        return f"waits for attempt {job.attempts + 1}"
    return STATES[job.state][0]


@register.filter
def state_tag(job: Job) -> str:
    return STATES[job.state][1]


@register.filter
def last_error(job: Job) -> str:
    if not job.errors or job.state == Job.State.DONE:
        return ""
    return job.errors[-1].get("error", "")


@register.filter
def percent(job: Job) -> float:
    return round(min(1, job.progress / job.total) * 100, 1) if job.total else 0


@register.filter
def took(job: Job) -> str:
    now = timezone.now()
    if job.started_at is None:
        return f"for {span(job.created_at, now)}" if job.state == Job.State.QUEUED else ""
    return f"took {span(job.started_at, job.finished_at)}" if job.finished_at else f"for {span(job.started_at, now)}"


def span(start, end) -> str:
    seconds = max(0, int((end - start).total_seconds()))
    return f"{seconds} s" if seconds < 120 else timesince(start, end, depth=1).replace("\xa0", " ")
