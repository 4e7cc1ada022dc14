"""Judgements and violations as the scorers take them."""

from collections.abc import Callable
from typing import NamedTuple

from suggestions.alarms import Alarm
from suggestions.llm.storing import SOURCE as BY_MODELS
from suggestions.models import Judgement, Violation
from suggestions.scoring import Answer
from traces.models import Dataset

# Who&When's protocols that search for one step: there is no second guess to score.
NAMING_ONE_STEP = frozenset({"step_by_step", "binary_search"})


class Judge(NamedTuple):
    source: str
    model: str
    protocol: str
    run: str


class Checker(NamedTuple):
    """A source of violations. Those by models have the model in the run's name, as Plan.source_of_violations says it."""

    source: str
    run: str

    @property
    def name(self) -> str:
        return f"{self.source}#{self.run}" if self.run else self.source

    @property
    def author(self) -> str:
        """The model where one found them, else the source: on whose suggestions a label may rest."""
        return self.run.partition("/")[0] if self.source == BY_MODELS else self.source


def answers_by_judge(
    dataset: Dataset, category_of: Callable[[str], str] = lambda spelling: spelling
) -> dict[Judge, list[Answer]]:
    """Every judge's answers; a run is named by its trajectory's key, a category as `category_of` reads its spelling."""
    found: dict[Judge, list[Answer]] = {}
    rows = Judgement.objects.of_dataset(dataset).order_by("source", "model", "protocol", "run", "trajectory_id")
    for row in rows.defer("raw", "reason").iterator(chunk_size=2000):
        answer = Answer(
            run=str(row.trajectory_id),
            step=row.critical_step,
            participant=row.participant,
            category=category_of(row.category),
            ranking=tuple(row.ranking),
            names_one_step=row.protocol in NAMING_ONE_STEP,
        )
        found.setdefault(Judge(row.source, row.model, row.protocol, row.run), []).append(answer)
    return found


def judges_of(dataset: Dataset) -> list[Judge]:
    told = Judgement.objects.of_dataset(dataset).order_by().values_list("source", "model", "protocol", "run")
    return sorted(Judge(*each) for each in told.distinct())


def alarms_by_checker(
    dataset: Dataset, category_of: Callable[[str], str] = lambda spelling: spelling
) -> dict[Checker, list[Alarm]]:
    """What every source's latest evaluation still says. Targets that `category_of` reads as nothing are left out."""
    found: dict[Checker, list[Alarm]] = {}
    rows = Violation.objects.standing().filter(trajectory__dataset=dataset).order_by("source", "run", "pk")
    told = rows.values_list("source", "run", "trajectory_id", "step", "constraint__taxonomy_targets")
    for source, run, trajectory, step, targets in told.iterator(chunk_size=2000):
        alarm = Alarm(str(trajectory), step, tuple(filter(None, map(category_of, targets))))
        found.setdefault(Checker(source, run), []).append(alarm)
    return found
