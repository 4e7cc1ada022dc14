"""Projects with gold: one run agreed on, one disputed, one nobody has seen."""

from adjudication.actions import route, rule
from adjudication.models import Case
from annotate.models import Item, Project
from tests.factories import annotate_and_submit, make_project, make_user


def items_of(project: Project) -> list[Item]:
    return list(project.items.order_by("trajectory__external_id"))


def make_shop(**fields) -> Project:
    """Ann and Ben agree on shop-0 and differ on shop-1; shop-2 is untouched."""
    project = make_project(**{"runs": 3, **fields})
    agreed, disputed, _ = items_of(project)
    for name, step in (("ann", 2), ("ben", 3)):
        annotate_and_submit(agreed, make_user(name), step=1)
        annotate_and_submit(disputed, make_user(name), step=step)
    route(project)
    return project


def rule_disputed(project: Project, **fields):
    """Ada rules that step 3 of shop-1 is critical."""
    values = {"first_step": 3, "participant": "Assistant", "category": "system_failure", "step_reason": "down"}
    return rule(
        case=Case.objects.get(item__project=project),
        by=make_user("ada"),
        outcome="critical",
        failures=[{**values, "is_critical": True, **fields}],
        rationale="The tool had been down since step 3.",
        cause="slip",
        reason_for_root_cause="nothing could work after that",
        failure_summary="the service failed",
    )
