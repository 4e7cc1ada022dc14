"""What a source's answers are worth against labels. Pure: ids, positions and categories in, counts and rates out.

Every labelled run that the source has a record of counts; an abstention is a wrong answer there. `coverage` says for
how many labelled runs there is a record. Steps are 0-based positions, categories are compared as they are given.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev

from traces.formats.names import participant

WITHIN = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Gold:
    """The label of one run. `categories` are those of all its failures, in the order of steps."""

    run: str
    n_steps: int
    step: int | None
    participant: str = ""
    category: str = ""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`names_one_step`: the protocol searches for one step and gives no ranking, so there is no second guess."""

    run: str
    step: int | None
    participant: str = ""
    category: str = ""
    ranking: tuple[int, ...] = ()
    names_one_step: bool = False


@dataclass(frozen=True)
class Score:
    """Counts of `n` runs, except for rates: coverage, floors, top1, top3, mrr, mean_distance (None: no step named)."""

    n: int
    coverage: float
    abstained: int
    exact: int
    within: dict[int, int]
    floor: dict[int, float]
    mean_distance: float | None
    agent: int
    top1: float
    top3: float
    mrr: float
    category: dict[str, int] = field(default_factory=dict)
    category_n: int = 0  # runs of which both the label and the answer name a category

    def rounded(self, digits: int) -> "Score":
        rates = {name: round(getattr(self, name), digits) for name in ("coverage", "top1", "top3", "mrr")}
        return replace(self, **rates)

    def as_json(self) -> dict:
        return {
            "n": self.n,
            "coverage": round(self.coverage, 4),
            "abstained": self.abstained,
            "exact": self.exact,
            "within": {str(k): count for k, count in self.within.items()},
            "floor": {str(k): round(rate, 4) for k, rate in self.floor.items()},
            "mean_distance": None if self.mean_distance is None else round(self.mean_distance, 4),
            "agent": self.agent,
            "top1": round(self.top1, 4),
            "top3": round(self.top3, 4),
            "mrr": round(self.mrr, 4),
            "category": self.category,
            "category_n": self.category_n,
        }


Pair = tuple[Gold, Answer]


def score(gold: Sequence[Gold], answers: Sequence[Answer]) -> Score:
    pairs = paired(gold, answers)
    labelled = sum(label.step is not None for label in gold)
    ranks = [rank(label, answer) for label, answer in pairs]
    distances = [abs(label.step - answer.step) for label, answer in pairs if _both(label, answer)]  # type: ignore[operator]
    n = len(pairs)
    return Score(
        n=n,
        coverage=n / labelled if labelled else 0.0,
        abstained=sum(answer.step is None for _, answer in pairs),
        exact=sum(distance == 0 for distance in distances),
        within={k: sum(distance <= k for distance in distances) for k in WITHIN},
        floor={k: _mean([chance_within(label, k) for label, _ in pairs]) for k in (0, *WITHIN)},
        mean_distance=fmean(distances) if distances else None,
        agent=sum(same_agent(label.participant, answer.participant) for label, answer in pairs),
        top1=_mean([found == 1 for found in ranks]),
        top3=_mean([found is not None and found <= 3 for found in ranks]),
        mrr=_mean([1 / found if found else 0.0 for found in ranks]),
        category=category_counts(both_named(pairs)),
        category_n=len(both_named(pairs)),
    )


def paired(gold: Sequence[Gold], answers: Sequence[Answer]) -> list[Pair]:
    """Labels that name a step, with the source's answer for the same run."""
    given = {answer.run: answer for answer in answers}
    return [(label, given[label.run]) for label in gold if label.step is not None and label.run in given]


def rank(label: Gold, answer: Answer) -> int | None:
    """The labelled step's place in the answer's order: the named step, the ranking, then all other steps as they
    stand in the run. That is also how the benchmark's board breaks ties of incomplete rankings and abstentions.
    None where a protocol that names one step named another."""
    if answer.names_one_step:
        return 1 if answer.step == label.step else None
    named = [] if answer.step is None else [answer.step]
    order = list(dict.fromkeys([*named, *answer.ranking]))
    if label.step in order:
        return order.index(label.step) + 1
    return len(order) + 1 + sum(position not in order for position in range(label.step or 0))


def chance_within(label: Gold, k: int) -> float:
    """That one blind guess, uniform over the run's steps, is at most k away from the labelled step."""
    first, last = max(0, (label.step or 0) - k), min(label.n_steps - 1, (label.step or 0) + k)
    return (last - first + 1) / label.n_steps


def same_agent(one: str, other: str) -> bool:
    """Case and notes in parentheses make no difference: `Orchestrator (-> WebSurfer)` is the orchestrator."""
    return bool(one) and participant(one).casefold() == participant(other).casefold()


def both_named(pairs: Sequence[Pair]) -> list[Pair]:
    return [(label, answer) for label, answer in pairs if answer.category and label.categories]


def category_counts(pairs: Sequence[Pair]) -> dict[str, int]:
    """Of pairs that name categories. By AgentRx's conventions: that of the critical failure, of any, of the earliest, of the last one."""
    tests: dict[str, Callable[[Gold, str], bool]] = {
        "critical": lambda label, told: told == label.category,
        "any": lambda label, told: told in label.categories,
        "earliest": lambda label, told: told == label.categories[0],
        "terminal": lambda label, told: told == label.categories[-1],
    }
    return {name: sum(test(label, answer.category) for label, answer in pairs) for name, test in tests.items()}


def over_runs(scores: Sequence[Score]) -> dict[str, dict[str, float | None]]:
    """Mean and population standard deviation over repeated runs of one model; one run has no deviation."""
    told = {}
    for name in ("top1", "top3", "mrr"):
        values = [getattr(each, name) for each in scores]
        told[name] = {"mean": _mean(values), "std": pstdev(values) if len(values) > 1 else None}
    shares = [each.exact / each.n if each.n else 0.0 for each in scores]
    told["exact"] = {"mean": _mean(shares), "std": pstdev(shares) if len(shares) > 1 else None}
    return told


def _both(label: Gold, answer: Answer) -> bool:
    return label.step is not None and answer.step is not None


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0
