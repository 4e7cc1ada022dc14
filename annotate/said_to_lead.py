"""What annotators told the leads and nobody has answered, as a line of the leads' own work."""

from collections.abc import Iterator

from django.db.models import Count
from django.urls import reverse

from annotate.models import ItemMemo, Membership, Project
from annotate.waiting import Waiting, tells_what_waits


@tells_what_waits
def unanswered(user, projects: list[Project]) -> Iterator[tuple[int, Waiting]]:
    leads = Membership.objects.filter(user_id=user.pk, role=Membership.Role.LEAD).values("project_id")
    told = ItemMemo.objects.visible_to(user).filter(item__project__in=leads, closed_at=None)
    told = told.exclude(kind=ItemMemo.Kind.MEMO).order_by()
    slugs = {project.pk: project.slug for project in projects}
    for project_id, n in told.values_list("item__project").annotate(n=Count("pk")):
        text = "One annotator's note to the lead waits." if n == 1 else f"{n} notes to the lead wait for an answer."
        yield project_id, Waiting(text, "Read", reverse("memos", args=[slugs[project_id]]))
