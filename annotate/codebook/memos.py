"""Memos of the codebook as one person may read them."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q

from annotate.models import Annotation, Item, Membership, Project
from taxonomy.models import Memo


def memos_on(user, project: Project, subjects: Iterable[str]) -> dict[str, list[Memo]]:
    """By subject. One's own; all to who annotates nothing here any more, and leads' to everybody.

    A colleague's memo may speak of what she saw in a run, and nobody can tell which.
    """
    memos = Memo.objects.filter(taxonomy=project.taxonomy_version.taxonomy_id, subject__in=list(subjects))
    if Item.objects.of(project).may_get(user).exists():
        annotators = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR).values("user")
        annotated = Annotation.objects.filter(item__project=project).values("user")  # in the role no longer, perhaps
        memos = memos.filter(Q(by=user.pk) | ~Q(by__in=annotators) & ~Q(by__in=annotated))
    found: dict[str, list[Memo]] = defaultdict(list)
    for memo in memos.select_related("by"):
        found[memo.subject].append(memo)
    return found


def memos_for(user, project: Project, subject: str) -> list[Memo]:
    return memos_on(user, project, [subject])[subject]
