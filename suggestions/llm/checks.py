"""Language checks: statements that a model judges by a rubric, at the steps where their trigger fires."""

from collections.abc import Iterator
from dataclasses import dataclass

from suggestions.constraints import as_run
from suggestions.llm import prompts, shapes
from suggestions.llm.questions import Answer
from suggestions.llm.subject import Subject
from suggestions.models import Constraint
from suggestions.python_checks import Prepared
from suggestions.sandbox import CannotRun
from suggestions.verdicts import Result, Verdict

PAIRS_PER_QUESTION = 24  # (statement, step) pairs
MOST_PAIRS = 144  # of one run
MOST_CRITERIA = 6
UNCLEAR, FAIL = "UNCLEAR", "CLEAR_FAIL"
# What a rehearsal takes for the checks of constraints that are still to be written.
EXPECTED = (
    "C1 (at steps 2, 4, 6): Something the policy demands holds at this step.\n   - Is it said in the record?\n" * 3
)


@dataclass(frozen=True)
class Pair:
    """`mark` stands for the constraint in the question: names may repeat, and come from outside."""

    mark: str
    constraint: Constraint
    step: int


def check_language(subject: Subject, constraints: list[Constraint]) -> Iterator[Result]:
    """One result per statement and step, named by the constraint's key."""
    pairs, troubles = _pairs(subject, constraints)
    yield from troubles
    for start in range(0, min(len(pairs), MOST_PAIRS), PAIRS_PER_QUESTION):
        yield from _checked(subject, pairs[start : start + PAIRS_PER_QUESTION])
    for pair in pairs[MOST_PAIRS:]:
        yield _not_evaluated(pair, f"a run is checked at {MOST_PAIRS} places at most")


def rehearse_language(subject: Subject) -> None:
    _ask(subject, EXPECTED)


def _pairs(subject: Subject, constraints: list[Constraint]) -> tuple[list[Pair], list[Result]]:
    prepared, pairs, troubles = Prepared(subject.run), [], []
    for number, constraint in enumerate(constraints, start=1):
        try:
            steps = as_run(constraint).steps_asked(prepared)
        except CannotRun as error:
            troubles.append(Result(0, str(constraint.pk), Verdict.NOT_EVALUATED, why=f"the trigger: {error}"))
            continue
        pairs += [Pair(f"C{number}", constraint, step) for step in steps]
    return pairs, troubles


def _checked(subject: Subject, pairs: list[Pair]) -> Iterator[Result]:
    answer, _ = _ask(subject, _in_words(subject, pairs))
    if answer.value is None:
        yield from (_not_evaluated(pair, f"the model's answer was {answer.outcome}") for pair in pairs)
        return
    told = {(given["check"], given["step"]): given for given in answer["results"]}
    for pair in pairs:
        given = told.get((pair.mark, subject.run.steps[pair.step].number))
        if given is None:
            yield _not_evaluated(pair, "the model said nothing about it")
        else:
            yield _verdict(subject, pair, given)


def _ask(subject: Subject, checks: str) -> tuple[Answer, str]:
    return subject.ask(
        "language_checks",
        prompts.LANGUAGE_CHECKS,
        shapes.CHECKS,
        {"results": []},
        output_tokens=600,
        checks=checks,
    )


def _verdict(subject: Subject, pair: Pair, given: dict) -> Result:
    """Criteria that the record does not settle are left out; one clear failure among the rest is a violation."""
    clear = [criterion for criterion in given["rubric"] if criterion["evaluation"] != UNCLEAR]
    if not clear:
        return _not_evaluated(pair, "no criterion could be settled")
    failed = [criterion for criterion in clear if criterion["evaluation"] == FAIL]
    if not failed:
        return Result(pair.step, str(pair.constraint.pk), Verdict.SATISFIED)
    cited = subject.positions(given.get("cited_steps"))
    evidence: dict = {
        "text": str(given.get("reason") or failed[0].get("reasoning") or pair.constraint.hint)[:1_000],
        "rubric": [{key: str(value)[:500] for key, value in criterion.items()} for criterion in given["rubric"][:12]],
        "cited_steps": cited,
    }
    evidence |= {} if cited else {"cites_no_step": True}
    return Result(pair.step, str(pair.constraint.pk), Verdict.VIOLATED, evidence)


def _in_words(subject: Subject, pairs: list[Pair]) -> str:
    steps: dict[str, list[Pair]] = {}
    for pair in pairs:
        steps.setdefault(pair.mark, []).append(pair)
    return "\n".join(_statement(subject, mark, group) for mark, group in steps.items())


def _statement(subject: Subject, mark: str, pairs: list[Pair]) -> str:
    constraint = pairs[0].constraint
    numbers = ", ".join(str(subject.run.steps[pair.step].number) for pair in pairs)
    lines = [f"{mark} (at steps {numbers}): {_line(constraint.hint or constraint.name)}"]
    return "\n".join([*lines, *(f"   - {criterion}" for criterion in _criteria(constraint))])


def _criteria(constraint: Constraint) -> list[str]:
    rubric = constraint.check_body.get("judge_rubric")
    listed = rubric if isinstance(rubric, list) else []
    words = [
        item if isinstance(item, str) else item.get("criterion") for item in listed if isinstance(item, str | dict)
    ]
    return [_line(each) for each in words if isinstance(each, str)][:MOST_CRITERIA] or ["Does this hold at the step?"]


def _line(text: str) -> str:
    return " ".join(text.split())[:500]


def _not_evaluated(pair: Pair, why: str) -> Result:
    return Result(pair.step, str(pair.constraint.pk), Verdict.NOT_EVALUATED, why=why)
