"""Categories under another version: written where they are clear, left open where somebody has to say."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.actions.revisions import append
from annotate.codebook.marks import Held, held, submitted_failures, uncoded
from annotate.codebook.recoding import Coded, Decision, Unclear, decide
from annotate.errors import NotAccepted
from annotate.fold import apply, fold
from annotate.models import Annotation, Coding, Failure, Project
from annotate.protocols import protocol_of
from annotate.rows import PatchWriter, write_answers
from people.actions import audit
from people.models import User
from taxonomy.models import TaxonomyVersion
from taxonomy.queries import board_of_version

RECODE = "recode"


class NotFrozen(NotAccepted):
    """A project takes up, and recodes to, versions that no longer change."""

    code = "not_frozen"


class OtherTaxonomy(NotAccepted):
    code = "other_taxonomy"


@dataclass(frozen=True)
class Recoded:
    """How many failures got a category under the version by themselves, and how many wait for somebody."""

    coded: int
    unclear: int
    still_none: int


def check_version(project: Project, version: TaxonomyVersion) -> None:
    if version.taxonomy_id != project.taxonomy_version.taxonomy_id:
        raise OtherTaxonomy(f"{version} is not a version of this project's taxonomy")
    if not version.is_frozen:
        raise NotFrozen(f"{version} is a draft; freeze it first")


@transaction.atomic
def recode(*, project: Project, version: TaxonomyVersion, by: User) -> Recoded:
    """Give every submitted failure its category under the version where that is clear. Doing it twice does no harm."""
    check_version(project, version)
    done = write_clear(decisions_for(submitted_failures(project), version), version, by)
    if done.coded:
        facts = {"version": version.number, "coded": done.coded, "unclear": done.unclear}
        audit("recoded", version, by=by, project=project.slug, **facts)
    return done


def recode_submitted(annotation: Annotation, by: User) -> None:
    """What was just handed in under a frozen version gets the categories its codes were promoted into."""
    version = annotation.item.project.taxonomy_version
    failures = Failure.objects.filter(annotation=annotation)
    if version.is_frozen and uncoded(failures, version).filter(codes__isnull=False).exists():
        write_clear(decisions_for(failures, version), version, by)


def decisions_for(failures: QuerySet[Failure], version: TaxonomyVersion) -> list[tuple[Held, Decision]]:
    """For each failure without a category under the version: what it becomes, or why that is unclear."""
    board = board_of_version(version)
    return [(each, decide(board, each.marked)) for each in held(uncoded(failures, version), version)]


def write_clear(decisions: list[tuple[Held, Decision]], version: TaxonomyVersion, by: User) -> Recoded:
    keys = dict(version.categories.values_list("key", "pk"))
    now = timezone.now()
    rows = [
        Coding(
            failure_id=each.failure,
            version=version,
            category_id=keys[decision.category],
            by=by,
            event=f"{decision.how} v{version.number}",
            at=now,
        )
        for each, decision in decisions
        if isinstance(decision, Coded)
    ]
    Coding.objects.bulk_create(rows, ignore_conflicts=True, batch_size=1000)
    unclear = sum(isinstance(decision, Unclear) for _, decision in decisions)
    return Recoded(len(rows), unclear, len(decisions) - len(rows) - unclear)


def carry_over(annotation: Annotation, version: TaxonomyVersion, by: User) -> None:
    """Say a draft's categories in the words of the version, as one more revision; what is unclear is open again.

    Nothing is undone past it: that would ask for categories of the version before.
    """
    state = fold(annotation.revisions.all()).state
    now = categories_now(annotation, version)
    patch = {
        key: {"category": now[key], "none_fits": False} if key in now else {"category": None}
        for key, failure in state["failures"].items()
        if failure["category"] != now.get(key)
    }
    ends_undo = bool(patch or annotation.undoable or annotation.redoable)
    writer = PatchWriter(annotation, version, by, f"revision {annotation.revision + ends_undo}")
    writer.write({"failures": {key: {"category": category} for key, category in now.items()} | patch})
    if ends_undo:
        after, inverse = apply(state, {"failures": patch})
        write_answers(annotation, protocol_of(annotation.item.project.protocol).answers(after))
        key, payload = f"{RECODE}-{annotation.revision + 1}", {"version": version.number}
        append(annotation, by, key, RECODE, payload, {"failures": patch}, inverse)
        annotation.save()


def categories_now(annotation: Annotation, version: TaxonomyVersion) -> dict[str, str]:
    """By key: the category each failure has under the version, or clearly gets."""
    failures = Failure.objects.filter(annotation=annotation)
    keys = dict(failures.values_list("pk", "key"))
    rows = Coding.objects.filter(failure__in=keys, version=version, category__isnull=False)
    now = {keys[pk]: category for pk, category in rows.values_list("failure_id", "category__key")}
    for each, decision in decisions_for(failures, version):
        if isinstance(decision, Coded):
            now[keys[each.failure]] = decision.category
    return now
