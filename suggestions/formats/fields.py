"""Fields of suggestion records, with what was expected where something else stands."""

from typing import Any

from suggestions.formats.reading import BadRecord
from traces.formats.cleaning import Cleaner
from traces.formats.records import is_index, kind_of, whole_number

LONGEST_WORD, LONGEST_PROTOCOL = 100, 60


def an_object(value: Any, what: str) -> dict:
    """Cleaned of what cannot be stored."""
    if not isinstance(value, dict):
        raise BadRecord("not_a_record", "", f"{what} must be an object, not {kind_of(value)}")
    return Cleaner().clean(value)  # type: ignore[return-value]


def text(record: dict, key: str, default: str = "", longest: int | None = None) -> str:
    value = record.get(key)
    if value is None:
        return default
    if not isinstance(value, str | int | float):
        raise BadRecord("bad_field", f"/{key}", f"{key} must be a text, not {kind_of(value)}")
    words = str(value)
    return words[:longest] if longest else words


def needed(record: dict, key: str, longest: int = LONGEST_WORD) -> str:
    words = text(record, key).strip()
    if not words:
        raise BadRecord("bad_field", f"/{key}", f"{key} is missing; give it a text")
    return words[:longest]


def run_id(record: dict, *names: str) -> str:
    """The first of the keys that is there, as the text ids are compared by."""
    key = next((name for name in names if record.get(name) is not None), names[0])
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise BadRecord("missing_id", f"/{key}", f"names no run; give {key} a text or a whole number")
    return str(value)


def step(record: dict, key: str) -> int:
    number = whole_number(record.get(key))
    if number is None:
        raise BadRecord("bad_step", f"/{key}", f"{key} must be a whole number from 0 on")
    return number


def optional_step(record: dict, key: str) -> int | None:
    return None if record.get(key) is None else step(record, key)


def a_list(record: dict, key: str) -> list:
    value = record.get(key) or []
    if not isinstance(value, list):
        raise BadRecord("bad_field", f"/{key}", f"{key} must be a list, not {kind_of(value)}")
    return value


def texts(record: dict, key: str) -> tuple[str, ...]:
    return tuple(str(item) for item in a_list(record, key))


def objects(record: dict, key: str) -> list[dict]:
    return [item for item in a_list(record, key) if isinstance(item, dict)]


def ranking(record: dict, key: str = "ranking") -> tuple[int, ...]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(is_index(item) for item in value):
        raise BadRecord("bad_field", f"/{key}", f"{key} must be a list of step positions")
    return tuple(dict.fromkeys(value))


def an_object_in(record: dict, key: str) -> dict:
    value = record.get(key)
    return value if isinstance(value, dict) else {}
