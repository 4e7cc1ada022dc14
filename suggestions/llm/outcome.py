"""What a plan came to, in the words of the `suggest` command."""

from dataclasses import dataclass, field

from suggestions.builtin import BUILTINS
from suggestions.constraints import BUILTIN
from suggestions.llm.bill import Bill
from suggestions.llm.plan import Plan
from suggestions.llm.storing import SOURCE
from suggestions.models import Constraint, Evaluation, Judgement, Violation
from traces.models import Dataset, Trajectory


@dataclass
class Told:
    """What the dataset has now, and what this plan used up. `failed` runs got no answer; asking again tries them."""

    trajectories: int
    constraints: int
    violations: int
    not_evaluated: int
    judgements: int
    abstained: int
    plan: Plan
    bill: Bill
    failed: list[dict] = field(default_factory=list)
    stopped: str | None = None

    def as_json(self) -> dict:
        counts = ("trajectories", "constraints", "violations", "not_evaluated", "judgements", "abstained")
        told = {name: getattr(self, name) for name in counts}
        told |= {"model": self.plan.model.name, "tasks": list(self.plan.tasks)} | self.bill.as_json()
        return told | {"failed": self.failed, "stopped": self.stopped}


def told_of(
    dataset: Dataset, plan: Plan, bill: Bill, failed: dict[int, Exception] | None = None, ended: list[str] | None = None
) -> Told:
    judgements = Judgement.objects.filter(
        trajectory__dataset=dataset, source=SOURCE, model=plan.model.name, run=plan.run, protocol__in=plan.judges
    )
    names = dict(Trajectory.objects.filter(pk__in=failed or ()).values_list("pk", "external_id"))
    return Told(
        trajectories=Trajectory.objects.filter(dataset=dataset).count(),
        constraints=len(BUILTINS) + Constraint.objects.runnable_on(dataset).count(),
        violations=Violation.objects.standing().filter(trajectory__dataset=dataset).count(),
        not_evaluated=_not_evaluated(dataset),
        judgements=judgements.count(),
        abstained=judgements.filter(critical_step=None).count(),
        plan=plan,
        bill=bill,
        failed=[{"trajectory": names[pk], "why": str(error)} for pk, error in (failed or {}).items()],
        stopped=ended[0] if ended else None,
    )


def _not_evaluated(dataset: Dataset) -> int:
    """Without a model every language check is one the engine could not evaluate; those a model settled are taken off."""
    total = 0
    for source, counts in Evaluation.objects.filter(trajectory__dataset=dataset).values_list("source", "counts"):
        if source == BUILTIN:
            total += counts.get("not_evaluated", 0)
        else:
            total -= counts.get("satisfied", 0) + counts.get("violated", 0)
    return max(0, total)
