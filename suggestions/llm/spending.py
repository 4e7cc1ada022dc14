"""What models took up: per purpose, per run, per call, and what a month of a budget has left."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Avg, Count, Q, QuerySet, Sum

from suggestions.llm.ledger import this_month
from suggestions.llm.providers import ModelSettings
from suggestions.models_llm import BudgetMonth, ModelCall

State = ModelCall.State
ANSWERED = Q(state=State.DONE)


@dataclass(frozen=True)
class BudgetLeft:
    """`cap` None: counted, not capped."""

    name: str
    cap: Decimal | None
    spent: Decimal
    reserved: Decimal

    @property
    def share(self) -> float:
        return min(1.0, float(self.spent / self.cap)) if self.cap else 0.0


def by_purpose(project: str) -> QuerySet:
    calls = ModelCall.objects.of_project(project).values("model", "purpose", "run")
    return _summed(calls).order_by("model", "run", "purpose")


def by_run(project: str) -> QuerySet:
    """The runs that took most tokens first; questions about no single run are left out."""
    calls = (
        ModelCall.objects.of_project(project)
        .filter(trajectory__isnull=False)
        .values("trajectory_id", "trajectory__external_id")
    )
    return _summed(calls).order_by("-tokens_in", "trajectory_id")


def latest_calls(project: str) -> QuerySet:
    return ModelCall.objects.of_project(project).select_related("trajectory").defer("answer").order_by("-pk")


def budgets(models: list[ModelSettings]) -> list[BudgetLeft]:
    """This month's, of the deployment: other projects may spend from them too."""
    wanted = {model.budget.name: model.budget for model in models}
    rows = {row.budget: row for row in BudgetMonth.objects.filter(month=this_month(), budget__in=wanted)}
    found = []
    for name, budget in wanted.items():
        row = rows.get(name)
        spent, reserved = (row.spent, row.reserved) if row else (Decimal(0), Decimal(0))
        found.append(BudgetLeft(name, budget.monthly_cap, spent, reserved))
    return found


def _summed(calls: QuerySet) -> QuerySet:
    return calls.annotate(
        answered=Count("pk", filter=ANSWERED),
        without=Count("pk", filter=Q(state__in=[State.FAILED, State.LOST])),
        tokens_in=Sum("input_tokens"),
        tokens_out=Sum("output_tokens"),
        total=Sum("cost"),
        unpriced=Count("pk", filter=Q(cost=None, state__in=[State.DONE, State.LOST])),
        seconds=Avg("latency_ms", filter=ANSWERED) / 1000.0,
    )
