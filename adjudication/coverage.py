"""Where gold is and where it is missing: by the domain of the run and by the critical category."""

from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.db.models import Count, Q

from adjudication.models import GoldLabel
from annotate.models import Item, Project
from taxonomy.models import Category

GOLD = Q(gold__field=GoldLabel.Field.OUTCOME)


@dataclass(frozen=True)
class Covered:
    name: str
    n: int
    of: int | None = None  # runs there are; how many a category should have, nobody knows
    query: str = field(default="", compare=False)  # of the list of runs that have it; empty where no link leads there


def by_domain(project: Project, left_out: Collection[int] = ()) -> list[Covered]:
    rows = Item.objects.of(project).exclude(pk__in=left_out).values_list("trajectory__domain")
    rows = rows.annotate(of=Count("pk", distinct=True), n=Count("pk", filter=GOLD, distinct=True)).order_by(
        "trajectory__domain"
    )
    return [Covered(domain or "no domain", n, of, domain and urlencode({"domain": domain})) for domain, of, n in rows]


def by_category(project: Project, left_out: Collection[int] = ()) -> list[Covered]:
    """Every category of the project's version, those without gold too, then what is coded otherwise."""
    labels = GoldLabel.objects.filter(item__project=project, field=GoldLabel.Field.CATEGORY).exclude(value=None)
    labels = labels.exclude(item__in=left_out)
    found = dict(labels.values_list("value").annotate(n=Count("pk")).order_by())
    names = dict(Category.objects.filter(version=project.taxonomy_version_id).values_list("key", "name"))
    names |= {key: "none fits" if key == "none_fits" else str(key) for key in sorted(found) if key not in names}
    return [Covered(name, found.get(key, 0), query=urlencode({"category": key})) for key, name in names.items()]
