"""Items on which Ann and Ben disagree, and what their cases look like."""

from adjudication.actions import route
from adjudication.models import Case
from annotate.models import Project
from tests.factories import annotate_and_submit, make_user, only_item


def disagree(project: Project, item=None, *, ann: int | None = 1, ben: int | None = 2, **ben_differs) -> Case | None:
    """Ann and Ben submit, and the project is routed; the item's open case, if that makes one."""
    item = item or only_item(project)
    annotate_and_submit(item, make_user("ann"), step=ann)
    annotate_and_submit(item, make_user("ben"), step=ben, **ben_differs)
    route(project)
    return Case.objects.open().filter(item=item).first()


def mark(step: int = 1, **fields) -> dict:
    """A failure as a ruling takes it."""
    return {"first_step": step, "participant": "Assistant", "category": "invalid_invocation", **fields}


RULED = {
    "outcome": "critical",
    "failures": [mark(is_critical=True)],
    "rationale": "The call names no lamp.",
    "cause": "slip",
}
