"""AgentRx's constraint schema: what a file may say, and the plain value the engine works with."""

import hashlib
import json
from dataclasses import dataclass, field

KINDS = ("SCHEMA", "PROTOCOL", "RELATIONAL_POST", "PROVENANCE", "TEMPORAL", "CAPABILITY", "ANY", "USER_INTENT_CHECK")
PYTHON, LANGUAGE = "python_check", "nl_check"
LONGEST_NAME = 200
LONGEST_CODE = 100_000


class BadConstraint(ValueError):
    def __init__(self, pointer: str, message: str):
        super().__init__(message)
        self.pointer, self.message = pointer, message


@dataclass(frozen=True)
class Spec:
    """One constraint of a file, before repair. `code` is empty for language checks."""

    name: str
    kind: str
    targets: tuple[str, ...]
    trigger: dict
    check_type: str
    function_name: str
    code: str
    hint: str
    severity: str
    body: dict = field(default_factory=dict, compare=False)

    @property
    def digest(self) -> str:
        told = [self.name, self.kind, self.targets, self.trigger, self.check_type, self.body, self.hint, self.severity]
        return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def parse(value: object) -> Spec:
    """Raises BadConstraint with the field and what was expected."""
    if not isinstance(value, dict):
        raise BadConstraint("", "a constraint must be an object")
    check_type = value.get("check_type")
    if check_type not in (PYTHON, LANGUAGE):
        raise BadConstraint("/check_type", f"check_type must be {PYTHON} or {LANGUAGE}, not {check_type!r:.60}")
    kind = value.get("invariant_type", value.get("constraint_type", "ANY"))
    if kind not in KINDS:
        raise BadConstraint("/invariant_type", f"invariant_type must be one of {', '.join(KINDS)}, not {kind!r:.60}")
    body = value.get(check_type) or {}
    function_name, code = _python(body) if check_type == PYTHON else ("", "")
    return Spec(
        name=_name(value),
        kind=kind,
        targets=tuple(map(str, _listed(value, "taxonomy_targets"))),
        trigger=_object(value, "event_trigger"),
        check_type=check_type,
        function_name=function_name,
        code=code,
        hint=str(value.get("check_hint") or ""),
        severity=str(value.get("severity") or "medium")[:20],
        body=body if isinstance(body, dict) else {},
    )


def _name(value: dict) -> str:
    name = value.get("assertion_name")
    if not isinstance(name, str) or not name.strip():
        raise BadConstraint("/assertion_name", "a constraint needs an assertion_name")
    return name.strip()[:LONGEST_NAME]


def _python(body: object) -> tuple[str, str]:
    if not isinstance(body, dict):
        raise BadConstraint("/python_check", "python_check must be an object")
    lines, name = body.get("code_lines"), body.get("function_name")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadConstraint("/python_check/code_lines", "code_lines must be a list of texts")
    if not isinstance(name, str) or not name.isidentifier() or len(name) > LONGEST_NAME:
        raise BadConstraint("/python_check/function_name", "function_name must be the name of the function to call")
    code = "\n".join(lines)
    if len(code) > LONGEST_CODE:
        raise BadConstraint("/python_check/code_lines", f"a check may have {LONGEST_CODE} characters at most")
    return name, code


def _listed(value: dict, key: str) -> list:
    found = value.get(key) or []
    if not isinstance(found, list):
        raise BadConstraint(f"/{key}", f"{key} must be a list")
    return found


def _object(value: dict, key: str) -> dict:
    found = value.get(key) or {}
    if not isinstance(found, dict):
        raise BadConstraint(f"/{key}", f"{key} must be an object")
    return found
