"""What a source of violations is worth against labels: does it point at the critical step, and how often does it
point at all? Pure: ids, positions and categories in, counts out. Steps are 0-based positions.

A labelled run in which the source found nothing counts, and its critical step is not covered. Whether an alarm
elsewhere is a false one is not said: labels need not name every failure.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from suggestions.scoring import Gold


@dataclass(frozen=True, slots=True)
class Alarm:
    """A violation at a step; `categories` are those its constraint targets."""

    run: str
    step: int
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class AlarmScore:
    """Of `n` labels with a step in runs of `steps` steps, `alarms` of them with a violation, in `runs` of the runs.

    `covered` critical steps have one; `chance` is the share that as many alarms at steps drawn blindly would cover.
    `nameable` covered steps have a labelled category and a violation that targets some; `named` are those whose
    violations target the labelled one, be it beside others.
    """

    n: int
    runs: int
    steps: int
    alarms: int
    covered: int
    chance: float
    nameable: int
    named: int

    def as_json(self) -> dict:
        return {
            "n": self.n,
            "runs": self.runs,
            "steps": self.steps,
            "alarms": self.alarms,
            "alarms_per_100_steps": round(100 * self.alarms / self.steps, 4) if self.steps else None,
            "covered": self.covered,
            "share_covered": round(self.covered / self.n, 4) if self.n else None,
            "chance": round(self.chance, 4),
            "category": {"n": self.nameable, "named": self.named},
        }


def score_alarms(gold: Sequence[Gold], alarms: Iterable[Alarm]) -> AlarmScore:
    labelled = [label for label in gold if label.step is not None]
    targeted = _categories_by_step(alarms)
    covered = [label for label in labelled if label.step in targeted[label.run]]
    told = [(label.category, targeted[label.run][label.step]) for label in covered]  # type: ignore[index]
    nameable = [(category, targets) for category, targets in told if category and targets]
    return AlarmScore(
        n=len(labelled),
        runs=sum(bool(targeted[label.run]) for label in labelled),
        steps=sum(label.n_steps for label in labelled),
        alarms=sum(len(targeted[label.run]) for label in labelled),
        covered=len(covered),
        chance=fmean(len(targeted[label.run]) / label.n_steps for label in labelled) if labelled else 0.0,
        nameable=len(nameable),
        named=sum(category in targets for category, targets in nameable),
    )


def _categories_by_step(alarms: Iterable[Alarm]) -> dict[str, dict[int, set[str]]]:
    found: dict[str, dict[int, set[str]]] = defaultdict(dict)
    for alarm in alarms:
        found[alarm.run].setdefault(alarm.step, set()).update(alarm.categories)
    return found
