"""The cases that wait for one person's ruling, which of them are asked for, and where among them a case stands."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef
from django.utils import timezone

from adjudication.do_next import SIGNS
from adjudication.models import Case, Ruling
from annotate.models import Project, Submission

JUDGE_FIRST = "judge_first"  # beside the kinds of reasons: cases that tell none yet
AGES = {"1": "older than a day", "7": "older than a week", "30": "older than a month"}
MAX_TEXT = 200


@dataclass(frozen=True)
class QueueFilter:
    """What of the queue is asked for. A case to be judged first is in no filter that would tell what differs."""

    kind: str = ""
    domain: str = ""
    category: str = ""
    age: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "QueueFilter":
        kind, age = given.get("kind", ""), given.get("age", "")
        domain, category = (given.get(name, "").replace("\0", "")[:MAX_TEXT] for name in ("domain", "category"))
        return cls(kind if kind in SIGNS or kind == JUDGE_FIRST else "", domain, category, age if age in AGES else "")

    @property
    def fields(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def query(self) -> str:
        return urlencode(self.fields)

    def added_to(self, url: str) -> str:
        return f"{url}?{self.query}" if self else url

    def __bool__(self) -> bool:
        return bool(self.fields)

    def narrow(self, cases, user):
        if self.kind == JUDGE_FIRST:
            cases = cases.filter(pk__in=Case.objects.closed_to(user).values("pk"))
        elif self.kind:
            cases = told(cases, user).filter(reasons__contains=[{"kind": self.kind}])
        if self.category:
            named = Submission.objects.filter(
                annotation__item=OuterRef("item_id"), annotation__is_current=True, category=self.category
            )
            cases = told(cases, user).filter(Exists(named))
        if self.domain:
            cases = cases.filter(item__trajectory__domain=self.domain)
        if self.age:
            cases = cases.filter(opened_at__lt=timezone.now() - timedelta(days=int(self.age)))
        return cases


ALL = QueueFilter()


def told(cases, user):
    """Those of which this person may know what differs."""
    return cases.exclude(pk__in=Case.objects.closed_to(user).values("pk"))


def queue_of(user, project: Project, state: str, asked: QueueFilter = ALL):
    """Oldest first; what is over, newest first."""
    cases = asked.narrow(Case.objects.visible_to(user).filter(item__project=project, state=state), user)
    cases = cases.annotate(is_closed=Exists(Case.objects.closed_to(user).filter(pk=OuterRef("pk"))))
    later = Ruling.objects.filter(case__item=OuterRef("item"), pk__gt=OuterRef("ruling__pk"))
    cases = cases.annotate(is_superseded=Exists(later))
    order = ("opened_at", "pk") if state == Case.State.OPEN else ("-closed_at", "-pk")
    cases = cases.select_related("item__trajectory", "ruling")
    return cases.defer("item__trajectory__layers", "item__trajectory__origin", "draft").order_by(*order)


def counts_by_kind(user, project: Project) -> dict[str, int]:
    open_cases = Case.objects.visible_to(user).open().filter(item__project=project)
    reasons = told(open_cases, user).values_list("reasons", flat=True)
    found = Counter(kind for each in reasons for kind in {reason["kind"] for reason in each})
    found[JUDGE_FIRST] = open_cases.filter(pk__in=Case.objects.closed_to(user).values("pk")).count()
    return {kind: found[kind] for kind in (*SIGNS, JUDGE_FIRST) if found[kind]}


def domains_of(user, project: Project) -> list[str]:
    cases = Case.objects.visible_to(user).filter(item__project=project)
    return sorted(filter(None, set(cases.values_list("item__trajectory__domain", flat=True))))


@dataclass(frozen=True)
class Standing:
    """A case in the queue: the how manieth of how many, and whose turn it is."""

    number: int
    of: int
    is_mine: bool
    is_taken: bool  # by another adjudicator


def standing(user, case: Case, asked: QueueFilter = ALL) -> Standing:
    waiting = list(queue_of(user, case.item.project, Case.State.OPEN, asked).values_list("pk", flat=True))
    is_live = case.held_until is not None and case.held_until > timezone.now()
    return Standing(
        number=waiting.index(case.pk) + 1 if case.pk in waiting else 0,
        of=len(waiting),
        is_mine=is_live and case.held_by_id == user.pk,
        is_taken=is_live and case.held_by_id != user.pk,
    )
