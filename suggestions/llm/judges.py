"""Judges: AgentRx's (all at once; step, then category) and Who&When's (all at once, step by step, binary search)."""

from dataclasses import dataclass, field

from suggestions.llm import prompts, shapes
from suggestions.llm.plan import CategoryWords
from suggestions.llm.questions import Answer
from suggestions.llm.subject import Subject
from suggestions.models import Violation

MOST_VIOLATIONS = 40
LONGEST_REASON = 4_000
INCONCLUSIVE = "Inconclusive"


@dataclass
class Judged:
    """Positions, not numbers. Without a step it is an abstention; `raw["outcome"]` says of which kind."""

    step: int | None = None
    participant: str = ""
    category: str = ""
    ranking: list[int] = field(default_factory=list)
    reason: str = ""
    raw: dict = field(default_factory=dict)


def judge(subject: Subject, protocol: str) -> Judged:
    name, *options = protocol.split("+")
    return METHODS[name](subject, protocol, frozenset(options))


def all_at_once(subject: Subject, protocol: str, options: frozenset[str]) -> Judged:
    answer, note = subject.ask(
        protocol,
        prompts.ALL_AT_ONCE,
        shapes.ALL_AT_ONCE,
        {"reason": "", "critical_step": None, "category": ""},
        check=lambda value: subject.fault_of_step(value["critical_step"]),
        categories=in_words(subject.plan.categories, "checklist" in options),
        violations=violations_of(subject) if "violations" in options else "",
    )
    return _judged(subject, answer, note)


def step_then_category(subject: Subject, protocol: str, options: frozenset[str]) -> Judged:
    """The category is asked for with the step given, and without violations."""
    answer, note = subject.ask(
        protocol,
        prompts.CRITICAL_STEP,
        shapes.CRITICAL_STEP,
        {"reason": "", "critical_step": subject.run.steps[-1].number},
        check=lambda value: subject.fault_of_step(value["critical_step"]),
        violations=violations_of(subject) if "violations" in options else "",
    )
    judged = _judged(subject, answer, note)
    if judged.step is None:
        return judged
    second, _ = subject.ask(
        protocol,
        prompts.CATEGORY,
        shapes.CATEGORY,
        {"category": ""},
        output_tokens=100,
        step=subject.run.steps[judged.step].number,
        categories=in_words(subject.plan.categories, "checklist" in options),
    )
    judged.category = _text(second.value, "category", 200)
    judged.raw["category_reason"] = _text(second.value, "category_reason", LONGEST_REASON)
    return judged


def decisive_error(subject: Subject, protocol: str, options: frozenset[str]) -> Judged:
    answer, note = subject.ask(
        protocol,
        prompts.DECISIVE_ERROR,
        shapes.CRITICAL_STEP,
        {"reason": "", "critical_step": None},
        check=lambda value: subject.fault_of_step(value["critical_step"]),
    )
    return _judged(subject, answer, note)


def step_by_step(subject: Subject, protocol: str, options: frozenset[str]) -> Judged:
    """Asked of each step in turn, with the run shown up to it, until one is said to be it."""
    for step in subject.run.steps:
        answer, note = subject.ask(
            protocol,
            prompts.IS_DECISIVE,
            shapes.IS_DECISIVE,
            {"decisive": False},
            last=step.position,
            output_tokens=80,
            step=step.number,
        )
        if answer.value is None:
            return Judged(raw={"outcome": answer.outcome})
        if answer["decisive"]:
            return _named(answer, note, step.position, _text(answer.value, "participant", 200) or step.agent)
    return Judged(raw={"outcome": "answered"}, reason="No step was said to be the decisive error.")


def binary_search(subject: Subject, protocol: str, options: frozenset[str]) -> Judged:
    steps, low, high = subject.run.steps, 0, len(subject.run.steps) - 1
    answer, note = Answer({"reason": "The run has one step."}), ""
    while low < high:
        middle = (low + high) // 2
        answer, note = subject.ask(
            protocol,
            prompts.WHICH_HALF,
            shapes.WHICH_HALF,
            {"half": "first"},
            first=low,
            last=high,
            output_tokens=60,
            middle=steps[middle].number,
            after=steps[middle + 1].number,
            first_step=steps[low].number,
            last_step=steps[high].number,
        )
        if answer.value is None:
            return Judged(raw={"outcome": answer.outcome})
        low, high = (low, middle) if answer["half"] == "first" else (middle + 1, high)
    return _named(answer, note, low, steps[low].agent)


METHODS = {
    "all_at_once": all_at_once,
    "step_then_category": step_then_category,
    "whowhen_all_at_once": decisive_error,
    "step_by_step": step_by_step,
    "binary_search": binary_search,
}


def in_words(categories: tuple[CategoryWords, ...], with_questions: bool) -> str:
    lines = ["The categories of failures:"]
    for category in categories:
        lines.append(f"- {category.name}: {category.definition}")
        lines += [f"  - {question}" for question in category.checklist if with_questions]
    if with_questions:
        lines.append("Answer the questions of each category for the critical step before you choose one.")
    return "\n".join([*lines, f"- {INCONCLUSIVE}: only where none of them fits."]) + "\n\n"


def violations_of(subject: Subject) -> str:
    """What constraints found in this run: hints of a machine, for another machine."""
    sources = ["", subject.plan.source_of_violations]
    rows = (
        Violation.objects.standing()
        .filter(trajectory=subject.trajectory, run__in=sources)
        .select_related("constraint")
        .order_by("step", "constraint__name")[:MOST_VIOLATIONS]
    )
    numbers = {step.position: step.number for step in subject.run.steps}
    lines = [f"- step {numbers[row.step]}: {row.constraint.name}. {_first_line(row.evidence)}" for row in rows]
    if not lines:
        return ""
    intro = (
        "Automatic checks found these violations. They are hints: most are harmless, and they may miss what matters."
    )
    return "\n".join([intro, *lines]) + "\n\n"


def _first_line(evidence: dict) -> str:
    return " ".join(str(evidence.get("text", "")).split())[:200]


def _judged(subject: Subject, answer: Answer, note: str) -> Judged:
    if answer.value is None:
        return Judged(raw={"outcome": answer.outcome} | ({"note": note} if note else {}))
    value, numbers = answer.value, subject.run.numbers
    cited = subject.positions(value.get("cited_steps"))
    step = numbers.get(value["critical_step"])
    ranking = subject.positions(value.get("ranking"))
    if step is not None and ranking:
        ranking = list(dict.fromkeys([step, *ranking]))
    raw: dict = {
        "outcome": "answered",
        "cited_steps": cited,
        "category_reason": _text(value, "category_reason", LONGEST_REASON),
    }
    raw |= {"note": note} if note else {}
    raw |= {"cites_no_step": True} if not cited else {}
    return Judged(
        step=step,
        participant=_text(value, "participant", 200),
        category=_text(value, "category", 200),
        ranking=ranking[:20],
        reason=_text(value, "reason", LONGEST_REASON),
        raw=raw,
    )


def _named(answer: Answer, note: str, position: int, participant: str) -> Judged:
    raw = {"outcome": "answered", "cited_steps": [position]} | ({"note": note} if note else {})
    return Judged(position, participant, reason=_text(answer.value, "reason", LONGEST_REASON), raw=raw)


def _text(value: dict | None, key: str, longest: int) -> str:
    found = (value or {}).get(key)
    return found.strip()[:longest] if isinstance(found, str) else ""
