"""The cases that wait for one person's ruling, and where among them a case stands."""

from collections import Counter
from dataclasses import dataclass

from django.utils import timezone

from adjudication.do_next import SIGNS
from adjudication.models import Case
from annotate.models import Project


def queue_of(user, project: Project, state: str, kind: str = ""):
    """Oldest first; what is over, newest first."""
    cases = Case.objects.visible_to(user).filter(item__project=project, state=state)
    if kind:
        cases = cases.filter(reasons__contains=[{"kind": kind}])
    order = ("opened_at", "pk") if state == Case.State.OPEN else ("-closed_at", "-pk")
    cases = cases.select_related("item__trajectory", "ruling")
    return cases.defer("item__trajectory__layers", "item__trajectory__origin", "draft").order_by(*order)


def counts_by_kind(user, project: Project) -> dict[str, int]:
    open_cases = Case.objects.visible_to(user).open().filter(item__project=project)
    found = Counter(reason["kind"] for reasons in open_cases.values_list("reasons", flat=True) for reason in reasons)
    return {kind: found[kind] for kind in SIGNS if found[kind]}


@dataclass(frozen=True)
class Standing:
    """A case in the queue: the how manieth of how many, and whose turn it is."""

    number: int
    of: int
    is_mine: bool
    is_taken: bool  # by another adjudicator


def standing(user, case: Case) -> Standing:
    project = case.item.project
    waiting = list(queue_of(user, project, Case.State.OPEN).values_list("pk", flat=True))
    is_live = case.held_until is not None and case.held_until > timezone.now()
    return Standing(
        number=waiting.index(case.pk) + 1 if case.pk in waiting else 0,
        of=len(waiting),
        is_mine=is_live and case.held_by_id == user.pk,
        is_taken=is_live and case.held_by_id != user.pk,
    )
