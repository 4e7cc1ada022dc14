from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudication.actions.consent import agreed_labels
from adjudication.actions.gold import settle_gold
from adjudication.models import Case, Routing, Ruling
from adjudication.routing import Decision, decide
from adjudication.study import Sheet, by_item, facts_of, latest_sheets, numbering, rules_of
from annotate.models import Item, Project
from people.actions import audit, system_user
from people.models import User

ADJUDICATE, ACCEPT, ANNOTATE = Routing.Decision.ADJUDICATE, Routing.Decision.ACCEPT, Routing.Decision.ANNOTATE
STILL_RULED = "ruled; nobody has changed an annotation since"


@dataclass(frozen=True)
class Routed:
    """Where one item stands: what was decided about it, and whether a ruling answers it already."""

    item: int
    trajectory: str
    decision: str
    reasons: list[dict[str, Any]]
    explanation: str
    sheets: list[Sheet]
    is_ruled: bool


@dataclass
class Standing:
    """The rows of a project that routing may change, read once."""

    items: dict[int, Item]
    routing: dict[int, Routing]
    open_cases: dict[int, Case]
    # By item: the submissions its last ruling rests on. A ruling answers those and no others.
    ruled: dict[int, set[int]] = field(default_factory=dict)


@transaction.atomic
def route(project: Project, *, by: User | None = None, dry_run: bool = False) -> list[Routed]:
    """Decide every item and make cases, gold and routing follow; doing it again changes nothing. In order of id."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # two routings at once would open cases twice
    standing = standing_of(project)
    routed = decide_all(project, standing)
    if not dry_run:
        apply(project, standing, routed, by or system_user())
    return routed


def report(routed: Iterable[Routed]) -> dict[str, Any]:
    """The keys of `route --json`: four numbers that sum up to the items, and the cases that wait for a ruling."""
    routed = list(routed)
    count = Counter(each.decision for each in routed)
    waiting = [each for each in routed if each.decision == ADJUDICATE and not each.is_ruled]
    return {
        **{decision: count[decision] for decision in ("accept", "annotate", "waiting", "adjudicate")},
        "ruled": sum(each.is_ruled for each in routed),
        "cases": [{"trajectory": each.trajectory, "reasons": each.reasons} for each in waiting],
    }


def standing_of(project: Project) -> Standing:
    rulings = Ruling.objects.filter(case__item__project=project).order_by("at")
    return Standing(
        items={item.pk: item for item in Item.objects.of(project)},
        routing={row.item_id: row for row in Routing.objects.filter(item__project=project)},
        open_cases={
            case.item_id: case for case in Case.objects.open().filter(item__project=project).select_for_update()
        },
        ruled={
            item: {each["submission"] for each in basis} for item, basis in rulings.values_list("case__item", "basis")
        },
    )


def decide_all(project: Project, standing: Standing) -> list[Routed]:
    rules, sheets = rules_of(project), by_item(latest_sheets(project))
    numbered = numbering(project, sheets)
    routed = []
    for facts in facts_of(project):
        item = standing.items[int(facts.item_id)]
        own = sheets.get(item.pk, [])
        told = replace(rules, **numbered.get(item.pk, {}))
        decision = decide(facts, [sheet.judgement for sheet in own], told, item.wanted)
        is_ruled = bool(own) and {sheet.submission for sheet in own} == standing.ruled.get(item.pk)
        if is_ruled:
            decision = Decision("adjudicate", decision.reasons, STILL_RULED)
        reasons = [reason.as_json() for reason in decision.reasons]
        routed.append(
            Routed(item.pk, facts.trajectory, decision.decision, reasons, decision.explanation, own, is_ruled)
        )
    return sorted(routed, key=lambda each: each.trajectory)


def apply(project: Project, standing: Standing, routed: list[Routed], by: User) -> None:
    settle_items(standing, routed)
    note_routing(standing, routed)
    for each in routed:
        open_or_withdraw(project, standing, each, by)
    # What was ruled once keeps its ruling as gold, stale or not, until it is ruled again.
    settle_gold(
        {
            each.item: agreed_labels(project, each.decision, each.sheets)
            for each in routed
            if each.item not in standing.ruled
        }
    )


def settle_items(standing: Standing, routed: list[Routed]) -> None:
    """Nobody else is asked once an item is accepted or goes before an adjudicator; else one more, where routing asks."""
    now, changed = timezone.now(), []
    for each in routed:
        item = standing.items[each.item]
        before = (item.settled_at, item.wanted)
        is_settled = each.decision in (ACCEPT, ADJUDICATE)
        item.settled_at = (item.settled_at or now) if is_settled else None
        if each.decision == ANNOTATE:
            item.wanted = max(item.wanted, len(each.sheets) + 1)
        if before != (item.settled_at, item.wanted):
            changed.append(item)
    Item.objects.bulk_update(changed, ["settled_at", "wanted"], batch_size=1000)


def note_routing(standing: Standing, routed: list[Routed]) -> None:
    now, new, changed = timezone.now(), [], []
    for each in routed:
        said = {"decision": each.decision, "reasons": each.reasons, "explanation": each.explanation}
        row = standing.routing.get(each.item)
        if row is None:
            new.append(Routing(item_id=each.item, at=now, **said))
        elif any(getattr(row, name) != value for name, value in said.items()):
            row.__dict__.update(said, at=now)
            changed.append(row)
    Routing.objects.bulk_create(new, batch_size=1000)
    Routing.objects.bulk_update(changed, ["decision", "reasons", "explanation", "at"], batch_size=1000)


def open_or_withdraw(project: Project, standing: Standing, each: Routed, by: User) -> None:
    case = standing.open_cases.get(each.item)
    if each.decision == ADJUDICATE and not each.is_ruled:
        if case is None:
            case = Case.objects.create(item_id=each.item, reasons=each.reasons, priority=priority_of(each.reasons))
            audit("case opened", case, by=by, project=project.slug, trajectory=each.trajectory, reasons=each.reasons)
        elif case.reasons != each.reasons:
            case.reasons, case.priority = each.reasons, priority_of(each.reasons)
            case.save(update_fields=["reasons", "priority"])
    elif case is not None:
        case.state, case.closed_at = Case.State.WITHDRAWN, timezone.now()
        case.held_by = case.held_until = None
        case.save()
        audit("case withdrawn", case, by=by, project=project.slug, trajectory=each.trajectory, why=each.explanation)


WEIGHT = {"outcome": 1.0, "critical_step": 0.8, "agent": 0.6, "category": 0.5, "failure_set": 0.3, "uncertain": 0.3}


def priority_of(reasons: list[dict[str, Any]]) -> float:
    """The gravest difference, and a little for each further one."""
    weights = sorted((WEIGHT.get(reason["kind"], 0.1) for reason in reasons), reverse=True)
    return round(sum(weight / 4**rank for rank, weight in enumerate(weights)), 3)
