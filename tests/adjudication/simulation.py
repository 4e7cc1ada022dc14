"""Simulated annotators whose reliabilities are known, written before the figures were looked at.

A run has a length, a true critical step, a true category and a difficulty shared by the runs of its task. An annotator
knows the true step with the probability `knows`, less on difficult runs. Who does not know either takes the run's lure
(a plausible wrong step, the same for everybody: errors are correlated), slips by a few steps (near ones more often
than far ones), or guesses blindly among all steps.
"""

from dataclasses import dataclass, field

import numpy as np

from adjudication.judgements import ItemFacts, Judgement, Study

SEEDS = {"coverage": 20260, "closed form": 20261, "guessing": 20262, "population": 20263, "sets": 20264}
CATEGORIES = np.array(["adherence", "invention", "invocation", "misreading", "system"])
COMMON = np.array([0.4, 0.25, 0.15, 0.15, 0.05])
AGENTS = np.array(["planner", "surfer", "writer"])


@dataclass(frozen=True)
class World:
    """`knows` by annotator; `hard` is how much the most difficult run takes off it, as a share."""

    knows: tuple[float, ...] = (0.8, 0.7)
    hard: float = 0.6
    lure: float = 0.25  # of those who do not know
    slip: float = 0.35
    decay: float = 0.6  # a slip by one more step is this much as likely
    shortest: int = 5
    longest: int = 130
    runs_per_task: int = 2
    domains: tuple[str, ...] = ("web", "shop")
    marks: float = 0.75  # each true failure is seen with this probability times `knows`
    stray: float = 0.02  # and each other step marked with this one
    kinds: np.ndarray = field(default_factory=lambda: COMMON, compare=False)


def simulated(world: World, n_runs: int, random: np.random.Generator) -> Study:
    n_tasks = -(-n_runs // world.runs_per_task)
    task = np.repeat(np.arange(n_tasks), world.runs_per_task)[:n_runs]
    steps = np.exp(random.uniform(np.log(world.shortest), np.log(world.longest + 1), n_runs)).astype(int)
    truth, lure = random.integers(0, steps), random.integers(0, steps)
    kind = random.choice(len(CATEGORIES), n_runs, p=world.kinds)
    difficulty = random.beta(1.5, 3, n_tasks)[task]
    first = np.cumsum(steps) - steps  # where the steps of each run begin when all runs are laid end to end
    failing = failures(random, steps, first, truth)
    judgements = []
    for number, knows in enumerate(world.knows):
        sure = knows * (1 - world.hard * difficulty)
        position = positions(world, random, steps, truth, lure, sure)
        category = np.where(random.random(n_runs) < sure, kind, random.choice(len(CATEGORIES), n_runs, p=world.kinds))
        marks = marked(world, random, steps, first, failing, sure, position)
        judgements += [
            judged(run, f"r{number}", int(position[run]), str(CATEGORIES[category[run]]), marks[run])
            for run in range(n_runs)
        ]
    items = [
        ItemFacts(str(run), str(run), int(steps[run]), f"t{task[run]}", world.domains[task[run] % len(world.domains)])
        for run in range(n_runs)
    ]
    return Study.of(items, judgements)


def positions(world: World, random, steps, truth, lure, sure) -> np.ndarray:
    n = len(steps)
    near = truth + random.choice([-1, 1], n) * random.geometric(1 - world.decay, n)
    otherwise = random.random(n)
    guess = random.integers(0, steps)
    wrong = np.where(
        otherwise < world.lure, lure, np.where(otherwise < world.lure + world.slip, np.clip(near, 0, steps - 1), guess)
    )
    return np.where(random.random(n) < sure, truth, wrong)


def failures(random, steps, first, truth) -> np.ndarray:
    """Of every step whether it fails: the true critical one, and up to three others of the run."""
    run = np.repeat(np.arange(len(steps)), random.integers(0, 4, len(steps)))
    failing = np.zeros(steps.sum(), dtype=bool)
    failing[first + truth] = True
    failing[first[run] + random.integers(0, steps[run])] = True
    return failing


def marked(world: World, random, steps, first, failing, sure, position) -> list[frozenset[int]]:
    """The steps that somebody marks in each run: failures she sees, strays, and the critical step she names."""
    is_seen = random.random(len(failing)) < world.marks * np.repeat(sure, steps)
    is_marked = failing & is_seen | (random.random(len(failing)) < world.stray)
    is_marked[first + position] = True
    return [frozenset(np.flatnonzero(of_run).tolist()) for of_run in np.split(is_marked, first[1:])]


def judged(run: int, annotator: str, position: int, category: str, marks: frozenset[int]) -> Judgement:
    return Judgement(
        item_id=str(run),
        annotator=annotator,
        process="human",
        exhaustive=True,
        definition="first_unrecoverable",
        outcome="critical",
        critical_position=position,
        participant=str(AGENTS[position % len(AGENTS)]),
        category=category,
        failure_positions=marks,
    )


def know_or_guess(*knows: float) -> World:
    """Who does not know guesses blindly: then S of two annotators is exactly the product of their reliabilities."""
    return World(knows=knows, hard=0, lure=0, slip=0, runs_per_task=1)


def blind(n: int = 2) -> World:
    return know_or_guess(*[0.0] * n)


def figures_of(told: dict) -> dict[str, dict]:
    """The figures whose intervals are tested, by name."""
    step, sets = told["critical_step"], told["failure_steps"]
    found = {
        name: step[name]
        for name in ("percent", "chance_corrected", "alpha_relative", "alpha_nominal", "alpha_interval")
    }
    found |= {f"within {k}": step["within_percent"][k] for k in ("1", "3", "5")}
    found |= {
        f"{name} {number}": told[name][number]
        for name in ("agent", "category")
        for number in ("percent", "kappa", "alpha", "ac1")
    }
    return found | {"sets alpha": sets["alpha"], "sets masi": sets["masi"], "sets f1": sets["f1"]["1"]}
