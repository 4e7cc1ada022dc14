"""Versions and recoding in a project: freeze, adopt, recode."""

from django.db import transaction
from django.utils import timezone

from annotate.actions.recoding import Recoded, carry_over, check_version, recode
from annotate.codebook.recoding import BY_HAND
from annotate.errors import NotAccepted
from annotate.models import Annotation, Coding, Failure, Project
from people.actions import audit
from people.models import User
from taxonomy.actions import freeze_board
from taxonomy.models import Category, TaxonomyVersion


class GoesBack(NotAccepted):
    code = "goes_back"


@transaction.atomic
def freeze_version(*, project: Project, summary: str, by: User) -> TaxonomyVersion:
    """Freeze the board and recode what is clear. The project goes on with its version until it takes up this one."""
    version = freeze_board(taxonomy=project.taxonomy_version.taxonomy, summary=summary, by=by)
    recode(project=project, version=version, by=by)
    return version


@transaction.atomic
def adopt_version(*, project: Project, version: TaxonomyVersion, by: User) -> Recoded:
    """From now on people choose from this version's categories: closed coding. Drafts are carried over."""
    project = Project.objects.select_for_update(of=("self",)).select_related("taxonomy_version").get(pk=project.pk)
    before = project.taxonomy_version
    check_version(project, version)
    check_forward(before, version)
    project.taxonomy_version, project.coding = version, Project.Coding.CLOSED
    project.save(update_fields=["taxonomy_version", "coding"])
    done = recode(project=project, version=version, by=by)
    drafts = Annotation.objects.current().filter(item__project=project, state=Annotation.State.DRAFT)
    for draft in drafts.order_by("pk").select_for_update():  # whoever saves one this moment is waited for
        carry_over(draft, version, by)
    facts = {"version": version.number, "coded": done.coded, "unclear": done.unclear}
    audit("version taken up", project, by=by, project=project.slug, **facts)
    return done


def check_forward(before: TaxonomyVersion, version: TaxonomyVersion) -> None:
    if version.number < before.number:
        raise GoesBack(f"the project codes by {before} already; exports and figures can be had under {version} anyway")


@transaction.atomic
def recode_by_hand(
    *, failure: Failure, version: TaxonomyVersion, category: Category | None, reason: str, by: User
) -> Coding:
    """Say what a failure is under the version; None says that none of its categories fits."""
    facts = {
        "category": category,
        "by": by,
        "event": f"{BY_HAND} v{version.number}",
        "at": timezone.now(),
    }
    coding, _ = Coding.objects.update_or_create(failure=failure, version=version, defaults=facts)
    said = {"category": category.key if category else "none_fits", "reason": reason.strip()}
    project = failure.annotation.item.project.slug
    audit("failure recoded", coding, by=by, project=project, version=version.number, **said)
    return coding
