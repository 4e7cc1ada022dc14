"""Gold that rests on submissions which are no longer what the annotators say; computed, never stored."""

from collections import defaultdict
from collections.abc import Mapping

from adjudication.models import GoldLabel, Ruling
from adjudication.study import PEOPLE
from annotate.models import Annotation, Project, Submission


def current_submissions(project: Project) -> Mapping[int, set[int]]:
    """By item the last submission of each annotation that is handed in now."""
    rows = Submission.objects.filter(
        annotation__item__project=project,
        annotation__state=Annotation.State.SUBMITTED,
        annotation__is_current=True,
        annotation__process__in=PEOPLE,
    )
    last = rows.order_by("annotation_id", "-number").distinct("annotation_id")
    found: dict[int, set[int]] = defaultdict(set)
    for item, submission in last.values_list("annotation__item", "pk"):
        found[item].add(submission)
    return found


def stale_items(project: Project) -> set[int]:
    """Items whose gold was ruled, or agreed, on other submissions than those of now."""
    rulings = dict(Ruling.objects.filter(case__item__project=project).values_list("pk", "basis"))
    now = current_submissions(project)
    gold = GoldLabel.objects.filter(item__project=project, field=GoldLabel.Field.OUTCOME)
    return {item for item, rests_on in gold.values_list("item", "rests_on") if basis(rests_on, rulings) != now[item]}


def basis(rests_on: list[dict], rulings: Mapping[int, list[dict]]) -> set[int]:
    own = [each for label in rests_on for each in (rulings.get(label["ruling"], []) if "ruling" in label else [label])]
    return {each["submission"] for each in own}
