"""A ruling as written, made whole and checked against the run. Pure; no queries."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from annotate.fold import empty_state, new_failure
from annotate.operations import Facts, Refused, cleaned, settled

KEPT = (
    "key",
    "number",
    "anchor",
    "first_step",
    "last_step",
    "participant",
    "codes",
    "category",
    "none_fits",
    "step_reason",
    "category_reason",
    "evidence",
    "is_omission",
    "effect",
    "recovered_at",
    "recovered_by",
    "is_critical",
    "from",
)
# Set here, or pointing at other marks of the annotation it came from.
NOT_TAKEN = {"key", "number", "is_critical", "from", "cause", "repeats", "suggested_by"}
BY_ANCHOR = {"task": -3, "policy": -2, "tools": -1}


CITED = re.compile(r"(?<![\w#&])#(\d{1,7})\b")


def cited(rationale: str, position_of: Mapping[int, int]) -> tuple[list[int], list[int]]:
    """The positions that "#17" in a rationale points at, in the order of the run, and the numbers no step has."""
    numbers = {int(number) for number in CITED.findall(rationale)}
    known = sorted(position_of[number] for number in numbers if number in position_of)
    return known, sorted(number for number in numbers if number not in position_of)


def ruled_failures(
    given: Sequence[Mapping[str, Any]], outcome: str, facts: Facts
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The failures that stand, in the order of the run and numbered, and what is wrong with them by field."""
    errors: dict[str, str] = {}
    failures = []
    for index, fields in enumerate(sorted(given, key=place), start=1):
        try:
            failures.append(ruled_failure(fields, index, facts))
        except Refused as refused:
            errors.setdefault("failures", f"mark {index}: {refused.message}")
    return failures, errors or contradiction(failures, outcome)


def place(fields: Mapping[str, Any]) -> int:
    step = fields.get("first_step")
    return step if isinstance(step, int) else BY_ANCHOR.get(str(fields.get("anchor")), -4)


def ruled_failure(fields: Mapping[str, Any], number: int, facts: Facts) -> dict[str, Any]:
    taken = cleaned({name: value for name, value in fields.items() if name not in NOT_TAKEN}, facts)
    failure = settled(new_failure(**taken, number=number), "", empty_state(), facts)
    if not failure["participant"]:
        raise Refused("say which participant made it", "participant")
    is_critical = bool(fields.get("is_critical"))
    if is_critical:
        failure.update(effect="persists", recovered_at=None, recovered_by="")
    failure |= {"key": f"f{number}", "is_critical": is_critical, "from": list(fields.get("from", ()))}
    return {name: failure[name] for name in KEPT}


def contradiction(failures: Sequence[Mapping[str, Any]], outcome: str) -> dict[str, str]:
    critical = sum(failure["is_critical"] for failure in failures)
    if outcome == "critical" and critical != 1:
        return {"outcome": "exactly one of the marks that stand has to be the critical one"}
    if outcome != "critical" and critical:
        return {"outcome": "a critical mark stands, so this outcome cannot hold: choose its step, or let go of it"}
    if outcome == "no_failure" and failures:
        return {"outcome": "marks still stand: reject all of them, or choose another outcome"}
    if outcome == "all_recovered_or_harmless" and not failures:
        return {"outcome": "no mark stands that could have been recovered or harmless: keep one, or rule “no failure”"}
    if outcome == "all_recovered_or_harmless" and any(failure["effect"] == "persists" for failure in failures):
        return {"outcome": "a mark that stands is said to persist: let go of it, or rewrite its effect"}
    return {}
