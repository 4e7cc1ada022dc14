"""Memos of the codebook as one person may read them."""

from django.db.models import Q, QuerySet

from annotate.models import Item, Membership, Project
from taxonomy.models import Memo


def memos_for(user, project: Project, subject: str) -> QuerySet[Memo]:
    """One's own; all to who annotates nothing here any more, and leads' to everybody.

    A colleague's memo may speak of what she saw in a run, and nobody can tell which.
    """
    memos = Memo.objects.filter(taxonomy=project.taxonomy_version.taxonomy_id, subject=subject).select_related("by")
    if not Item.objects.of(project).may_get(user).exists():
        return memos
    annotators = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR).values("user")
    return memos.filter(Q(by=user.pk) | ~Q(by__in=annotators))
