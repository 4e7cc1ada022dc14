from collections.abc import Iterable
from typing import Any

from django.db import transaction

from adjudication.labels import GOLD, labels_of
from adjudication.models import DeclaredContrast
from adjudication.scoreboard import scoreboard
from annotate.models import Project
from people.actions import audit
from people.models import AuditEvent, User

SCORED = "suggestions scored"


class SameSource(Exception):
    def __init__(self, name: str):
        super().__init__(f"a contrast is of two sources; {name or 'an empty name'} was given twice")


@transaction.atomic
def declare_contrast(*, project: Project, a: str, b: str, by: User) -> DeclaredContrast:
    """Order and repetition make no difference. After a first scoring it is kept apart from the declared family."""
    a, b = sorted((a.strip()[:400], b.strip()[:400]))
    if not a or a == b:
        raise SameSource(a or b)
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    facts = {"by": by, "before_scoring": not is_scored(project)}
    contrast, is_new = DeclaredContrast.objects.get_or_create(project=project, a=a, b=b, defaults=facts)
    if is_new:
        audit("contrast declared", contrast, by=by, project=project.slug, a=a, b=b)
    return contrast


def is_scored(project: Project) -> bool:
    return AuditEvent.objects.filter(verb=SCORED, project=project.slug).exists()


@transaction.atomic
def score_suggestions(
    *, project: Project, by: User, labels: str = GOLD, left_out: Iterable[int] = ()
) -> dict[str, Any]:
    """The scoreboard, opened. That is noted once: what is declared later was not declared before."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    told = scoreboard(project, labels_of(project, labels, left_out))
    if any(each["n"] for each in told["sources"]) and not is_scored(project):
        audit(SCORED, project, by=by, project=project.slug, labels=labels)
    return told
