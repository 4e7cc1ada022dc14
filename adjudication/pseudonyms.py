"""Names for annotators in figures: who leads a project reads the real ones, other readers a steady pseudonym."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from annotate.models import Annotation, Membership, Project


def annotators_of(project: Project) -> list[str]:
    names = Annotation.objects.current().filter(item__project=project, submissions__isnull=False)
    return sorted(set(names.values_list("user__username", flat=True)))


def key_of(project: Project, name: str) -> str:
    """Steady within a project and telling nothing: neither the name, nor its place in the alphabet."""
    return hashlib.sha256(f"{project.salt}:{name}".encode()).hexdigest()[:8]


def shown_names(project: Project, names: Iterable[str], roles: Iterable[str]) -> dict[str, str]:
    """Each annotator's name as these roles may read it."""
    if Membership.Role.LEAD in roles:
        return {name: name for name in names}
    return {name: f"annotator {key_of(project, name)[:4]}" for name in names}


def renamed(figures: Mapping[str, Any], shown: Mapping[str, str]) -> dict[str, Any]:
    """The figures under the shown names; a name that is not known is left out, never passed on."""
    told = dict(figures)
    told["pairs"] = [pair | {end: name(pair[end], shown) for end in ("a", "b")} for pair in figures.get("pairs", [])]
    told["definitions"] = {name(who, shown): found for who, found in figures.get("definitions", {}).items()}
    told["measures"] = {key: renamed_measure(each, shown) for key, each in figures.get("measures", {}).items()}
    return told


def renamed_measure(measure: Mapping[str, Any], shown: Mapping[str, str]) -> dict[str, Any]:
    told = {key: renamed_reason(value, shown) for key, value in measure.items()}
    if confusion := measure.get("confusion"):
        ends = {end: name(confusion[end], shown) if confusion[end] else None for end in ("rows", "columns")}
        told["confusion"] = {**confusion, **ends}
    return told


def renamed_reason(value: Any, shown: Mapping[str, str]) -> Any:
    """Only "… is not exhaustive" names anybody."""
    if isinstance(value, dict) and isinstance(value.get("undefined"), str):
        return value | {"undefined": renamed_reason(value["undefined"], shown)}
    if isinstance(value, str) and value.endswith("not exhaustive"):
        names, verb, rest = value.rpartition(" is " if " is not " in value else " are ")
        return " and ".join(name(each, shown) for each in names.split(" and ")) + verb + rest
    return value


def name(real: str, shown: Mapping[str, str]) -> str:
    return shown.get(real, "an annotator")
