from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Annotation, Project
from annotate.policy import require
from people.actions import audit
from people.models import User

FIELDS = ("reveal", "reveal_unit", "reveal_share")


class ArmsWouldMix(Exception):
    """The lot covers every annotation of a project or none: begun ones keep the arm that they are in."""

    def __init__(self, begun: int):
        super().__init__(
            f"{begun} annotation{' has' if begun == 1 else 's have'} begun, and a lot must be drawn for all or for none; "
            "to try another rule, make a second project on the same dataset"
        )


@transaction.atomic
def set_reveal(*, project: Project, reveal: str, unit: str, share: int, by: User) -> Project:
    """Change when annotators see suggestions; it holds at once, for work in progress too. Raises ArmsWouldMix."""
    require(by, "set reveal rule", project)
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    before = {name: getattr(project, name) for name in FIELDS}
    after = {"reveal": reveal, "reveal_unit": unit, "reveal_share": share}
    if after == before:
        return project
    if Project.Reveal.RANDOMISED in (before["reveal"], reveal) and begun(project).exists():
        raise ArmsWouldMix(begun(project).count())
    for name, value in after.items():
        setattr(project, name, value)
    project.save(update_fields=FIELDS)
    audit("reveal rule set", project, by=by, project=project.slug, before=before, after=after)
    return project


def begun(project: Project) -> QuerySet[Annotation]:
    """Annotations by people: whoever has been given a run may have seen, or not seen, suggestions on it."""
    return Annotation.objects.filter(item__project=project, user__in=User.objects.people())
