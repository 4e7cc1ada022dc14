"""Puts the demo project into an empty database: through the same actions as people, so that its history is real."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import transaction

from adjudication.actions import recompute, report, route, rule
from adjudication.models import Case
from annotate.actions import add_member, claim, create_project, put_items, record
from annotate.models import Annotation, Item, Membership, Project
from people.actions import system_user
from people.models import User
from traces.actions import store
from traces.formats import read_traces
from traces.formats.drafts import TrajectoryDraft

FOLDER = Path(__file__).parent
SLUG, NAME, SOURCE = "demo", "Demo: three kinds of agents", "demo"
Role = Membership.Role
CAST = {"ann": Role.ANNOTATOR, "ben": Role.ANNOTATOR, "ada": Role.ADJUDICATOR, "mia": Role.LEAD}
# Of a mark in labels.json: its field here, and the field of an operation.
PLAIN = {
    "participant": "participant",
    "category": "category",
    "step_reason": "step_reason",
    "category_reason": "category_reason",
    "omission": "is_omission",
}


class NotEmpty(Exception):
    pass


@dataclass(frozen=True)
class Loaded:
    project: Project
    runs: int
    annotations: int
    cases: int


@transaction.atomic
def load() -> Loaded:
    """All of it or nothing. Raises NotEmpty where somebody works with this database already."""
    require_empty()
    system = system_user()
    project = create_project(slug=SLUG, name=NAME, by=system)
    people = {name: person(name, role, project, system) for name, role in CAST.items()}
    runs = json.loads((FOLDER / "labels.json").read_text("utf-8"))["runs"]
    items = store_runs(project, runs)
    for run in runs:
        for name, label in run["annotations"].items():
            annotate(items[str(run["external_id"])], people[name], label)
    route(project)
    for run in runs:
        if run["ruling"]:
            settle(items[str(run["external_id"])], people, run["ruling"])
    found = report(route(project))
    recompute(project)
    annotations = Annotation.objects.filter(item__project=project).count()
    return Loaded(project, len(items), annotations, len(found["cases"]))


def require_empty() -> None:
    if Project.objects.exists():
        raise NotEmpty("there are projects in this database already; the demo is for an empty one")
    if taken := User.objects.filter(username__in=CAST).values_list("username", flat=True).first():
        raise NotEmpty(f"there is a user “{taken}” in this database already; the demo would need the name")


def passwords() -> dict[str, str]:
    return {name: f"assay-demo-{name}" for name in CAST}


def person(name: str, role: str, project: Project, by: User) -> User:
    user = User.objects.create_user(name, password=passwords()[name])
    add_member(project=project, user=user, role=role, by=by)
    return user


def store_runs(project: Project, runs: list[dict[str, Any]]) -> dict[str, Item]:
    """Every run of the files, with the domain and the layers for which its format has no place."""
    known = {str(run["external_id"]): run for run in runs}
    for draft in drafts(sorted({run["file"] for run in runs})):
        run = known[str(draft.external_id)]
        layers = {**draft.layers, **run["layers"]}
        store(dataset=project.dataset, draft=replace(draft, domain=run["domain"], layers=layers))
    put_items(project)
    return {item.trajectory.external_id: item for item in Item.objects.of(project).select_related("trajectory")}


def drafts(files: list[str]) -> Iterator[TrajectoryDraft]:
    for draft in read_traces([FOLDER / name for name in files], "auto", SOURCE):
        if not isinstance(draft, TrajectoryDraft):
            raise ValueError(f"{draft.file} {draft.where}: {draft.message}")
        yield draft


def annotate(item: Item, user: User, label: Mapping[str, Any]) -> None:
    """Phase 1 walks forward and marks, phase 2 backward and gives each mark its effect, as people do."""
    claim(item=item, user=user)
    failures = label["failures"]
    operations = [("mark", {"failure": key(n), "fields": mark_of(failure)}) for n, failure in enumerate(failures)]
    for n, failure in reversed(list(enumerate(failures))):
        if failure["effect"]:
            operations.append(("change", {"failures": [key(n)], "fields": effect_of(failure)}))
    if label["submitted"]:
        operations += [("conclude", {"fields": conclusion_of(label)}), ("submit", {})]
    for number, (op, payload) in enumerate(operations):
        record(item=item, user=user, key=f"demo-{number}", base=number, op=op, payload=payload)


def key(index: int) -> str:
    return f"m{index + 1}"


def mark_of(failure: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{field: failure[name] for name, field in PLAIN.items()},
        "first_step": failure["step"],
        "codes": [{"phrase": failure["code"], "definition": failure["definition"]}],
        **{name: key(failure[name]) for name in ("cause", "repeats") if failure[name] is not None},
    }


def effect_of(failure: Mapping[str, Any]) -> dict[str, Any]:
    recovery = {"recovered_at": failure["recovered_at"], "recovered_by": failure["recovered_by"]}
    return {"effect": failure["effect"], **(recovery if failure["effect"] == "recovered" else {})}


def conclusion_of(label: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "outcome": label["outcome"],
        "critical": None if label["critical"] is None else key(label["critical"]),
        "confidence": label["confidence"],
        "reason_for_root_cause": label["reason_for_root_cause"],
        "failure_summary": label["summary"],
    }


def settle(item: Item, people: Mapping[str, User], ruling: Mapping[str, Any]) -> None:
    rule(
        case=Case.objects.open().get(item=item),
        by=people[ruling["by"]],
        outcome=ruling["outcome"],
        failures=[ruled(item, n == ruling["critical"], failure) for n, failure in enumerate(ruling["failures"])],
        rationale=ruling["rationale"],
        cause=ruling["cause"],
        reason_for_root_cause=ruling["reason_for_root_cause"],
        failure_summary=ruling["summary"],
    )


def ruled(item: Item, is_critical: bool, failure: Mapping[str, Any]) -> dict[str, Any]:
    fields = mark_of(failure) | effect_of(failure)
    fields["codes"] = [failure["code"]]
    taken = item.annotations.filter(user__username=failure["taken_from"], failures__first_step=failure["step"])
    source = taken.values_list("pk", "failures__key").first()
    return {
        **fields,
        "is_critical": is_critical,
        "from": [{"annotation": source[0], "key": source[1]}] if source else [],
    }
