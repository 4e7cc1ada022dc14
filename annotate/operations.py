"""What an annotator can do to a draft, checked against the run and turned into a patch. Pure; no queries."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from annotate.fold import ANSWERS, FAILURE, Patch, State, new_failure

MAX_TEXT = 20_000
MAX_FAILURES = 500
SUGGESTION = re.compile(r"(violation|judgement):([0-9]{1,18})", re.ASCII)
ANCHORS = {"step", "range", "task", "policy", "tools"}
EFFECTS = {"", "recovered", "harmless", "persists", "unknown"}
OUTCOMES = {"", "critical", "all_recovered_or_harmless", "no_failure", "cannot_tell"}
EDITABLE = set(FAILURE) - {"number", "suggested_by"}
MAX_REASON = 500


class Refused(Exception):
    """An operation that would make the annotation wrong; says which field and what was expected."""

    def __init__(self, message: str, field: str = ""):
        super().__init__(message)
        self.message, self.field = message, field


@dataclass(frozen=True)
class Facts:
    """What operations are checked against: the length of the run and the categories of the taxonomy version."""

    n_steps: int
    categories: frozenset[str]


def patch_of(state: State, op: str, payload: Any, facts: Facts) -> Patch:
    """The patch of an operation, or Refused. Undo, redo and submit are the log's business, not this one's."""
    if op not in OPERATIONS:
        raise Refused(f"“{op}” is no operation; expected one of {', '.join(sorted(OPERATIONS))}", "op")
    if not isinstance(payload, dict):
        raise Refused("the payload has to be an object", "payload")
    return OPERATIONS[op](state, payload, facts)


def mark(state: State, payload: dict, facts: Facts) -> Patch:
    key = new_key(state, payload.get("failure"))
    fields = cleaned(payload.get("fields"), facts)
    number = 1 + max((each["number"] for each in state["failures"].values()), default=0)
    failure = settled(new_failure(**fields, number=number), key, state, facts)
    return {"failures": {key: failure}}


def change(state: State, payload: dict, facts: Facts) -> Patch:
    fields = cleaned(payload.get("fields"), facts)
    patch = {}
    for key in known_keys(state, payload.get("failures")):
        before = state["failures"][key]
        after = settled({**before, **fields}, key, state, facts)
        patch[key] = {name: value for name, value in after.items() if value != before[name]}
    return {"failures": patch}


def remove(state: State, payload: dict, facts: Facts) -> Patch:
    """Takes a mark away, and with it what pointed at it: causes, repeats, and the choice of it as critical."""
    (key,) = known_keys(state, [payload.get("failure")])
    patch: Patch = {"failures": {key: None}}
    for other, failure in state["failures"].items():
        pointers = {name: None for name in ("cause", "repeats") if failure[name] == key}
        if other != key and pointers:
            patch["failures"][other] = pointers
    if state["answers"]["critical"] == key:
        patch["answers"] = {"critical": None, "outcome": ""}
    return patch


def conclude(state: State, payload: dict, facts: Facts) -> Patch:
    fields = payload.get("fields")
    if not isinstance(fields, dict):
        raise Refused("expected an object of answers", "fields")
    for name, value in fields.items():
        check_answer(name, value, state)
    after = {**state["answers"], **fields}
    if "critical" in fields and fields["critical"] is not None:
        after["outcome"] = "critical"
    elif after["outcome"] != "critical":
        after["critical"] = None
    return {"answers": {name: value for name, value in after.items() if value != state["answers"][name]}}


def accept(state: State, payload: dict, facts: Facts) -> Patch:
    """A suggestion becomes the annotator's own mark, which says where it comes from."""
    suggestion = suggestion_in(payload)
    patch = mark(state, payload, facts)
    (failure,) = patch["failures"].values()
    failure["suggested_by"] = suggestion
    return patch


def dismiss(state: State, payload: dict, facts: Facts) -> Patch:
    suggestion_in(payload)
    reason = text(payload.get("reason"), "reason").strip()
    if not reason or len(reason) > MAX_REASON:
        raise Refused(f"say why it is wrong, in at most {MAX_REASON} characters", "reason")
    return {}


def reveal(state: State, payload: dict, facts: Facts) -> Patch:
    return {}


def suggestion_in(payload: dict) -> str:
    name = payload.get("suggestion")
    if not isinstance(name, str) or not SUGGESTION.fullmatch(name):
        raise Refused("expected the name of a suggestion", "suggestion")
    return name


OPERATIONS: dict[str, Callable[[State, dict, Facts], Patch]] = {
    "mark": mark,
    "change": change,
    "remove": remove,
    "conclude": conclude,
    "accept": accept,
    "dismiss": dismiss,
    "reveal": reveal,
}


def new_key(state: State, key: Any) -> str:
    if not isinstance(key, str) or not 1 <= len(key) <= 64 or not key.isprintable():
        raise Refused("a new mark needs a key of 1 to 64 printable characters", "failure")
    if key in state["failures"]:
        raise Refused("this mark exists already", "failure")
    if len(state["failures"]) >= MAX_FAILURES:
        raise Refused(f"a run takes at most {MAX_FAILURES} marks; use “same as” for repeats", "failure")
    return key


def known_keys(state: State, keys: Any) -> list[str]:
    if not isinstance(keys, list) or not keys:
        raise Refused("expected the keys of one or more marks", "failures")
    for key in keys:
        if not isinstance(key, str) or key not in state["failures"]:
            raise Refused("this mark is not there; it may have been removed in another tab", "failures")
    return list(dict.fromkeys(keys))


def check_answer(name: str, value: Any, state: State) -> None:
    if name not in ANSWERS:
        raise Refused(f"“{name}” is no answer of this protocol", name)
    if name == "outcome" and not is_in(value, OUTCOMES):
        raise Refused(f"expected one of {', '.join(sorted(filter(None, OUTCOMES)))}", name)
    if name == "critical" and value is not None and not is_in(value, state["failures"]):
        raise Refused("the critical failure has to be one of your own marks", name)
    if name == "confidence" and not (value is None or is_share(value)):
        raise Refused("expected a number from 0 to 1", name)
    if name in {"reason_for_root_cause", "failure_summary"}:
        text(value, name)


def is_in(value: Any, allowed: Collection[str]) -> bool:
    """Also of what JSON can hold and no set can be asked for."""
    return isinstance(value, str) and value in allowed


def is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def cleaned(fields: Any, facts: Facts) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise Refused("expected an object of fields", "fields")
    unknown = sorted(set(fields) - EDITABLE)
    if unknown:
        raise Refused(f"“{unknown[0]}” is no field of a mark", unknown[0])
    return {name: CLEAN[name](value, name, facts) for name, value in fields.items()}


def text(value: Any, name: str, facts: Facts | None = None) -> str:
    if not isinstance(value, str):
        raise Refused("expected text", name)
    if len(value) > MAX_TEXT:
        raise Refused(f"the text is {len(value):,} characters long; at most {MAX_TEXT:,} fit", name)
    return "".join("\ufffd" if char == "\0" or 0xD800 <= ord(char) <= 0xDFFF else char for char in value)


def short_text(value: Any, name: str, facts: Facts) -> str:
    value = text(value, name).strip()
    if len(value) > 200:
        raise Refused("at most 200 characters fit", name)
    return value


def position(value: Any, name: str, facts: Facts) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < facts.n_steps:
        raise Refused(f"expected a step of this run, 0 to {facts.n_steps - 1} by position", name)
    return value


def one_of(allowed: set[str]) -> Callable[[Any, str, Facts], str]:
    def check(value: Any, name: str, facts: Facts) -> str:
        if not is_in(value, allowed):
            raise Refused(f"expected one of {', '.join(sorted(filter(None, allowed)))}", name)
        return value

    return check


def flag(value: Any, name: str, facts: Facts) -> bool:
    if not isinstance(value, bool):
        raise Refused("expected true or false", name)
    return value


def pointer(value: Any, name: str, facts: Facts) -> str | None:
    if value is not None and not isinstance(value, str):
        raise Refused("expected the key of a mark, or null", name)
    return value


def category(value: Any, name: str, facts: Facts) -> str | None:
    if value is not None and not is_in(value, facts.categories):
        raise Refused("this category is not in the project's taxonomy", name)
    return value


def codes(value: Any, name: str, facts: Facts) -> list[str]:
    if not isinstance(value, list) or len(value) > 20:
        raise Refused("expected a list of at most 20 codes", name)
    phrases = [short_text(each.get("phrase") if isinstance(each, dict) else each, name, facts) for each in value]
    if not all(phrases):
        raise Refused("a code needs a phrase", name)
    return list({phrase.casefold(): phrase for phrase in phrases}.values())


def evidence(value: Any, name: str, facts: Facts) -> list[dict]:
    if not isinstance(value, list) or len(value) > 50:
        raise Refused("expected a list of at most 50 spans", name)
    return [span(each, name, facts) for each in value]


def span(value: Any, name: str, facts: Facts) -> dict:
    """A stretch of a block's text; offsets count code points from 0, the end is exclusive."""
    numbers = ("step", "block", "start", "end")
    if not isinstance(value, dict) or set(value) != {*numbers, "text"}:
        raise Refused("a span has step, block, start, end and text", name)
    if not all(isinstance(value[each], int) and not isinstance(value[each], bool) for each in numbers):
        raise Refused("step, block, start and end are whole numbers", name)
    position(value["step"], name, facts)
    if not (value["block"] >= 0 and 0 <= value["start"] < value["end"]):
        raise Refused("a span starts before it ends", name)
    return {**{each: value[each] for each in numbers}, "text": text(value["text"], name)}


CLEAN: dict[str, Callable[[Any, str, Facts], Any]] = {
    "anchor": one_of(ANCHORS),
    "first_step": position,
    "last_step": position,
    "participant": short_text,
    "codes": codes,
    "category": category,
    "none_fits": flag,
    "step_reason": text,
    "category_reason": text,
    "evidence": evidence,
    "is_omission": flag,
    "cause": pointer,
    "repeats": pointer,
    "effect": one_of(EFFECTS),
    "recovered_at": position,
    "recovered_by": short_text,
}


def settled(failure: dict[str, Any], key: str, state: State, facts: Facts) -> dict[str, Any]:
    """The mark with the fields that follow from others put right, or Refused where it contradicts itself."""
    if failure["anchor"] in {"task", "policy", "tools"}:
        failure.update(first_step=None, last_step=None)
    elif failure["first_step"] is None:
        raise Refused("a mark at a step needs the step", "first_step")
    elif failure["anchor"] == "step" or failure["last_step"] is None:
        failure.update(anchor="step", last_step=failure["first_step"])
    elif failure["last_step"] == failure["first_step"]:
        failure.update(anchor="step")
    elif failure["last_step"] < failure["first_step"]:
        raise Refused("a range ends after it starts", "last_step")
    if failure["category"] is not None:
        failure["none_fits"] = False
    if failure["effect"] != "recovered":
        failure.update(recovered_at=None, recovered_by="")
    for name in ("cause", "repeats"):
        if failure[name] is not None and (failure[name] == key or failure[name] not in state["failures"]):
            raise Refused("expected another of your marks", name)
    return failure
