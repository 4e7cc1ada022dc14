"""Who speaks: roles and names as sources spell them, and the participants they stand for."""

import re
from collections.abc import Iterable

from traces.formats.drafts import Refused, StepDraft
from traces.formats.records import Record, kind_of

THOUGHT = re.compile(r"\(thought\)\s*$")
SUFFIX = re.compile(r"\s+\(.*\)\s*$", re.DOTALL)
ADDRESSEE = re.compile(r"\(->\s*([^()]+?)\s*\)\s*$")
LONGEST_NAME = 200
NAMES = {
    "human": "User",
    "user": "User",
    "assistant": "Assistant",
    "ai": "Assistant",
    "system": "System",
    "developer": "System",
    "tool": "Tool",
    "function": "Tool",
}


def participant(role: str) -> str:
    """`Orchestrator (-> WebSurfer)` is Orchestrator; `human` is User; any other name stays as it is spelt."""
    role = role[:LONGEST_NAME]  # the pattern is slow on what no name is
    name = SUFFIX.sub("", role).strip() or role.strip()
    return NAMES.get(name, name)


def addressees(roles: Iterable[str]) -> list[str]:
    found = (ADDRESSEE.search(role) for role in roles)
    return [participant(match.group(1)) for match in found if match]


def kind_of_speech(role: str) -> str:
    return "thought" if THOUGHT.search(role) else "text"


def participants_of(steps: tuple[StepDraft, ...], *others: str) -> tuple[str, ...]:
    """Everybody a label may blame, in order of appearance; `others` are there though they may never speak."""
    spoke = [block.agent for step in steps for block in step.blocks]
    return tuple(dict.fromkeys(name for name in (*spoke, *others) if name))


def name_in(record: Record, message: dict, key: str, pointer: str) -> str:
    """A name that must be there; very long ones are cut."""
    value = message.get(key)
    if isinstance(value, str) and value.strip():
        return clipped(record, value, pointer)
    raise Refused("bad_message", pointer, f"a message needs {key} as a text; here it is {_found(message, key)}")


def clipped(record: Record, name: str, pointer: str) -> str:
    if len(name) <= LONGEST_NAME:
        return name
    record.note("long_name", pointer, f"a name of {len(name)} characters was cut to {LONGEST_NAME}")
    return name[: LONGEST_NAME - 1] + "…"


def _found(message: dict, key: str) -> str:
    if key not in message:
        return "missing"
    return "empty" if isinstance(message[key], str) else kind_of(message[key])
