"""Marks and labels as rows hold them, from the state of an annotation or the values of a gold label."""

from collections.abc import Mapping
from typing import Any

from annotate.fold import new_failure
from annotate.models import Project
from exports.rows import Mark

POINTERS = {"cause", "repeats"}  # at other marks of the annotation they stand in


def category_names(project: Project) -> dict[str, str]:
    return dict(project.taxonomy_version.categories.values_list("key", "name"))


def mark_of(key: str, fields: Mapping[str, Any], names: Mapping[str, str], **more: Any) -> Mark:
    """The mark; its native step is put in later, where the run is known."""
    known = {name: fields.get(name, value) for name, value in new_failure().items() if name not in POINTERS}
    rest = {"key": key, "native_step": None, "is_critical": False, "sources": [], "raw": {}}
    category = {"category_name": name_in(names, known["category"])}
    return Mark(**{**known, **category, **rest, **more})


def name_in(names: Mapping[str, str], key: str | None) -> str:
    return names.get(key, key) if key else ""
