"""Judgements as the scorers take them."""

from collections.abc import Callable
from typing import NamedTuple

from suggestions.models import Judgement
from suggestions.scoring import Answer
from traces.models import Dataset

# Who&When's protocols that search for one step: there is no second guess to score.
NAMING_ONE_STEP = frozenset({"step_by_step", "binary_search"})


class Judge(NamedTuple):
    source: str
    model: str
    protocol: str
    run: str


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
