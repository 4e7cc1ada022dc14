"""Cases follow what routing decided: opened, told their reasons anew, or withdrawn; a few statements for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from adjudication.models import Case, Routing
from adjudication.study import Sheet
from annotate.models import Project
from people.actions import audit, audit_each
from people.models import User

ADJUDICATE = Routing.Decision.ADJUDICATE
CHECK = "check"
CHECKED = [{"kind": CHECK, "size": 0, "text": "they agree; drawn to estimate how often agreement is wrong"}]
WEIGHT = {"outcome": 1.0, "critical_step": 0.8, "agent": 0.6, "category": 0.5, "failure_set": 0.3, "uncertain": 0.3}


@dataclass(frozen=True)
class Routed:
    """Where one item stands: what was decided about it, and whether a ruling answers it already."""

    item: int
    trajectory: str
    decision: str
    reasons: list[dict[str, Any]]
    explanation: str
    sheets: list[Sheet]
    is_ruled: bool
    is_check: bool = False
    judge_first: bool = False
    is_gold: bool = False  # as it was agreed, without a ruling

    @property
    def wants_case(self) -> bool:
        return not self.is_ruled and (self.decision == ADJUDICATE or self.is_check)

    @property
    def case_reasons(self) -> list[dict[str, Any]]:
        return CHECKED if self.is_check else self.reasons


def settle_cases(project: Project, standing: Mapping[int, Case], routed: Sequence[Routed], by: User) -> None:
    """`standing`: the open cases by item. One whose reasons change keeps who holds it and how it is judged.

    Routing opened what it withdraws: a case that somebody opened to rule again waits for her."""
    open_cases(project, [each for each in routed if each.wants_case and each.item not in standing], by)
    changed = []
    for each in routed:
        case = standing.get(each.item)
        if case is None:
            continue
        if not each.wants_case:
            if case.revises_id is None:
                withdraw(project, case, each, by)
        elif case.reasons != each.case_reasons:
            case.reasons, case.priority = each.case_reasons, priority_of(each.case_reasons)
            case.is_check, case.judge_first = each.is_check, case.judge_first or each.judge_first
            changed.append(case)
    Case.objects.bulk_update(changed, ["reasons", "priority", "is_check", "judge_first"], batch_size=1000)


def open_cases(project: Project, wanted: Sequence[Routed], by: User) -> None:
    """In order of the runs' ids, so that those opened at once wait in that order."""
    now = timezone.now()
    cases = [
        Case(
            item_id=each.item,
            reasons=each.case_reasons,
            priority=priority_of(each.case_reasons),
            is_check=each.is_check,
            judge_first=each.judge_first,
            opened_at=now,
        )
        for each in wanted
    ]
    Case.objects.bulk_create(cases, batch_size=1000)
    told = [{"trajectory": each.trajectory, "reasons": each.case_reasons} for each in wanted]
    audit_each("case opened", zip(cases, told, strict=True), by=by, project=project.slug)


def withdraw(project: Project, case: Case, each: Routed, by: User) -> None:
    case.state, case.closed_at = Case.State.WITHDRAWN, timezone.now()
    case.held_by = case.held_until = None
    case.save()
    audit("case withdrawn", case, by=by, project=project.slug, trajectory=each.trajectory, why=each.explanation)


def priority_of(reasons: list[dict[str, Any]]) -> float:
    """The gravest difference, and a little for each further one."""
    weights = sorted((WEIGHT.get(reason["kind"], 0.1) for reason in reasons), reverse=True)
    return round(sum(weight / 4**rank for rank, weight in enumerate(weights)), 3)
