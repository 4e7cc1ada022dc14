"""How often what annotators agree on is wrong, by the checks of agreed runs that were ruled."""

from dataclasses import dataclass
from math import sqrt

from django.db.models import Exists, OuterRef, Subquery

from adjudication.models import FirstLook, Ruling
from annotate.models import Exposure, Project, Submission

Z = 1.959964


@dataclass(frozen=True)
class ConsensusError:
    """`wrong` of `n` ruled checks say something else than the annotators."""

    n: int
    wrong: int

    @property
    def share(self) -> float | None:
        return self.wrong / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(self.wrong, self.n) if self.n else None

    @property
    def low(self) -> int:
        return round(100 * self.interval[0]) if self.interval else 0

    @property
    def high(self) -> int:
        return round(100 * self.interval[1]) if self.interval else 100


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % score interval of a share."""
    p, z2 = k / n, Z * Z
    middle, half = p + z2 / (2 * n), Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def consensus_error(project: Project) -> ConsensusError:
    rulings = list(blind_checks(project))
    named = {each["submission"] for ruling in rulings for each in ruling.basis}
    answers = {
        pk: (outcome, step)
        for pk, outcome, step in Submission.objects.filter(pk__in=named).values_list("pk", "outcome", "critical_step")
    }
    wrong = sum(ruled(ruling) not in {answers[each["submission"]] for each in ruling.basis} for ruling in rulings)
    return ConsensusError(len(rulings), wrong)


def blind_checks(project: Project):
    """Rulings by those who had read none of the annotations when they judged the run themselves."""
    look = FirstLook.objects.filter(case=OuterRef("case"), by=OuterRef("by")).values("at")
    read = Exposure.objects.filter(item=OuterRef("case__item"), user=OuterRef("by"), at__lt=OuterRef("looked_at"))
    checks = Ruling.objects.not_revised().filter(case__item__project=project, case__is_check=True)
    checks = checks.annotate(looked_at=Subquery(look))
    return checks.exclude(Exists(read.exclude(to__in=Exposure.NO_ANNOTATIONS)))


def ruled(ruling: Ruling) -> tuple[str, int | None]:
    return ruling.outcome, next((each["first_step"] for each in ruling.failures if each["is_critical"]), None)
