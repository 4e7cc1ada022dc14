"""Confused categories and rulings that found a category unclear, as evidence for merging, splitting or sharpening."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations

from django.urls import reverse

from adjudication.answers import Arm, answers_of, recoded
from adjudication.models import Case, Ruling
from annotate.codebook.evidence import Evidence, tells_evidence
from annotate.models import Item, Project
from annotate.policy import LEAD, roles_of

MOST = 8
LINKED = 5


@tells_evidence
def confused(user, project: Project) -> Iterator[Evidence]:
    """Pairs of categories that two people gave to the critical failure of one run, over runs closed to the reader."""
    if LEAD not in roles_of(user, project):
        return
    closed = set(Item.objects.of(project).closed_to(user).values_list("pk", flat=True))
    version = project.taxonomy_version
    answers = [each for each in answers_of(project) if each.arm == Arm.BLIND and each.item not in closed]
    by_item: dict[int, set[str]] = defaultdict(set)
    for given, each in zip(answers, recoded(answers, version), strict=True):
        category = each.judgement.category or given.judgement.category
        if category:
            by_item[each.item].add(category)
    pairs: Counter[tuple[str, str]] = Counter()
    behind: dict[tuple[str, str], list[int]] = defaultdict(list)
    for item, categories in by_item.items():
        for pair in combinations(sorted(categories), 2):
            pairs[pair] += 1
            behind[pair].append(item)
    names = {"none_fits": "none fits", **dict(version.categories.values_list("key", "name"))}
    for pair, n in pairs.most_common(MOST):
        a, b = (names.get(key, key) for key in pair)
        runs = "run" if n == 1 else "runs"
        text = f"On {n} {runs} one said “{a}” and another “{b}” of the critical failure."
        yield Evidence(pair, text, n, cases_of(user, behind[pair]))


@tells_evidence
def unclear(user, project: Project) -> Iterator[Evidence]:
    """Rulings whose cause is that a category is unclear."""
    seen = Case.objects.visible_to(user).filter(item__project=project, state=Case.State.RULED)
    rulings = Ruling.objects.not_revised().filter(case__in=seen, cause=Ruling.Cause.CATEGORY_UNCLEAR)
    by_category: dict[str, list[int]] = defaultdict(list)
    for case, failures in rulings.order_by("-at").values_list("case_id", "failures"):
        critical = next((each.get("category") for each in failures if each.get("is_critical")), None)
        by_category[critical or "none_fits"].append(case)
    names = {"none_fits": "none fits", **dict(project.taxonomy_version.categories.values_list("key", "name"))}
    for key, cases in by_category.items():
        n = len(cases)
        said = "A ruling" if n == 1 else f"{n} rulings"
        text = f"{said} for “{names.get(key, key)}” found that a category is unclear."
        yield Evidence((key,), text, n, tuple(links(cases)))


def cases_of(user, items: list[int]) -> tuple[tuple[str, str], ...]:
    seen = Case.objects.visible_to(user).filter(item__in=items).order_by("-pk").values_list("pk", flat=True)
    return tuple(links(list(seen)))


def links(cases: list[int]) -> Iterator[tuple[str, str]]:
    for pk in cases[:LINKED]:
        yield f"case {pk}", reverse("case", args=[pk])
