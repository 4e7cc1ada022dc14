"""Failures as the codebook knows them: their marks, their codes, their categories under a version."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.codebook.recoding import BY_CODES, Marked
from annotate.models import Annotation, Coding, Failure, FailureCode, Project, Submission
from taxonomy.codebook import mark_of
from taxonomy.models import TaxonomyVersion


@dataclass(frozen=True)
class Held:
    """A failure's row beside what recoding has to know of it."""

    failure: int
    annotation: int
    marked: Marked


def submitted_failures(project: Project) -> QuerySet[Failure]:
    """The marks that stand: drafts follow the project's version by themselves."""
    annotations = Annotation.objects.submitted().filter(item__project=project)
    return Failure.objects.filter(annotation__in=annotations).order_by("pk")


def uncoded(failures: QuerySet[Failure], version: TaxonomyVersion) -> QuerySet[Failure]:
    coded = Coding.objects.filter(version=version).values("failure")
    return failures.exclude(pk__in=coded)


def held(failures: QuerySet[Failure], version: TaxonomyVersion) -> Iterator[Held]:
    """The failures with their latest coding under an earlier version, by a number of queries that is flat."""
    rows = list(failures.values_list("pk", "annotation_id", "key", "none_fits"))
    ids = [pk for pk, *_ in rows]
    codes, before = codes_by_failure(ids), codings_before(ids, version)
    here = answered_under(version, {annotation for _, annotation, *_ in rows})
    for pk, annotation, key, none_fits in rows:
        category, event = before.get(pk, (None, ""))
        by_codes = event.startswith(BY_CODES)
        mark = mark_of(annotation, key)
        yield Held(pk, annotation, Marked(mark, codes.get(pk, ()), category, by_codes, none_fits, annotation in here))


def answered_under(version: TaxonomyVersion, annotations: Iterable[int]) -> set[int]:
    """The annotations last handed in under this version."""
    rows = Submission.objects.filter(annotation__in=list(annotations)).order_by("annotation", "-number")
    last = rows.distinct("annotation").values_list("annotation_id", "version_id")
    return {annotation for annotation, under in last if under == version.pk}


def codes_by_failure(failures: Iterable[int]) -> dict[int, tuple[int, ...]]:
    found: dict[int, list[int]] = defaultdict(list)
    links = FailureCode.objects.filter(failure__in=list(failures)).order_by("failure", "order", "pk")
    for failure, code in links.values_list("failure_id", "code_id"):
        found[failure].append(code)
    return {failure: tuple(codes) for failure, codes in found.items()}


def codings_before(failures: list[int], version: TaxonomyVersion) -> dict[int, tuple[str | None, str]]:
    """By failure: key and origin of the coding under the nearest earlier version that has one."""
    rows = Coding.objects.filter(
        failure__in=failures, version__taxonomy=version.taxonomy_id, version__number__lt=version.number
    )
    ordered = rows.order_by("version__number").values_list("failure_id", "category__key", "event")
    return {failure: (category, event) for failure, category, event in ordered}


def categories_under(version: TaxonomyVersion, annotations: Iterable[int]) -> dict[int, dict[str, str | None]]:
    """By annotation and failure key: the category under the version; None says that none fits, absence that none is known."""
    found: dict[int, dict[str, str | None]] = defaultdict(dict)
    rows = Coding.objects.filter(version=version, failure__annotation__in=list(annotations))
    for annotation, key, category in rows.values_list("failure__annotation_id", "failure__key", "category__key"):
        found[annotation][key] = category
    return found
