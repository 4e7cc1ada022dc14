"""Figures over a project's codes: root causes by domain, and saturation.

They are counted over annotations handed in, never over runs that their reader may still get or has to judge first.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.codebook.marks import categories_under
from annotate.models import Annotation, FailureCode, Item, Project, Submission
from taxonomy.codebook import Board, code_node, mark_of
from taxonomy.models import TaxonomyVersion
from taxonomy.saturation import Saturation, saturation

NONE_FITS, NOT_CODED = "none_fits", ""


def annotations_for_figures(user, project: Project) -> QuerySet[Annotation]:
    closed = Item.objects.of(project).closed_to(user)
    return Annotation.objects.submitted().filter(item__project=project).exclude(item__in=closed)


@dataclass(frozen=True)
class Share:
    n: int
    of: int

    @property
    def percent(self) -> float:
        return 100 * self.n / self.of


@dataclass(frozen=True)
class Shares:
    """Of the critical failures of each domain, the share of each category; `rows`: (key, name, a share per domain)."""

    domains: tuple[str, ...]
    totals: tuple[int, ...]
    rows: tuple[tuple[str, str, tuple[Share, ...]], ...]


def root_causes(annotations: QuerySet[Annotation], version: TaxonomyVersion) -> Shares:
    """Each annotation counts once, with the critical failure it was last handed in with."""
    submissions = (
        Submission.objects.filter(annotation__in=annotations, outcome="critical")
        .order_by("annotation", "-number")
        .distinct("annotation")
        .select_related("annotation__item__trajectory")
        .defer("annotation__item__trajectory__layers", "annotation__item__trajectory__origin", "annotation__raw")
    )
    rows = list(submissions)
    under = categories_under(version, [row.annotation_id for row in rows])
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row.annotation.item.trajectory.domain][category_of(row, version, under)] += 1
    return shares_of(counts, version)


def category_of(row: Submission, version: TaxonomyVersion, under: dict[int, dict[str, str | None]]) -> str:
    critical = row.state["answers"]["critical"]
    known = under.get(row.annotation_id, {})
    if row.version_id == version.pk and row.category:
        return row.category
    if critical in known:
        return known[critical] or NONE_FITS
    return NONE_FITS if row.category == NONE_FITS else NOT_CODED


def shares_of(counts: dict[str, Counter[str]], version: TaxonomyVersion) -> Shares:
    domains = tuple(sorted(counts))
    totals = tuple(counts[domain].total() for domain in domains)
    names = dict(version.categories.values_list("key", "name"))
    extra = {NONE_FITS: "none fits", NOT_CODED: f"no category under version {version.number}"}
    used = {key for found in counts.values() for key in found}
    keys = [*names, *(key for key in extra if key in used)]
    rows = tuple(
        (
            key,
            names.get(key) or extra[key],
            tuple(Share(counts[domain][key], total) for domain, total in zip(domains, totals, strict=True)),
        )
        for key in keys
    )
    return Shares(domains, totals, rows)


@dataclass(frozen=True)
class CodedRuns:
    """`left_out` annotations were asked for by routing: chosen runs tell nothing about how soon codes run out."""

    by_domain: dict[str, Saturation]
    left_out: int


def saturation_of(annotations: QuerySet[Annotation], board: Board, seed: int) -> CodedRuns:
    """Over the annotations handed out at random. A run's codes are what all its annotators marked, as they live now."""
    planned = annotations.filter(submissions__number=1, submissions__planned=True)
    facts = dict(planned.values_list("pk", "item_id"))
    domains = dict(planned.values_list("item_id", "item__trajectory__domain"))
    codes: dict[int, list[str]] = defaultdict(list)
    links = FailureCode.objects.filter(failure__annotation__in=planned).order_by("pk")
    for annotation, key, code in links.values_list("failure__annotation_id", "failure__key", "code_id"):
        home = board.follow(code_node(code), mark_of(annotation, key))
        if isinstance(home, str):
            codes[facts[annotation]].append(home)
    found = {
        domain: of_items([item for item, own in domains.items() if own == domain], codes, seed)
        for domain in sorted(set(domains.values()))
    }
    kept = {domain: value for domain, value in found.items() if value.codes}
    return CodedRuns(kept, annotations.count() - len(facts))


def of_items(items: Iterable[int], codes: dict[int, list[str]], seed: int) -> Saturation:
    """A code counts once on a run: its annotators mark the same failures, and a failure may repeat itself there."""
    runs = [set(codes.get(item, ())) for item in sorted(items)]
    return saturation(runs, [code for run in runs for code in sorted(run)], seed=seed)
