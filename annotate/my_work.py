"""What one person has to do, project by project; nothing in it depends on a single colleague's work."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Count
from django.utils import timezone

from annotate.models import Annotation, Assignment, Item, Membership, Project
from annotate.waiting import Waiting, waiting_for

# Exact numbers left would tell when a colleague's work settles an item.
ROUNDS = (200, 100, 50, 20, 10)


@dataclass
class Work:
    project: Project
    roles: list[str]
    held: list[Assignment] = field(default_factory=list)
    submitted: int = 0
    left: int = 0
    waiting: list[Waiting] = field(default_factory=list)

    @property
    def annotates(self) -> bool:
        return Membership.Role.ANNOTATOR in self.roles

    @property
    def may_take_another(self) -> bool:
        """Runs are handed out one at a time: who holds one would be given the same again."""
        holds_one = any(turn.held_until > timezone.now() for turn in self.held)
        return bool(self.annotates and self.left and not self.project.closed_at and not holds_one)

    @property
    def may_see_overview(self) -> bool:
        return bool({Membership.Role.LEAD, Membership.Role.VIEWER} & set(self.roles))

    @property
    def left_in_words(self) -> str:
        return left_in_words(self.left)


def left_in_words(left: int) -> str:
    if not left:
        return "No run is left for you here right now."
    for bound in ROUNDS:
        if left > bound:
            return f"More than {bound} runs are left."
    return "At most 10 runs are left."


def my_work(user) -> list[Work]:
    """Projects in which runs are held come first, closed ones last."""
    roles = defaultdict(list)
    for project_id, role in Membership.objects.filter(user=user).order_by("pk").values_list("project_id", "role"):
        roles[project_id].append(role)
    projects = list(Project.objects.visible_to(user).order_by("name", "pk"))
    held, submitted, left = held_by(user), submitted_by(user), left_for(user)
    waiting = waiting_for(user, projects)
    work = [
        Work(
            project=project,
            roles=roles[project.pk],
            held=held[project.pk] if Membership.Role.ANNOTATOR in roles[project.pk] else [],
            submitted=submitted.get(project.pk, 0),
            left=left.get(project.pk, 0),
            waiting=waiting[project.pk],
        )
        for project in projects
    ]
    return sorted(work, key=lambda one: (one.project.closed_at is not None, not one.held))


def held_by(user) -> dict[int, list[Assignment]]:
    found: dict[int, list[Assignment]] = defaultdict(list)
    mine = Assignment.objects.visible_to(user).filter(state=Assignment.State.HELD)
    mine = mine.select_related("item__trajectory").defer("item__trajectory__layers", "item__trajectory__origin")
    for assignment in mine.order_by("claimed_at"):
        found[assignment.item.project_id].append(assignment)
    return found


def submitted_by(user) -> dict[int, int]:
    mine = Annotation.objects.submitted().filter(user=user)
    return dict(mine.values_list("item__project").annotate(n=Count("pk")))


def left_for(user) -> dict[int, int]:
    """Runs not begun by this person that may still be handed out, as they know it."""
    open_items = Item.objects.may_get(user).exclude(assignments__user=user, assignments__state=Assignment.State.HELD)
    return dict(open_items.filter(project__closed_at=None).values_list("project").annotate(n=Count("pk")))
