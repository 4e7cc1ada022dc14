"""Marks and labels as rows hold them, from the state of an annotation or the values of a gold label."""

from collections.abc import Mapping
from dataclasses import fields as fields_of
from typing import Any

from annotate.fold import new_failure
from exports.labels.naming import Naming
from exports.rows import Mark

# Not among them: `cause` and `repeats`, which point at other marks of the annotation they stand in.
EXPORTED = frozenset(each.name for each in fields_of(Mark))


def mark_of(key: str, fields: Mapping[str, Any], naming: Naming, **more: Any) -> Mark:
    """The mark; its native step is put in later, where the run is known."""
    known = {name: fields.get(name, value) for name, value in new_failure().items() if name in EXPORTED}
    rest = {"key": key, "native_step": None, "is_critical": False, "sources": [], "raw": {}}
    category = known["category"] and naming.words(known["category"]) or {"category_name": ""}
    return Mark(**{**known, **category, **rest, **more})
