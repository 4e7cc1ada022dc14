"""Does what is promised fit the data, the policy and the task?"""

import re
from typing import Any

from suggestions.builtin.base import Builtin, quote
from suggestions.builtin.facts import Facts
from suggestions.runs import RunStep

COUNTED = re.compile(
    r"\b(\d{1,4})\s+(?:[\w-]{1,20}\s+){0,3}?(options|items|orders|variants|products|results|choices|flights|reservations|"
    r"types|entries|rows)\b",
    re.IGNORECASE,
)
LIST_LINE = re.compile(r"^\s{0,6}(\d{1,3})[.)]\s", re.MULTILINE)
PROMISED_LIST = re.compile(r"\b(\d{1,3})\s+(?:\w{1,20}\s+){0,4}?\w{1,30}:\s*$", re.MULTILINE)
WRITES = re.compile(
    r"^(?:cancel|modify|update|return|exchange|book|delete|remove|create|send|pay|refund|transfer_money|place|set|edit)_",
    re.IGNORECASE,
)
CONFIRMATION_ASKED = re.compile(r"\bconfirm", re.IGNORECASE)
YES = re.compile(
    r"\b(?:yes|yeah|yep|yup|sure|ok(?:ay)?|confirm(?:ed|s)?|correct|right|go ahead|proceed|please do|do it|"
    r"let['’]?s do|sounds good|that works|works for me|perfect|absolutely|definitely|go for|fine|great|please|process (?:it|the))\b",
    re.IGNORECASE,
)
ONE_CALL = re.compile(r"at most (?:make )?one tool call|one tool call at a time", re.IGNORECASE)
FINAL = re.compile(r"FINAL ANSWER:?\s{0,9}\S|(?<![\"“])\bTERMINATE\b(?![\"”])|\b[Ff]inal answer\b|\bterminate the c")


def sizes(value: Any, depth: int = 0) -> set[int]:
    """How many of anything the data shows: lengths of lists and objects, and how many entries say they are available."""
    if depth > 8 or not isinstance(value, dict | list):
        return set()
    inner = list(value.values()) if isinstance(value, dict) else value
    found = {len(value)}
    flags = [item["available"] for item in inner if isinstance(item, dict) and isinstance(item.get("available"), bool)]
    if flags:
        found |= {sum(flags), len(flags) - sum(flags)}
    return found.union(*(sizes(item, depth + 1) for item in inner))


def numbers(value: Any, depth: int = 0) -> set[int]:
    if isinstance(value, bool) or depth > 8:
        return set()
    if isinstance(value, int):
        return {value}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*(numbers(item, depth + 1) for item in inner))


def counts_from_data(facts: Facts, step: RunStep) -> bool:
    if not facts.is_by_an_agent(step) or not COUNTED.search(step.spoken):
        return False
    return any(isinstance(result.value, dict | list) for result in facts.results_before(step.position)[-3:])


def wrong_count(facts: Facts, step: RunStep) -> dict | None:
    latest = [result for result in facts.results_before(step.position) if isinstance(result.value, dict | list)][-6:]
    known = set().union(*(sizes(result.value) | numbers(result.value) for result in latest))
    said_before = facts.said_by_the_user_before(step.position)
    for found in COUNTED.finditer(step.spoken):
        count = int(found[1])
        if count > 1 and count not in known and found[1] not in said_before:
            return {
                "text": f"“{quote(found[0])}”, but the data read before shows no {count} of anything.",
                "count": count,
            }
    return None


def promises_a_list(facts: Facts, step: RunStep) -> bool:
    return facts.is_by_an_agent(step) and bool(_promised(step.spoken))


def short_list(facts: Facts, step: RunStep) -> dict | None:
    promised, listed = _promised(step.spoken)[0]
    if promised == listed:
        return None
    return {"text": f"{promised} are announced and {listed} are listed.", "count": promised, "listed": listed}


def _promised(text: str) -> list[tuple[int, int]]:
    """(announced, listed) where a line that ends in a colon announces a number and a numbered list follows at once."""
    found = []
    for announced in PROMISED_LIST.finditer(text):
        after = text[announced.end() :].lstrip("\n")
        first = LIST_LINE.match(after)
        if first and first[1] == "1":
            found.append((int(announced[1]), _length_of_list(after)))
    return found


def _length_of_list(text: str) -> int:
    length = 0
    for line in LIST_LINE.finditer(text):
        if int(line[1]) != length + 1:
            break
        length += 1
    return length


def writes_under_a_policy(facts: Facts, step: RunStep) -> bool:
    calls = facts.calls.get(step.position, ())
    return any(WRITES.match(call.tool) for call in calls) and bool(CONFIRMATION_ASKED.search(facts.run.policy))


def unconfirmed(facts: Facts, step: RunStep) -> dict | None:
    said = facts.said_by_the_user_before(step.position)
    if YES.search(said):
        return None
    tool = next(call.tool for call in facts.calls[step.position] if WRITES.match(call.tool))
    return {"text": f"{tool} changes something, and the user last said: {quote(said) or '(nothing)'}", "tool": tool}


def calls_one_at_a_time(facts: Facts, step: RunStep) -> bool:
    return step.position in facts.calls and bool(ONE_CALL.search(facts.run.policy))


def calls_and_talks(facts: Facts, step: RunStep) -> dict | None:
    calls = facts.calls[step.position]
    if len(calls) > 1:
        return {"text": f"{len(calls)} tools are called at once; the policy allows one call at a time."}
    if step.spoken.strip():
        return {"text": f"The step calls {calls[0].tool} and speaks to the user as well: {quote(step.spoken)}"}
    return None


def is_the_last(facts: Facts, step: RunStep) -> bool:
    return step.position == len(facts.steps) - 1


def no_final_answer(facts: Facts, step: RunStep) -> dict | None:
    """Where people converse, the last words are theirs; elsewhere somebody must have closed the run with an answer."""
    if step.agent in ("User", "Tool") or facts.results:
        return None if step.text.strip() else {"text": "The run ends without a word."}
    closing = "\n".join(s.text for s in facts.steps[-2:])
    if FINAL.search(closing):
        return None
    return {"text": f"The run ends without a final answer: {quote(step.text) or '(empty)'}"}


PROMISES = (
    Builtin(
        "count_fits_data",
        "RELATIONAL_POST",
        ("MisinterpretationOfToolOutput",),
        "A number of items told to the user is one the data shows.",
        counts_from_data,
        wrong_count,
    ),
    Builtin(
        "list_is_complete",
        "RELATIONAL_POST",
        ("MisinterpretationOfToolOutput",),
        "As many entries are listed as were announced.",
        promises_a_list,
        short_list,
    ),
    Builtin(
        "write_is_confirmed",
        "PROTOCOL",
        ("Instruction/PlanAdherenceFailure",),
        "An action that changes something follows the user's consent, where the policy asks for it.",
        writes_under_a_policy,
        unconfirmed,
    ),
    Builtin(
        "one_call_at_a_time",
        "PROTOCOL",
        ("Instruction/PlanAdherenceFailure",),
        "One tool is called at a time and nothing said beside it, where the policy asks for it.",
        calls_one_at_a_time,
        calls_and_talks,
    ),
    Builtin(
        "final_answer_is_given",
        "PROTOCOL",
        ("Instruction/PlanAdherenceFailure", "SystemFailure"),
        "The run ends with an answer.",
        is_the_last,
        no_final_answer,
    ),
)
