from annotate.fold import State
from annotate.protocols.base import Given, Problem, Protocol, Question


class Attribution(Protocol):
    """Every failure of a whole run, then the critical one: the first whose effect persists into the wrong outcome."""

    name = "attribution"
    title = "Attribution"
    layers = ("task", "outcome")
    optional_layers = ("user_script", "expected")
    questions = (
        Question("fails", "step", "Does a failure start at this step?"),
        Question("outcome", "run", "Is there a failure whose effect persists into the wrong outcome?"),
        Question("critical_step", "run", "At which step is the first such failure, by any participant?"),
        Question("critical_participant", "run", "Which participant made it?"),
        Question("critical_category", "run", "Of what kind is it?"),
    )

    def answers(self, state: State) -> list[Given]:
        answers = state["answers"]
        given = [Given(f"step:{step}", "fails", True) for step in failure_steps(state)]
        if not answers["outcome"]:
            return given
        given.append(Given("run", "outcome", answers["outcome"], answers["confidence"]))
        critical = state["failures"].get(answers["critical"])
        if critical is None:
            return given
        why = answers["reason_for_root_cause"]
        if critical["first_step"] is not None:  # anchored to the task, the policy or the tools it has none
            given.append(Given("run", "critical_step", critical["first_step"], answers["confidence"], why))
        given.append(Given("run", "critical_participant", critical["participant"]))
        if category_said(critical):
            given.append(Given("run", "critical_category", category_said(critical), None, critical["category_reason"]))
        return given

    def problems(self, state: State, *, is_closed: bool) -> list[Problem]:
        return [*contradictions(state), *missing(state), *(without_category(state) if is_closed else ())]


def category_said(failure: dict) -> str:
    return failure["category"] or ("none_fits" if failure["none_fits"] else "")


def failure_steps(state: State) -> list[int]:
    steps = {each["first_step"] for each in state["failures"].values() if each["first_step"] is not None}
    return sorted(steps)


def missing(state: State) -> list[Problem]:
    answers = state["answers"]
    found = []
    if not answers["outcome"]:
        found.append(Problem("no_outcome", "Say which failure is critical, or why there is none.", blocks=True))
    if answers["outcome"] == "critical" and answers["critical"] is None:
        found.append(Problem("no_critical", "Choose the critical failure among your marks.", blocks=True))
    if answers["critical"] and not answers["reason_for_root_cause"].strip():
        found.append(Problem("no_reason", "Say why this failure is the critical one.", blocks=True))
    for key, failure in state["failures"].items():
        if not failure["step_reason"].strip():
            found.append(Problem("no_step_reason", f"F{failure['number']} says nothing about why.", failure=key))
        if not failure["effect"]:
            found.append(Problem("no_effect", f"F{failure['number']} has no effect yet.", failure=key))
    return found


def without_category(state: State) -> list[Problem]:
    return [
        Problem("no_category", f"F{failure['number']} has no category yet; say one, or that none fits.", failure=key)
        for key, failure in state["failures"].items()
        if not category_said(failure)
    ]


def contradictions(state: State) -> list[Problem]:
    answers, failures = state["answers"], state["failures"]
    found = []
    critical = failures.get(answers["critical"])
    if critical and critical["effect"] in {"recovered", "harmless"}:
        text = f"F{critical['number']} is critical and {critical['effect']}: one of the two is wrong."
        found.append(Problem("critical_recovered", text, blocks=True, failure=answers["critical"]))
    if answers["outcome"] == "no_failure" and failures:
        found.append(Problem("marks_without_failure", "“No failure found” with marks: remove them.", blocks=True))
    persisting = [each for each in failures.values() if each["effect"] == "persists"]
    if answers["outcome"] == "all_recovered_or_harmless" and persisting:
        text = f"F{persisting[0]['number']} persists, yet all are said to be recovered or harmless."
        found.append(Problem("one_persists", text, blocks=True))
    for key, failure in failures.items():
        found += order_problems(key, failure, failures)
    return found


def order_problems(key: str, failure: dict, failures: dict[str, dict]) -> list[Problem]:
    found = []
    cause = failures.get(failure["cause"])
    start = failure["first_step"]
    if cause and None not in (start, cause["first_step"]) and cause["first_step"] > start:
        text = f"F{failure['number']} comes before its cause F{cause['number']}."
        found.append(Problem("cause_later", text, blocks=True, failure=key))
    if start is not None and failure["recovered_at"] is not None and failure["recovered_at"] < start:
        text = f"F{failure['number']} is recovered before it happens."
        found.append(Problem("recovered_earlier", text, blocks=True, failure=key))
    return found
