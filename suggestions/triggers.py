"""AgentRx's event triggers: at which steps a check is asked. Regular expressions are left to the sandbox."""

import re
from dataclasses import dataclass
from typing import Any

from suggestions.runs import Run, RunStep

ANY = ("*", "", None)
RANGE = re.compile(r"(\d{1,9})\s*-\s*(\d{1,9})")


@dataclass(frozen=True)
class Trigger:
    """The fields as the benchmark's checker reads them; anything it never fires on never fires here."""

    step_index: Any = "*"
    substep_index: Any = "*"
    role_name: Any = "*"
    content_regex: Any = "*"
    tool_name: Any = "*"
    event_types: Any = None

    @classmethod
    def of(cls, given: dict) -> "Trigger":
        return cls(**{name: given[name] for name in cls.__dataclass_fields__ if name in given})

    def may_fire(self, step: RunStep) -> bool:
        """All that can be said without regular expressions and without substeps."""
        return self._of_an_event() and _index_matches(self.step_index, step.number) and self._of_the_role(step)

    def _of_an_event(self) -> bool:
        """Given without `*`, the list of event types must hold the role's name itself."""
        if not isinstance(self.event_types, list) or not self.event_types or "*" in self.event_types:
            return True
        return self.role_name in self.event_types

    def _of_the_role(self, step: RunStep) -> bool:
        if self.role_name in ANY:
            return True
        roles = {step.role, *(block.agent for block in step.blocks)}
        return any(self.role_name in (role, role.split("(")[0].strip()) for role in roles)

    @property
    def patterns(self) -> dict[str, Any]:
        """What the sandbox compares with each substep: a role, regular expressions and the substep's place."""
        return {
            "role": None if self.role_name in ANY else str(self.role_name),
            "content": None if self.content_regex in ANY else str(self.content_regex),
            "tool": None if self.tool_name in ANY else str(self.tool_name),
            "substep": None if self.substep_index in ANY else _whole(self.substep_index, never=-1),
        }

    @property
    def is_plain(self) -> bool:
        return not any(value is not None for value in self.patterns.values())


def candidates(run: Run, trigger: Trigger, from_position: int = 0) -> list[int]:
    return [step.position for step in run.steps if step.position >= from_position and trigger.may_fire(step)]


def _index_matches(wanted: Any, number: int) -> bool:
    """`*` and nothing mean every step; a number or its text one step; "16-18" both ends included; lists never fire."""
    if isinstance(wanted, list | dict):
        return False
    if wanted in ANY:
        return True
    if isinstance(wanted, str) and (found := RANGE.fullmatch(wanted.strip())):
        return int(found[1]) <= number <= int(found[2])
    return _whole(wanted, never=0) == number


def _whole(value: Any, never: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    text = str(value).strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else never
