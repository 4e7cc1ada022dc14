"""The part of JSON Schema that tool declarations use. Keywords it does not know say nothing."""

from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
DEEPEST = 20


def first_fault(value: Any, schema: Any, path: str = "", depth: int = 0) -> str | None:
    """The first place where the value breaks the schema, as a sentence; None where it does not."""
    if not isinstance(schema, dict) or depth > DEEPEST:
        return None
    return (
        _type_fault(value, schema, path)
        or _choice_fault(value, schema, path)
        or _object_fault(value, schema, path, depth)
        or _array_fault(value, schema, path, depth)
    )


def _type_fault(value: Any, schema: dict, path: str) -> str | None:
    wanted = schema.get("type")
    names = [wanted] if isinstance(wanted, str) else wanted if isinstance(wanted, list) else []
    if not names or any(_is(value, name) for name in names) or not all(name in TYPES for name in names):
        return None
    return f"{_named(path)} must be {' or '.join(names)}"


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, TYPES.get(name, ()))


def _choice_fault(value: Any, schema: dict, path: str) -> str | None:
    choices = schema.get("enum")
    if isinstance(choices, list) and value not in choices:
        return f"{_named(path)} must be one of {', '.join(map(str, choices[:8]))}"
    if "const" in schema and value != schema["const"]:
        return f"{_named(path)} must be {schema['const']}"
    return None


def _object_fault(value: Any, schema: dict, path: str, depth: int) -> str | None:
    if not isinstance(value, dict):
        return None
    required = schema.get("required")
    missing = [name for name in required if name not in value] if isinstance(required, list) else []
    if missing:
        return f"{_named(f'{path}/{missing[0]}')} is required and missing"
    listed = schema.get("properties")
    properties: dict = listed if isinstance(listed, dict) else {}
    if schema.get("additionalProperties") is False and (extra := [name for name in value if name not in properties]):
        return f"{_named(f'{path}/{extra[0]}')} is no argument of this tool"
    found = (first_fault(value[k], properties[k], f"{path}/{k}", depth + 1) for k in value if k in properties)
    return next((fault for fault in found if fault), None)


def _array_fault(value: Any, schema: dict, path: str, depth: int) -> str | None:
    if not isinstance(value, list) or not isinstance(schema.get("items"), dict):
        return None
    found = (first_fault(item, schema["items"], f"{path}/{n}", depth + 1) for n, item in enumerate(value))
    return next((fault for fault in found if fault), None)


def _named(path: str) -> str:
    return path.lstrip("/") or "the arguments"
