"""Cases that wait for a person, on their page of work."""

from collections.abc import Iterator

from django.db.models import Count
from django.urls import reverse

from adjudication.models import Case
from annotate.models import Project
from annotate.waiting import Waiting, tells_what_waits


@tells_what_waits
def cases_waiting(user, projects: list[Project]) -> Iterator[tuple[int, Waiting]]:
    slugs = {project.pk: project.slug for project in projects if project.closed_at is None}
    visible = Case.objects.open().visible_to(user).filter(item__project__in=slugs)
    rulers = visible.filter(item__project__memberships__user=user, item__project__memberships__role="adjudicator")
    for project_id, n in rulers.values_list("item__project").annotate(n=Count("pk", distinct=True)).order_by():
        text = "1 case waits for a ruling." if n == 1 else f"{n} cases wait for a ruling."
        yield project_id, Waiting(text, "Open queue", reverse("cases", args=[slugs[project_id]]))
