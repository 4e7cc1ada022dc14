"""How far a version's categories cover what people mark: the share of failures for which they say that none fits."""

from dataclasses import dataclass

from annotate.codebook.seen import annotations_seen_by
from annotate.models import Coding, Failure, Project
from taxonomy.models import TaxonomyVersion


@dataclass(frozen=True)
class Coverage:
    """Over the failures of annotations handed in under the version, as far as the reader may see them."""

    failures: int
    none_fits: int
    without: int  # neither a category nor that none fits

    @property
    def answered(self) -> int:
        return self.failures - self.without

    @property
    def covered(self) -> float | None:
        return (self.answered - self.none_fits) / self.answered if self.answered else None


def coverage(user, project: Project, version: TaxonomyVersion) -> Coverage:
    """`submissions__version`: what was handed in before the version was taken up does not tell how well it fits."""
    seen = annotations_seen_by(user, project).filter(state="submitted", submissions__version=version)
    failures = Failure.objects.filter(annotation__in=seen)
    coded = Coding.objects.filter(version=version, failure__in=failures, category__isnull=False)
    total, none = failures.count(), failures.filter(none_fits=True).exclude(pk__in=coded.values("failure")).count()
    return Coverage(total, none, total - none - coded.count())
