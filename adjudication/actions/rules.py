from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from annotate.models import Item, Project
from annotate.policy import require
from jobs.actions import enqueue
from people.actions import audit
from people.models import User


@dataclass(frozen=True)
class Setting:
    """How a project routes: its rules where they differ from the usual ones, the people per run, and what is gold."""

    rules: Mapping[str, Any] = field(default_factory=dict)
    overlap: int = 2
    takes_definitions_as_one: bool = False
    single_is_gold: bool = False

    @classmethod
    def of(cls, project: Project) -> "Setting":
        return cls(dict(project.routing), project.overlap, project.takes_definitions_as_one, project.single_is_gold)


@transaction.atomic
def set_rules(*, project: Project, setting: Setting, by: User) -> Project:
    """Change how the project routes; what that means for each run is worked out by a job. Who is no lead may not."""
    require(by, "set rules", project)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = Setting.of(project)
    if before == setting:
        return project
    project.routing = dict(setting.rules)
    project.overlap = setting.overlap
    project.takes_definitions_as_one, project.single_is_gold = setting.takes_definitions_as_one, setting.single_is_gold
    project.save(update_fields=["routing", "overlap", "takes_definitions_as_one", "single_is_gold"])
    # Runs for which routing has asked more people keep asking them.
    Item.objects.of(project).filter(wanted=before.overlap).update(wanted=setting.overlap)
    audit("rules set", project, by=by, project=project.slug, before=vars(before), after=vars(setting))
    payload = {"project": project.pk}
    enqueue("item_changed", key=f"project:{project.pk}", project=project.slug, payload=payload, by=by.username)
    return project
