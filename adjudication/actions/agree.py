from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudication.agreement import agreement
from adjudication.answers import basis_by_item, blind_judgements, mark_positions
from adjudication.bootstrap import Bootstrap
from adjudication.comparisons import Comparisons, SetComparison
from adjudication.intervals import with_intervals_of
from adjudication.judgements import Study
from adjudication.models import AgreementFigures, KeptComparisons
from adjudication.study import facts_of
from annotate.models import Project


def recompute(project: Project) -> AgreementFigures:
    """Values and intervals of the project, everything compared anew. The same rows give the same figures."""
    as_of = timezone.now()
    judgements = blind_judgements(project)
    comparisons = Comparisons(positions=mark_positions(project))
    figures = agreement(Study.of(facts_of(project), judgements), bootstrap_of(project), comparisons)
    keep_comparisons(project, comparisons, basis_by_item(judgements))
    return keep_with_intervals(project, figures, as_of)


def recompute_values(project: Project) -> AgreementFigures:
    """Values only, comparing nothing but the items whose submissions have changed; intervals stay as they were.

    The same rows give the same values as `recompute`.
    """
    as_of = timezone.now()
    judgements = blind_judgements(project)
    basis = basis_by_item(judgements)
    kept = kept_comparisons(project, basis)
    touched = [item for item in basis if item not in kept]
    comparisons = Comparisons(kept=kept, positions=mark_positions(project, touched))
    study = Study.of(facts_of(project), judgements)
    figures = agreement(study, Bootstrap(b=0, seed=project.seed), comparisons)
    keep_comparisons(project, comparisons, basis)
    figures["bootstrap"] = bootstrap_of(project).told
    return keep_values(project, figures, as_of)


def bootstrap_of(project: Project) -> Bootstrap:
    return Bootstrap(seed=project.seed)


@transaction.atomic
def keep_with_intervals(project: Project, figures: dict[str, Any], as_of: datetime) -> AgreementFigures:
    """Intervals take their time: where newer values came in meanwhile, only the intervals are kept."""
    row = kept_for(project)
    if row.figures and row.as_of > as_of:
        row.figures = with_intervals_of(figures, row.figures)
    else:
        row.figures, row.as_of = {"project": project.slug, **figures}, as_of
    row.intervals_as_of = as_of
    row.save()
    return row


@transaction.atomic
def keep_values(project: Project, figures: dict[str, Any], as_of: datetime) -> AgreementFigures:
    row = kept_for(project)
    if not row.figures or row.as_of <= as_of:
        row.figures, row.as_of = {"project": project.slug, **with_intervals_of(row.figures, figures)}, as_of
        row.save()
    return row


def kept_for(project: Project) -> AgreementFigures:
    """The row of the project, locked."""
    AgreementFigures.objects.get_or_create(project=project)
    return AgreementFigures.objects.select_for_update().get(project=project)


def kept_comparisons(project: Project, basis: dict[str, list[int]]) -> dict[str, SetComparison | None]:
    """Those that rest on exactly the submissions of now."""
    row = KeptComparisons.objects.filter(project=project).first()
    return {
        item: None if compared is None else SetComparison(*compared)
        for item, (submissions, compared) in (row.by_item if row else {}).items()
        if basis.get(item) == submissions
    }


def keep_comparisons(project: Project, comparisons: Comparisons, basis: dict[str, list[int]]) -> None:
    if not comparisons.made:
        return
    by_item = {
        item: [basis[item], compared]
        for item, compared in {**comparisons.kept, **comparisons.made}.items()
        if item in basis
    }
    KeptComparisons.objects.bulk_create(
        [KeptComparisons(project=project, by_item=by_item)],
        update_conflicts=True,
        unique_fields=["project"],
        update_fields=["by_item"],
    )
