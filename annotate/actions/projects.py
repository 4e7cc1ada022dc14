import hashlib
from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import Annotation, Exposure, Item, Membership, Project
from annotate.protocols import protocol_of
from people.actions import audit
from people.models import User
from taxonomy.actions import create_taxonomy
from traces.models import Dataset, Trajectory


class ProjectExists(Exception):
    def __init__(self, slug: str):
        super().__init__(f"there is already a project “{slug}”; choose another slug")


class NoSuchDataset(Exception):
    def __init__(self, slug: str):
        super().__init__(f"there is no dataset “{slug}”; leave it out to make one of the project's name")


@transaction.atomic
def create_project(
    *,
    slug: str,
    by: User,
    name: str = "",
    dataset: str = "",
    protocol: str = "attribution",
    taxonomy: str = "agentrx",
    overlap: int = 2,
    reveal: str = Project.Reveal.NEVER,
    reveal_unit: str = Project.RevealUnit.TRAJECTORY,
    reveal_share: int = 50,
    lead: User | None = None,
) -> Project:
    """A project with its own taxonomy from a preset; AgentRx's shows annotators the script and the expected answer."""
    if Project.objects.filter(slug=slug).exists():
        raise ProjectExists(slug)
    chosen = protocol_of(protocol)
    version = create_taxonomy(slug=slug, name=name or slug, preset=taxonomy, by=by)
    project = Project.objects.create(
        slug=slug,
        name=name or slug,
        dataset=dataset_of(slug, name, dataset),
        protocol=protocol,
        taxonomy_version=version,
        coding=Project.Coding.CLOSED if version.categories.exists() else Project.Coding.OPEN,
        overlap=overlap,
        reveal=reveal,
        reveal_unit=reveal_unit,
        reveal_share=reveal_share,
        layers=list(chosen.optional_layers) if taxonomy == "agentrx" else [],
    )
    put_items(project)
    facts = {"protocol": protocol, "taxonomy": taxonomy, "overlap": overlap, "reveal": reveal}
    audit("project created", project, by=by, project=slug, **facts)
    if lead is not None:
        add_member(project=project, user=lead, role=Membership.Role.LEAD, by=by)
    return project


def dataset_of(slug: str, name: str, wanted: str) -> Dataset:
    if not wanted:
        return Dataset.objects.get_or_create(slug=slug, defaults={"name": name or slug})[0]
    found = Dataset.objects.filter(slug=wanted).first()
    if found is None:
        raise NoSuchDataset(wanted)
    return found


@transaction.atomic
def add_member(*, project: Project, user: User, role: str, by: User) -> Membership:
    """Who could already see colleagues' annotations of an item does not get that item when she starts to annotate."""
    held = {membership.role: membership for membership in Membership.objects.filter(project=project, user=user)}
    if role in held:
        return held[role]
    if role == Membership.Role.ANNOTATOR and held:
        note_what_was_visible(project, user)
    membership = Membership.objects.create(project=project, user=user, role=role)
    audit("member added", membership, by=by, project=project.slug, user=user.username, role=role)
    return membership


def note_what_was_visible(project: Project, user: User) -> None:
    seen = Annotation.objects.within_reach_of(user).filter(item__project=project).exclude(user=user)
    note_exposure(user, seen)


def note_who_could_see(project: Project, items: Iterable[int]) -> None:
    """Before settled items are put to annotators again: who could see colleagues' work there in another role, through
    pages, figures or files, does not get them. Nor do adjudicators who annotate only later: then it is out of reach."""
    handed_in = Annotation.objects.submitted().filter(item__in=list(items), item__project=project)
    roles = Membership.objects.filter(project=project)
    others = roles.exclude(role=Membership.Role.ANNOTATOR).values("user")
    annotators = roles.filter(role=Membership.Role.ANNOTATOR)
    for membership in annotators.filter(user__in=others).select_related("user"):
        note_exposure(membership.user, handed_in.exclude(user=membership.user))
    adjudicators = roles.filter(role=Membership.Role.ADJUDICATOR).exclude(user__in=annotators.values("user"))
    for membership in adjudicators.select_related("user"):
        note_exposure(membership.user, handed_in.exclude(user=membership.user), to=Exposure.WITHIN_REACH)


def note_what_is_shown(user: User, items: Iterable[int]) -> None:
    """A page tells her what colleagues handed in on these items."""
    handed_in = Annotation.objects.visible_to(user).submitted().filter(item__in=list(items))
    note_exposure(user, handed_in.exclude(user=user))


def note_exposure(user: User, seen: QuerySet[Annotation], to: str = "annotations") -> None:
    items = seen.order_by().values_list("item_id", flat=True).distinct()
    Exposure.objects.bulk_create(
        [Exposure(item_id=pk, user=user, to=to) for pk in items], ignore_conflicts=True, batch_size=1000
    )


def put_items(project: Project) -> int:
    """An item for every trajectory of the dataset that has none yet; handed out in an order fixed by the seed."""
    new = Trajectory.objects.filter(dataset=project.dataset_id).exclude(items__project=project)
    items = [
        Item(project=project, trajectory_id=pk, order=place(project, source, external_id), wanted=project.overlap)
        for pk, source, external_id in new.values_list("pk", "source", "external_id")
    ]
    return len(Item.objects.bulk_create(items, ignore_conflicts=True, batch_size=1000))


def place(project: Project, source: str, external_id: str) -> int:
    drawn = hashlib.sha256(f"{project.seed}\n{source}\n{external_id}".encode()).digest()
    return int.from_bytes(drawn[:4], "big") >> 1
