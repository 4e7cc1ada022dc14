"""A name and a definition for codes that may belong together. What comes back is a wish for a person to judge."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from suggestions.llm import prompts, shapes
from suggestions.llm.asking import Live
from suggestions.llm.bill import Bill
from suggestions.llm.errors import ContextTooLong, ModelError
from suggestions.llm.parallel import in_threads
from suggestions.llm.providers import ModelSettings
from suggestions.llm.questions import Question
from suggestions.llm.subject import MARGIN
from suggestions.llm.tokens import estimated_text

NAMING = "naming"  # the purpose of its calls
FAILURES_SHOWN = (5, 3, 1, 0)  # of each code, tried in this order
LONGEST_REASON, LONGEST_STEP, LONGEST_DEFINITION = 600, 400, 2_000
MOST_OF_A_NAME, MOST_OF_A_REASON = 200, 1_500


@dataclass(frozen=True)
class FailureWords:
    """What its annotator wrote, and the beginning of its step."""

    reason: str
    step: str


@dataclass(frozen=True)
class CodeWords:
    name: str
    definition: str
    failures: tuple[FailureWords, ...] = ()


@dataclass(frozen=True)
class Material:
    """`known` are categories that exist, `declined` earlier names with what a lead answered to them."""

    codes: tuple[CodeWords, ...]
    known: tuple[str, ...] = ()
    declined: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Name:
    name: str
    definition: str
    reason: str
    do_not_belong: tuple[int, ...]  # positions of codes


@dataclass(frozen=True)
class Named:
    """Without a name, `why` says why there is none."""

    name: Name | None
    why: str
    bill: Bill


def name_for(*, model: ModelSettings, project: str, material: Material, progress: Callable[[int, int], None]) -> Named:
    """One question to the model, from the cache where the same was answered before."""
    stop = threading.Event()
    asker = Live(model, project=project, run="", stop=stop)
    ((_, answer),) = in_threads(
        [material],
        lambda each: asker.ask(question_about(each, model), None),
        workers=1,
        stop=stop,
        tick=lambda done: progress(done, 1),
    )
    if isinstance(answer, ModelError):
        return Named(None, str(answer), asker.bill)
    if isinstance(answer, Exception):
        raise answer
    if answer.value is None:
        return Named(None, f"the model's answer was {answer.outcome}", asker.bill)
    return Named(name_in(answer.value), "", asker.bill)


def question_about(material: Material, model: ModelSettings) -> Question:
    """Raises ContextTooLong where not even the codes' own words fit."""
    room = int(MARGIN * model.context) - model.max_output
    for shown in FAILURES_SHOWN:
        text, mark = delimited(material, shown)
        system, user = prompts.NAMING.filled(material=text, mark=mark)
        if estimated_text(system + user) <= room:
            sample = {"reason": "", "name": "", "definition": ""}
            return Question(NAMING, prompts.NAMING, system, user, shapes.NAMING, sample, checks(material))
    raise ContextTooLong("the codes are more than what the model reads; choose fewer")


def checks(material: Material) -> Callable[[dict], str | None]:
    taken = {name.casefold() for name in (*material.known, *(name for name, _ in material.declined))}

    def fault(value: dict) -> str | None:
        name = one_line(value["name"])
        if not 1 <= len(name) <= MOST_OF_A_NAME:
            return f"the name has to have 1 to {MOST_OF_A_NAME} characters"
        if name.casefold() in taken:
            return "the name is one that exists or was declined"
        if not value["definition"].strip() or not value["reason"].strip():
            return "the definition and the reason must not be empty"
        if any(not 1 <= number <= len(material.codes) for number in value.get("do_not_belong", ())):
            return f"the codes are numbered 1 to {len(material.codes)}"
        return None

    return fault


def name_in(value: dict) -> Name:
    return Name(
        name=one_line(value["name"]),
        definition=value["definition"].strip()[:LONGEST_DEFINITION],
        reason=value["reason"].strip()[:MOST_OF_A_REASON],
        do_not_belong=tuple(sorted({number - 1 for number in value.get("do_not_belong", ())})),
    )


def delimited(material: Material, failures: int) -> tuple[str, str]:
    """The material, each part after a line that no text in it can forge, and the mark that begins these lines."""
    parts = list(parts_of(material, failures))
    mark = hashlib.sha256("\n".join(text for _, text in parts).encode("utf-8", "replace")).hexdigest()[:10]
    return "\n".join([*(f"=== {mark} {head}\n{text}" for head, text in parts), f"=== {mark} end"]), mark


def parts_of(material: Material, failures: int) -> Iterator[tuple[str, str]]:
    if material.known:
        yield "categories that exist", "\n".join(f"- {one_line(name)}" for name in material.known)
    if material.declined:
        answers = (f"- {one_line(name)}: {one_line(answer)}" for name, answer in material.declined)
        yield "names that were declined, and why", "\n".join(answers)
    for number, code in enumerate(material.codes, start=1):
        yield f"code {number}", "\n".join(lines_of(code, failures))


def lines_of(code: CodeWords, failures: int) -> Iterator[str]:
    yield one_line(code.name)
    if code.definition:
        yield code.definition[:LONGEST_DEFINITION]
    for each in code.failures[:failures]:
        yield f"- failure: {one_line(each.reason)[:LONGEST_REASON]}"
        if each.step:
            yield f"  step: {one_line(each.step)[:LONGEST_STEP]}"


def one_line(text: str) -> str:
    return " ".join(text.split())
