from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudication.actions.cases import Routed, settle_cases
from adjudication.actions.consent import agreed_labels, is_gold
from adjudication.actions.gold import Labels, settle_gold
from adjudication.actions.rules import Setting
from adjudication.models import Case, Routing, Ruling
from adjudication.routing import Decision, decide, is_drawn
from adjudication.study import by_item, facts_of, latest_answers, latest_sheets, numbering, rules_of
from annotate.actions import note_who_could_see
from annotate.models import Item, Project
from people.actions import system_user
from people.models import User

ADJUDICATE, ACCEPT, ANNOTATE = Routing.Decision.ADJUDICATE, Routing.Decision.ACCEPT, Routing.Decision.ANNOTATE
DRAWN = "; drawn for a check by an adjudicator who judges first"
STILL_RULED = "ruled; nobody has changed an annotation since"


@dataclass
class Standing:
    """The rows of a project that routing may change, read once."""

    items: dict[int, Item]
    routing: dict[int, Routing]
    open_cases: dict[int, Case]
    # By item: the submissions its last ruling rests on. A ruling answers those and no others.
    ruled: dict[int, set[int]] = field(default_factory=dict)


@transaction.atomic
def route(
    project: Project, *, by: User | None = None, dry_run: bool = False, instead: Setting | None = None
) -> list[Routed]:
    """Decide every item and make cases, gold and routing follow; doing it again changes nothing. In order of id.

    A setting instead of the project's own changes nothing: it only tells what it would route.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)  # two routings at once would open cases twice
    standing = standing_of(project)
    routed = decide_all(project, standing, instead or Setting.of(project))
    if not dry_run and instead is None:
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
        routing={row.item_id: row for row in Routing.objects.filter(item__project=project).defer("at")},
        open_cases={
            case.item_id: case for case in Case.objects.open().filter(item__project=project).select_for_update()
        },
        ruled={
            item: {each["submission"] for each in basis} for item, basis in rulings.values_list("case__item", "basis")
        },
    )


def decide_all(project: Project, standing: Standing, setting: Setting) -> list[Routed]:
    rules, sheets = rules_of(project, setting.rules), by_item(latest_answers(project))
    numbered = numbering(project, sheets)
    routed = []
    for facts in facts_of(project):
        item = standing.items[int(facts.item_id)]
        own = sheets.get(item.pk, [])
        told = replace(rules, **numbered[item.pk]) if item.pk in numbered else rules
        decision = decide(facts, [sheet.judgement for sheet in own], told, wanted(item, project, setting))
        is_ruled = bool(own) and {sheet.submission for sheet in own} == standing.ruled.get(item.pk)
        if is_ruled:
            decision = Decision("adjudicate", decision.reasons, STILL_RULED)
        drawn = partial(is_drawn, project.salt, f"{facts.source}/{facts.trajectory}")
        is_check = len(own) > 1 and decision.decision == ACCEPT and drawn("check", rules.check_share)
        routed.append(
            Routed(
                item=item.pk,
                trajectory=facts.trajectory,
                decision=decision.decision,
                reasons=[reason.as_json() for reason in decision.reasons],
                explanation=decision.explanation + (DRAWN if is_check else ""),
                sheets=own,
                is_ruled=is_ruled,
                is_check=is_check,
                judge_first=is_check or drawn("judge first", rules.judge_first_share),
                is_gold=item.pk not in standing.ruled and is_gold(setting, decision.decision, own),
            )
        )
    return sorted(routed, key=lambda each: each.trajectory)


def wanted(item: Item, project: Project, setting: Setting) -> int:
    return setting.overlap if item.wanted == project.overlap else item.wanted


def apply(project: Project, standing: Standing, routed: list[Routed], by: User) -> None:
    settle_items(project, standing, routed)
    note_routing(standing, routed)
    settle_cases(project, standing.open_cases, routed, by)
    settle_gold(agreed_gold(project, [each for each in routed if each.item not in standing.ruled]))


def agreed_gold(project: Project, routed: list[Routed]) -> dict[int, Labels]:
    """What was ruled once is not among these: it keeps its ruling as gold, stale or not, until it is ruled again."""
    gold = [each.item for each in routed if each.is_gold]
    rules, whole = rules_of(project), by_item(latest_sheets(gold))
    labels = {item: agreed_labels(whole[item], rules, project.single_is_gold) for item in gold}
    return {each.item: labels.get(each.item, {}) for each in routed}


def settle_items(project: Project, standing: Standing, routed: list[Routed]) -> None:
    """Nobody else is asked once an item is accepted or goes before an adjudicator; else one more, where routing asks."""
    settled, opened, asked = [], [], defaultdict(list)
    for each in routed:
        item = standing.items[each.item]
        is_settled = each.decision in (ACCEPT, ADJUDICATE)
        if is_settled and item.settled_at is None:
            settled.append(item.pk)
        if item.settled_at and not is_settled:
            opened.append(item.pk)
        if each.decision == ANNOTATE and item.wanted <= len(each.sheets):
            asked[len(each.sheets) + 1].append(item.pk)
    if opened:
        note_who_could_see(project, opened)
    items = Item.objects.of(project)
    items.filter(pk__in=settled).update(settled_at=timezone.now())
    items.filter(pk__in=opened).update(settled_at=None)
    for people, those in asked.items():
        items.filter(pk__in=those).update(wanted=people)


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
