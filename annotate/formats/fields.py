"""Fields that every label has: words, steps and names, leniently read."""

from annotate.formats.drafts import NATIVE_INDEX
from traces.formats.drafts import Refused
from traces.formats.messages import as_text
from traces.formats.names import clipped
from traces.formats.records import Record, kind_of, whole_number


def words(record: Record, holder: dict, key: str, pointer: str) -> str:
    """A text that may be empty, null or missing."""
    value = holder.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    record.note("unusual_content", f"{pointer}/{key}", f"{key} is {kind_of(value)}; kept as JSON text")
    return as_text(value)


def name(record: Record, holder: dict, key: str, pointer: str) -> tuple[str, str]:
    """The blamed participant as spelt, and without blanks around it; who that is in the run is found out later."""
    spelt = words(record, holder, key, pointer)
    if not spelt.strip():
        record.note("missing_agent", f"{pointer}/{key}", "the label blames nobody; the step's own agent stands in")
    return spelt, clipped(record, spelt.strip(), f"{pointer}/{key}")


def step_number(record: Record, holder: dict, key: str, pointer: str, base: str) -> int:
    value = holder.get(key)
    number = whole_number(value)
    if number is None:
        found = "missing" if key not in holder else as_text(value)[:40]
        raise Refused("bad_step", f"{pointer}/{key}", f"{key} must be a whole number from 0 on; here it is {found}")
    if base == NATIVE_INDEX and not isinstance(value, int):
        record.note("step_from_text", f"{pointer}/{key}", f"{key} is {kind_of(value)}; read as {number}")
    return number
