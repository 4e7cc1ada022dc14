"""What one person may see of a project's codes. Everything the codebook's pages show goes through here.

Others' codes are shown by name and definition, and only those that stand on a run the person can no longer get; how
often and where a code stands is counted over the annotations she may see. Nothing here knows of roles but that.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from annotate.models import Annotation, Coding, Failure, FailureCode, Item, Project
from taxonomy.codebook import CATEGORY, CODE, GROUP, Board, Node, code_node, mark_of
from taxonomy.codebook.board import SPLIT
from taxonomy.models import Code


@dataclass(frozen=True)
class Link:
    """A code on a failure that the person may see."""

    code: int
    mark: str
    failure: int
    item: int


@dataclass(frozen=True)
class Seen:
    """`codes` are known to the person by name; `links` are the marks she may see them on."""

    codes: frozenset[int]
    links: tuple[Link, ...]

    @classmethod
    def by(cls, user, project: Project) -> "Seen":
        return cls(codes_known_to(user, project), tuple(links_seen_by(user, project)))

    def homes(self, board: Board, coded: Iterable[tuple[str, int, int]] = ()) -> dict[str, list[Link]]:
        """By living card: the marks that are in it now, with those (category, failure, item) chosen directly."""
        found: dict[str, list[Link]] = defaultdict(list)
        for category, failure, item in coded:
            found[category].append(Link(0, "", failure, item))
        for link in self.links:
            home = board.follow(code_node(link.code), link.mark)
            if isinstance(home, str):
                found[home].append(link)
        return found

    @cached_property
    def nodes(self) -> frozenset[str]:
        return frozenset(map(code_node, self.codes))

    def shown(self, board: Board, public: Iterable[str] = ()) -> frozenset[str]:
        """The cards the person may see: codes she knows and what was made of these, and what is public anyway.

        A group or category of which she knows no code stays hidden: its name may be a code's.
        """
        known = set(self.nodes) | set(public)
        for node in board.nodes.values():  # a split code stands before its parts
            if node.id in known and node.state == SPLIT:
                known |= set(node.to)
        knows_all = not any(is_coined(node) and node.id not in known for node in board.nodes.values())
        for kind in (GROUP, CATEGORY):
            filled = {node.parent for node in board.nodes.values() if node.id in known}
            known |= {n.id for n in board.nodes.values() if n.kind == kind and (n.id in filled or knows_all)}
        return frozenset(known)


def is_coined(node: Node) -> bool:
    return node.kind == CODE and node.id[:1] == "c"  # parts of splits begin with s


def codes_known_to(user, project: Project) -> frozenset[int]:
    closed = Item.objects.of(project).closed_to(user)
    of_project = FailureCode.objects.filter(code__taxonomy=project.taxonomy_version.taxonomy_id)
    elsewhere = of_project.exclude(failure__annotation__item__in=closed).values("code")
    mine = of_project.filter(failure__annotation__user=user.pk).values("code")
    codes = Code.objects.filter(taxonomy=project.taxonomy_version.taxonomy_id)
    known = set(codes.filter(pk__in=elsewhere).values_list("pk", flat=True))
    known |= set(codes.filter(pk__in=mine).values_list("pk", flat=True))
    known |= set(codes.filter(coined_by=user.pk).values_list("pk", flat=True))
    if not closed.exists():  # codes on no mark at all tell nothing to somebody who annotates nothing
        known |= set(codes.exclude(pk__in=of_project.values("code")).values_list("pk", flat=True))
    return frozenset(known)


def annotations_seen_by(user, project: Project) -> QuerySet[Annotation]:
    return Annotation.objects.visible_to(user).current().filter(item__project=project)


def failures_seen_by(user, project: Project) -> QuerySet[Failure]:
    return Failure.objects.filter(annotation__in=annotations_seen_by(user, project))


def coded_seen_by(user, project: Project) -> Iterable[tuple[str, int, int]]:
    """Failures with the category they have under the version in use."""
    rows = Coding.objects.filter(version=project.taxonomy_version_id, category__isnull=False)
    seen = rows.filter(failure__annotation__in=annotations_seen_by(user, project))
    return seen.values_list("category__key", "failure_id", "failure__annotation__item_id")


def links_seen_by(user, project: Project) -> Iterable[Link]:
    rows = FailureCode.objects.filter(failure__annotation__in=annotations_seen_by(user, project)).order_by("pk")
    names = ("code_id", "failure__annotation_id", "failure__key", "failure_id", "failure__annotation__item_id")
    for code, annotation, key, failure, item in rows.values_list(*names):
        yield Link(code, mark_of(annotation, key), failure, item)
