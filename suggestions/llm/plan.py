"""What is asked of which model about a project's runs."""

from dataclasses import dataclass

from suggestions.llm.providers import ModelSettings

SYNTHESIS, SYNTHESIS_STEP_BY_STEP, LANGUAGE_CHECKS = "synthesis", "synthesis_step_by_step", "language_checks"
# In the order in which they are done: judges read what constraints found.
BEFORE_JUDGES = {
    SYNTHESIS: "write constraints, one request a run",
    SYNTHESIS_STEP_BY_STEP: "write constraints at every step",
    LANGUAGE_CHECKS: "evaluate language checks",
}
JUDGES = {
    "all_at_once": "judge: step and category at once",
    "all_at_once+checklist": "judge: at once, with the categories' questions",
    "all_at_once+violations": "judge: at once, with violations",
    "all_at_once+checklist+violations": "judge: at once, with questions and violations",
    "step_then_category": "judge: the step, then its category",
    "step_then_category+checklist": "judge: the step, then its category with questions",
    "step_then_category+violations": "judge: the step with violations, then its category",
    "step_then_category+checklist+violations": "judge: the step with violations, then its category with questions",
    "whowhen_all_at_once": "decisive error: all at once",
    "step_by_step": "decisive error: step by step",
    "binary_search": "decisive error: binary search",
}
TASKS = BEFORE_JUDGES | JUDGES
USUAL = (SYNTHESIS, LANGUAGE_CHECKS, "all_at_once+checklist+violations")


class UnknownTask(ValueError):
    def __init__(self, name: str):
        super().__init__(f"there is no task “{name}”; there are {', '.join(TASKS)}")


@dataclass(frozen=True)
class CategoryWords:
    name: str
    definition: str
    checklist: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """`run` tells repeated runs of one model apart; each is asked and paid for anew."""

    model: ModelSettings
    tasks: tuple[str, ...]
    categories: tuple[CategoryWords, ...]
    project: str = ""
    run: str = ""

    @property
    def judges(self) -> list[str]:
        return [task for task in self.tasks if task in JUDGES]

    @property
    def source_of_violations(self) -> str:
        """Violations and evaluations of one model and run, told apart from those of another."""
        return f"{self.model.name}/{self.run}" if self.run else self.model.name


def in_order(names: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Raises UnknownTask."""
    if unknown := [name for name in names if name not in TASKS]:
        raise UnknownTask(unknown[0])
    return tuple(name for name in TASKS if name in names)
