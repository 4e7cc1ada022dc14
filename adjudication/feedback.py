"""What an annotator may learn of her own labels: rulings on runs she has handed in, once she asks for them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from adjudication.judgements import OUTCOME_WORDS
from adjudication.models import Case, Ruling
from adjudication.study import numbers_of
from annotate.models import Annotation, Exposure, Item, Project, Submission
from taxonomy.models import Category


def cases_to_learn_from(user, project: Project) -> QuerySet[Case]:
    """Ruled cases of runs that she annotated, has handed in, and will not be asked about again. Newest ruling first."""
    handed_in = Annotation.objects.submitted().filter(item=OuterRef("item"), user_id=user.pk)
    may_get = Item.objects.may_get(user).filter(pk=OuterRef("item"))
    opened = Exposure.objects.filter(item=OuterRef("item"), user_id=user.pk, to=Exposure.FEEDBACK)
    ruled = Case.objects.filter(item__project=project, state=Case.State.RULED, ruling__in=Ruling.objects.not_revised())
    ruled = ruled.filter(Exists(handed_in) & ~Exists(may_get)).annotate(is_opened=Exists(opened))
    return ruled.select_related("item__trajectory", "ruling").order_by("-ruling__at", "-pk")


@dataclass(frozen=True)
class Compared:
    what: str
    own: str
    ruled: str

    @property
    def is_same(self) -> bool:
        return self.own == self.ruled


def compared(user, case: Case) -> list[Compared]:
    """Her first submission beside the ruling; of colleagues nothing."""
    own = Submission.objects.filter(annotation__item=case.item, annotation__user=user, annotation__is_current=True)
    first = own.order_by("number").first()
    ruling = case.ruling
    critical: dict[str, Any] = next((each for each in ruling.failures if each.get("is_critical")), {})
    names = dict(Category.objects.filter(version=case.item.project.taxonomy_version_id).values_list("key", "name"))
    rows = [Compared("outcome", OUTCOME_WORDS.get(first.outcome, "–"), OUTCOME_WORDS[ruling.outcome])]
    number = numbers_of(case.item.project, [case.item_id])[case.item_id]
    rows.append(
        Compared("critical step", steps([first.critical_step], number), steps([critical.get("first_step")], number))
    )
    rows.append(Compared("participant", first.participant or "–", critical.get("participant") or "–"))
    rows.append(Compared("category", category(first.category, names), category(category_key(critical), names)))
    ruled_steps = sorted({each["first_step"] for each in ruling.failures if each.get("first_step") is not None})
    rows.append(Compared("steps that fail", steps(first.failure_steps, number), steps(ruled_steps, number)))
    return rows


def category_key(failure: dict[str, Any]) -> str:
    return failure.get("category") or ("none_fits" if failure.get("none_fits") else "")


def category(key: str, names: dict[str, str]) -> str:
    return names.get(key, "none of these" if key == "none_fits" else key) or "–"


def steps(positions: Iterable[int | None], number: Callable[[int], int]) -> str:
    return ", ".join(str(number(position)) for position in positions if position is not None) or "–"
