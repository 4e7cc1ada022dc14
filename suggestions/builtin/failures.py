"""What tools and environment answered when something went wrong, and what was claimed right after."""

import re

from suggestions.builtin.base import Builtin, quote
from suggestions.builtin.facts import BROWSERS, ENVIRONMENT, Facts
from suggestions.runs import RunStep

# Each pattern is one pass over the text; quantifiers are bounded. What a page is about is no error: the browser's
# transcript counts only where it speaks of itself.
ERROR = re.compile(
    r"^[^\S\n]*Error\b|Traceback \(most recent call last\)|exitcode: [1-9]|\b\w{1,60}(?:Error|Exception): |"
    r"Error processing publish message|command not found|Permission denied",
    re.MULTILINE,
)
TIMEOUT = re.compile(r"\btime[d]?[- ]?out\b|TimeoutError|exitcode: 124|deadline exceeded", re.IGNORECASE)
HTTP = re.compile(
    r"\b(?:HTTP|status(?: code)?|error|code)[ /:=]{0,3}(?:1\.1 )?([45]\d\d)\b|\b(404|403|500|502|503)[: -]{1,3}"
    r"(?:Not Found|Forbidden|Internal|Bad Gateway|Service)|\bpage not found\b|\bERR_[A-Z_]{3,40}",
    re.IGNORECASE,
)
BLOCKED = re.compile(
    r"captcha|are you (?:a )?(?:human|robot)|verify(?:ing)? (?:that )?you are (?:a )?human|Just a moment\.\.\.|"
    r"access (?:to this page )?(?:has been |is )?(?:denied|blocked|forbidden)|unusual traffic|"
    r"content[_ ](?:policy|filter)|sign in to (?:continue|confirm)|subscribe to (?:continue|read)|paywall",
    re.IGNORECASE,
)
SUCCESS = re.compile(
    r"\bsuccessful(?:ly)?\b|\bhas been (?:\w{1,20} )?(?:processed|updated|cancell?ed|modified|completed|exchanged|returned)"
    r"|\bis (?:now )?(?:done|complete|confirmed)\b|\bexecution succeeded\b|\bresults? (?:is|are) (?:correct|accurate)\b",
    re.IGNORECASE,
)
CODE = "```"
OWN_WORDS = 1500  # characters of a browser's transcript that tell what happened; the page follows


def observed(facts: Facts, step: RunStep) -> str:
    text = facts.observation(step)
    return text[:OWN_WORDS] if step.agent in BROWSERS else text


def observes(facts: Facts, step: RunStep) -> bool:
    return bool(observed(facts, step))


def finding(pattern: re.Pattern, what: str):
    def check(facts: Facts, step: RunStep) -> dict | None:
        text = observed(facts, step)
        found = pattern.search(text)
        if found is None:
            return None
        around = text[max(0, found.start() - 40) : found.end() + 100]
        return {"text": f"{what}: {quote(around)}", "match": found[0][:100]}

    return check


def is_an_error(facts: Facts, step: RunStep) -> bool:
    flagged = any(block.is_error for block in step.blocks)
    text = observed(facts, step)
    return flagged or bool(text and (ERROR.search(text) or TIMEOUT.search(text)))


def answer_to(facts: Facts, step: RunStep) -> RunStep | None:
    """The step in which this step's action is answered: the result of its call, the terminal's output of its code, or
    itself where one transcript tells both the action and what came of it."""
    calls = facts.calls.get(step.position)
    if calls:
        result = facts.result_of(calls[0])
        return facts.steps[result.position] if result else None
    if step.agent in BROWSERS:
        return step
    following = facts.steps[step.position + 1] if step.position + 1 < len(facts.steps) else None
    if following is not None and following.agent in ENVIRONMENT and CODE in step.text:
        return following
    return None


def is_answered(facts: Facts, step: RunStep) -> bool:
    return answer_to(facts, step) is not None


def fails(facts: Facts, step: RunStep) -> dict | None:
    answer = answer_to(facts, step)
    if answer is None or not is_an_error(facts, answer):
        return None
    return {"text": f"The answer to this action is an error: {quote(observed(facts, answer))}", "step": answer.position}


def follows_an_error(facts: Facts, step: RunStep) -> bool:
    return step.position > 0 and facts.is_by_an_agent(step) and is_an_error(facts, facts.steps[step.position - 1])


def claims_success(facts: Facts, step: RunStep) -> dict | None:
    found = SUCCESS.search(step.spoken)
    if found is None or step.position in facts.calls:
        return None
    before = facts.steps[step.position - 1]
    told = f"“{quote(found[0])}” is said right after an error: {quote(observed(facts, before))}"
    return {"text": told, "step": before.position}


FAILURES = (
    Builtin(
        "action_succeeds",
        "RELATIONAL_POST",
        ("InvalidInvocation", "SystemFailure"),
        "The answer to a call, or to code that is run, is no error.",
        is_answered,
        fails,
    ),
    Builtin(
        "result_is_in_time",
        "RELATIONAL_POST",
        ("SystemFailure",),
        "A tool or page answers before the time is out.",
        observes,
        finding(TIMEOUT, "The time ran out"),
    ),
    Builtin(
        "page_is_there",
        "RELATIONAL_POST",
        ("SystemFailure",),
        "A request is not answered with a 4xx or 5xx status.",
        observes,
        finding(HTTP, "The request failed"),
    ),
    Builtin(
        "access_is_allowed",
        "RELATIONAL_POST",
        ("GuardrailsTriggered",),
        "The agent is not kept out by a captcha, a log-in, a paywall or a content filter.",
        observes,
        finding(BLOCKED, "Access was blocked"),
    ),
    Builtin(
        "no_success_after_error",
        "RELATIONAL_POST",
        ("MisinterpretationOfToolOutput",),
        "Success is not claimed right after an error.",
        follows_an_error,
        claims_success,
    ),
)
