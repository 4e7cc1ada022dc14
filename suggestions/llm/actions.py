"""A plan carried out on the runs of a dataset or rehearsed; what a project chose; the job that does it."""

import hashlib
import json
import threading
from collections.abc import Callable

from django.db import transaction

from jobs.actions import enqueue
from jobs.models import Job
from people.actions import audit
from people.models import User
from suggestions.actions import evaluate_trajectory
from suggestions.llm import storing
from suggestions.llm.asking import Asker, Live
from suggestions.llm.checks import check_language, rehearse_language
from suggestions.llm.errors import ModelError, Stopped
from suggestions.llm.judges import judge
from suggestions.llm.outcome import Told, told_of
from suggestions.llm.parallel import in_threads
from suggestions.llm.plan import LANGUAGE_CHECKS, SYNTHESIS, SYNTHESIS_STEP_BY_STEP, CategoryWords, Plan, in_order
from suggestions.llm.providers import model_named
from suggestions.llm.rehearsal import Rehearsal
from suggestions.llm.subject import Subject
from suggestions.llm.synthesis import write_constraints
from suggestions.models import ModelChoice
from taxonomy.models import TaxonomyVersion
from traces.models import Dataset, Trajectory

ASK_MODEL, ESTIMATE = "ask_model", "estimate_model"  # kinds of jobs
WRITING = (SYNTHESIS, SYNTHESIS_STEP_BY_STEP)
Progress = Callable[[int, int], None]


def plan_of(
    *, model: str, tasks: list[str] | tuple[str, ...], version: TaxonomyVersion, project: str = "", run: str = ""
) -> Plan:
    """Raises NoModel, BadModelSettings or UnknownTask."""
    words = [
        CategoryWords(row.name, row.definition, tuple(map(str, row.checklist))) for row in version.categories.all()
    ]
    return Plan(model_named(model), in_order(tasks), tuple(words), project, run)


def suggest_by_model(*, dataset: Dataset, plan: Plan, progress: Progress = lambda done, total: None) -> Told:
    """Ask about every run; what was answered before is not asked again. Stops where a cap or a key ends the plan."""
    stop = threading.Event()
    asker = Live(plan.model, project=plan.project, run=plan.run, stop=stop)
    ended: list[str] = []

    def work(pk: int) -> None:
        try:
            suggest_for(plan, asker, _trajectory(pk))
        except ModelError as error:
            if error.ends_the_plan:
                stop.set()
                ended.append(str(error))
            raise

    pks = list(_runs(dataset).values_list("pk", flat=True))
    outcomes = in_threads(
        pks, work, workers=plan.model.concurrency, stop=stop, tick=lambda done: progress(done, len(pks))
    )
    failed = {pk: outcome for pk, outcome in outcomes if isinstance(outcome, Exception)}
    _raise_what_is_not_the_models(failed)
    return told_of(dataset, plan, asker.bill, failed={pk: e for pk, e in failed.items() if not _ends(e)}, ended=ended)


def rehearse(*, dataset: Dataset, plan: Plan, progress: Progress = lambda done, total: None) -> Told:
    """What it would take, with nothing asked and nothing stored."""
    asker = Rehearsal(plan)
    runs = _runs(dataset)
    total = runs.count()
    for done, trajectory in enumerate(runs.iterator(chunk_size=20)):
        progress(done, total)
        suggest_for(plan, asker, trajectory)
    return told_of(dataset, plan, asker.bill)


def suggest_for(plan: Plan, asker: Asker, trajectory: Trajectory) -> None:
    """Constraints first, as judges may read what they find. A rehearsal stores nothing."""
    subject = Subject(trajectory, plan, asker)
    is_live = not isinstance(asker, Rehearsal)
    wrote = [_write(subject, task, is_live) for task in plan.tasks if task in WRITING]
    if is_live:
        evaluate_trajectory(trajectory=trajectory)
    if LANGUAGE_CHECKS in plan.tasks:
        _check(subject, is_live, expects_more=not is_live and any(wrote))
    for protocol in plan.judges:
        if not storing.has_judgement(plan, trajectory, protocol):
            judged = judge(subject, protocol)
            if is_live:
                storing.store_judgement(plan, trajectory, protocol, judged)


def _write(subject: Subject, task: str, is_live: bool) -> bool:
    """Whether there was anything to write."""
    if storing.is_written(subject.plan, subject.trajectory, task):
        return False
    written = write_constraints(subject, task)
    if is_live:
        storing.store_constraints(subject.plan, subject.trajectory, task, written)
    return True


def _check(subject: Subject, is_live: bool, expects_more: bool) -> None:
    constraints = storing.language_constraints(subject.trajectory)
    if not constraints:
        if expects_more:
            rehearse_language(subject)
        return
    key = storing.checks_key(subject.plan, subject.trajectory, constraints)
    if storing.are_checked(subject.plan, subject.trajectory, LANGUAGE_CHECKS, key):
        return
    results = list(check_language(subject, constraints))
    if is_live:
        names = {str(row.pk): row.name for row in constraints}
        storing.store_results(subject.plan, subject.trajectory, LANGUAGE_CHECKS, key, results, names)


def _runs(dataset: Dataset):
    return Trajectory.objects.filter(dataset=dataset).select_related("dataset", "policy", "toolset").order_by("pk")


def _trajectory(pk: int) -> Trajectory:
    return Trajectory.objects.select_related("dataset", "policy", "toolset").get(pk=pk)


def _ends(error: Exception) -> bool:
    return isinstance(error, Stopped) or isinstance(error, ModelError) and error.ends_the_plan


def _raise_what_is_not_the_models(failed: dict[int, Exception]) -> None:
    """A fault of ours is not one run's bad luck."""
    for error in failed.values():
        if not isinstance(error, ModelError | Stopped):
            raise error


@transaction.atomic
def choose(*, project: str, model: str, tasks: list[str], by: User) -> ModelChoice:
    """Which of the deployment's models a project asks, and for what."""
    told = {"model": model_named(model).name, "tasks": list(in_order(tasks))}
    choice, _ = ModelChoice.objects.update_or_create(project=project, defaults=told)
    audit("model chosen", choice, by=by, project=project, **told)
    return choice


def ask_model(*, kind: str, dataset: Dataset, plan: Plan, version: TaxonomyVersion, by: str = "") -> Job:
    """Have a worker carry the plan out (ASK_MODEL) or rehearse it (ESTIMATE). The same waiting request is one job."""
    payload = {
        "dataset": dataset.pk,
        "version": version.pk,
        "model": plan.model.name,
        "tasks": list(plan.tasks),
        "run": plan.run,
    }
    told = json.dumps([plan.project, payload], sort_keys=True)
    key = f"dataset:{dataset.pk}:{hashlib.sha256(told.encode()).hexdigest()}"
    return enqueue(kind, key=key, project=plan.project, payload=payload, by=by)
