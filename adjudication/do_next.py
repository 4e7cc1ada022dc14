"""What holds a project back, in sentences with one button each; the most pressing first."""

from collections import Counter
from collections.abc import Iterator

from django.db.models import Max, Min
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince

from adjudication.models import AgreementFigures, Case
from annotate.models import Annotation, Membership, Project
from annotate.policy import ALLOWED
from annotate.waiting import Waiting
from jobs.idle import idle_since
from jobs.models import Job

SIGNS = {
    "critical_step": "≠ step",
    "agent": "≠ agent",
    "category": "≠ category",
    "outcome": "≠ outcome",
    "failure_set": "≠ marks",
    "uncertain": "uncertain",
}


def do_next(user, project: Project, roles: frozenset[str], stages: dict[str, int], left_out: int = 0) -> list[Waiting]:
    """`stages` count the items but for so many left out, of which the reader is told nothing."""
    lines: list[Waiting] = []
    if ALLOWED["see jobs"] & roles:
        lines += jobs_lines(project)
        lines += setting_up_lines(project, stages)
        lines += agreement_lines(project)
    if ALLOWED["see cases"] & roles:
        lines += case_lines(user, project, roles)
    if ALLOWED["set rules"] & roles:
        lines += rule_lines(project, stages)
    if ALLOWED["release"] & roles and not left_out:
        lines += release_lines(project, stages)
    return lines


def jobs_lines(project: Project) -> Iterator[Waiting]:
    jobs, url = Job.objects.of_project(project.slug), reverse("project_jobs", args=[project.slug])
    if since := idle_since(jobs):
        yield Waiting(f"No worker has taken work for {age(since)}.", "Jobs", url)
    newest_done = jobs.filter(state=Job.State.DONE).aggregate(at=Max("finished_at"))["at"]
    failed = jobs.filter(state=Job.State.FAILED)
    failed = failed.filter(finished_at__gt=newest_done) if newest_done else failed
    if n := failed.count():
        yield Waiting(f"{counted(n, 'job')} failed since the last that worked.", "See why", url)


def setting_up_lines(project: Project, stages: dict[str, int]) -> Iterator[Waiting]:
    members = reverse("members", args=[project.slug])
    if not project.memberships.filter(role=Membership.Role.ANNOTATOR, user__kind="person").exists():
        yield Waiting("Nobody annotates here yet.", "Add people", members)
    elif stages["case"] and not project.memberships.filter(role=Membership.Role.ADJUDICATOR).exists():
        yield Waiting("Cases are open and nobody adjudicates.", "Add people", members)


def agreement_lines(project: Project) -> Iterator[Waiting]:
    newest = Annotation.objects.submitted().filter(item__project=project).aggregate(at=Max("submitted_at"))["at"]
    if newest is None:
        return
    figures = AgreementFigures.objects.filter(project=project).only("as_of").first()
    url = reverse("recompute", args=[project.slug])
    if figures is None:
        yield Waiting("Agreement has not been computed yet.", "Compute it", url, posts=True)
    elif figures.as_of < newest:
        yield Waiting("Annotations have come in since agreement was computed.", "Compute again", url, posts=True)


def case_lines(user, project: Project, roles: frozenset[str]) -> Iterator[Waiting]:
    """Who rules is not told in what the cases differ that are to be judged first."""
    cases = Case.objects.visible_to(user).open().filter(item__project=project)
    if not (n := cases.count()):
        return
    told = cases.filter(judge_first=False) if ALLOWED["rule"] & roles else cases
    oldest = cases.aggregate(at=Min("opened_at"))["at"] or timezone.now()
    kinds = Counter(kind for reasons in told.values_list("reasons", flat=True) for kind in {r["kind"] for r in reasons})
    why = ", ".join(f"{n} “{unbroken(SIGNS.get(kind, kind))}”" for kind, n in kinds.most_common(3))
    text = f"{counted(n, 'case')} {'waits' if n == 1 else 'wait'}, oldest {age(oldest)}"
    yield Waiting(f"{text} · {why}" if why else text, "Open queue", reverse("cases", args=[project.slug]))


def rule_lines(project: Project, stages: dict[str, int]) -> Iterator[Waiting]:
    if n := stages["accepted"]:
        text = f"{counted(n, 'run')} {'is' if n == 1 else 'are'} agreed and by the project's rules not gold."
        yield Waiting(text, "Rules", reverse("rules", args=[project.slug]))


def release_lines(project: Project, stages: dict[str, int]) -> Iterator[Waiting]:
    n, gold = sum(stages.values()), stages["gold"]
    if not n or gold < n:
        return
    yield Waiting(f"All {n} runs have gold.", "Release", reverse("releases", args=[project.slug]))


def age(moment) -> str:
    if (timezone.now() - moment).total_seconds() < 60:
        return "just now"
    return timesince(moment, depth=1).replace("\xa0", " ")


def unbroken(words: str) -> str:
    return words.replace(" ", "\xa0")


def counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
