"""What the page of a case is made of, read once for one person."""

from dataclasses import dataclass

from django.db.models import Q

from adjudication.alignment import Alignment, Column, StepLine, Stretch, align, lettered
from adjudication.models import Case, Ruling
from adjudication.study import sheets
from annotate.models import Annotation, Exposure, Submission
from annotate.queries import layers_for, skeleton_for
from annotate.skeleton import Palette
from annotate.suggested import has_asked, suggestions_for
from annotate.views.run import lines
from taxonomy.models import Category

STRETCH = 20  # steps that open together where nothing is marked


@dataclass(frozen=True)
class CasePage:
    case: Case
    alignment: Alignment
    categories: list[Category]
    participants: list[str]
    palette: Palette

    @property
    def names(self) -> dict[str, str]:
        return {category.key: category.name for category in self.categories}


def page_of(user, case: Case) -> CasePage:
    """The run with what was handed in about it. That the reader saw it is noted: they can no longer annotate it."""
    Exposure.objects.get_or_create(item=case.item, user=user, to="case")
    categories = list(Category.objects.filter(version=case.item.project.taxonomy_version_id))
    palette = Palette()
    steps = [line_of(row, palette) for row in skeleton_for(user, case.item)]
    columns = columns_for(user, case)
    alignment = align(columns, steps, {category.key: category.name for category in categories})
    return CasePage(case, alignment, categories, participants_of(case, columns), palette)


@dataclass(frozen=True)
class FirstPage:
    """The run alone, in stretches, with nothing of what anybody said about it."""

    stretches: list[Stretch]
    categories: list[Category]
    participants: list[str]


def first_page_of(user, case: Case) -> FirstPage:
    Exposure.objects.get_or_create(item=case.item, user=user, to=Exposure.TO_JUDGE)
    palette = Palette()
    steps = [line_of(row, palette) for row in skeleton_for(user, case.item)]
    chunks = [steps[at : at + STRETCH] for at in range(0, len(steps), STRETCH)]
    categories = list(Category.objects.filter(version=case.item.project.taxonomy_version_id))
    stretches = [Stretch(chunk[0], chunk[-1]) for chunk in chunks]
    return FirstPage(stretches, categories, [name for name in case.item.trajectory.participants if name])


def columns_for(user, case: Case) -> list[Column]:
    visible = Annotation.objects.visible_to(user).submitted().filter(item=case.item)
    handed_in = sheets(Submission.objects.filter(annotation__in=visible).order_by("annotation_id", "-number"))
    handed_in.sort(key=lambda sheet: (sheet.judgement.submitted_at, sheet.submission))
    given = [(sheet.annotation, sheet.judgement.exhaustive, sheet.state) for sheet in handed_in]
    return lettered(given, f"{case.item.project.salt}:{ruled_first(case).pk}")


def ruled_first(case: Case) -> Case:
    """The case at which its chain of revisions began: its letters stay, since rationales speak of A and B."""
    while case.revises is not None:
        case = case.revises.case
    return case


def line_of(row: dict, palette: Palette) -> StepLine:
    number = row["position"] + 1 if row["native_index"] is None else row["native_index"]
    return StepLine(row["position"], number, row["agent"], row["preview"], palette.hue(row["agent"]))


def participants_of(case: Case, columns: list[Column]) -> list[str]:
    named = [failure["participant"] for column in columns for failure in column.state["failures"].values()]
    return list(dict.fromkeys(filter(None, [*case.item.trajectory.participants, *named])))


@dataclass(frozen=True)
class Choice:
    """One answer to where the run became unrecoverable. The key is what chooses it by keyboard."""

    value: str
    key: str
    title: str
    detail: str = ""


NO_STEP = (
    ("all_recovered_or_harmless", "All recovered or harmless"),
    ("no_failure", "No failure found"),
    ("cannot_tell", "Cannot tell from the run"),
)


def choices_of(page: CasePage) -> list[Choice]:
    """The critical marks of the annotations, equal ones once; another step; or an answer without a step."""
    numbers = {step.position: step.number for step in page.alignment.steps}
    found: dict[tuple, list] = {}
    for mark in page.alignment.marks.values():
        if mark.is_critical:
            found.setdefault((mark.place, mark.participant, mark.category), []).append(mark)
    rows = []
    for (place, _, category), marks in sorted(found.items(), key=lambda pair: pair[1][0].column.letter):
        letters = " and ".join(sorted(mark.column.letter for mark in marks))
        where = f"Step {numbers[place]}" if place in numbers else f"The {place}"
        kind = page.names.get(category or "", "none fits" if category else "no category named" if page.names else "")
        said = [marks[0].failure["participant"], kind]
        rows.append((f"mark:{marks[0].value}", f"{where}, as {letters}", " · ".join(filter(None, said))))
    rows.append(("other", "Another step…", ""))
    rows += [(value, title, "") for value, title in NO_STEP]
    return [
        Choice(value, str(index) if index < 10 else "", title, detail)
        for index, (value, title, detail) in enumerate(rows, start=1)
    ]


@dataclass(frozen=True)
class Told:
    """A case of this run that was ruled, or that is being ruled again: its ruling, and whether a later one stands."""

    case: Case
    ruling: Ruling | None
    is_superseded: bool

    @property
    def critical(self) -> int | None:
        """Its step; None also where nothing is critical."""
        failures = self.ruling.failures if self.ruling else []
        return next((each["first_step"] for each in failures if each["is_critical"]), None)


def history_of(case: Case) -> list[Told]:
    """The rulings of this run, latest first. Empty where there is but one and nobody rules it again."""
    told = Q(ruling__isnull=False) | Q(revises__isnull=False)
    cases = Case.objects.filter(told, item=case.item_id).select_related("ruling").order_by("-pk")
    found: list[Told] = []
    for each in cases:
        ruling = getattr(each, "ruling", None)
        later = any(other.ruling for other in found)
        found.append(Told(each, ruling, ruling is not None and later))
    return found if len(found) > 1 else []


def task_of(user, case: Case) -> list[tuple[str, str]]:
    """What the annotators could know of the task, by name."""
    instruction = case.item.trajectory.instruction
    found = [("task", instruction)] if instruction else []
    for layer, value in layers_for(user, case.item).items():
        found += [(f"{layer} {name}".replace("_", " ").strip(), words) for name, words in lines(value)]
    return [(name, words) for index, (name, words) in enumerate(found) if words and (not index or words != instruction)]


def opened_suggestions(user, page: CasePage) -> dict:
    """Nothing of them before the reader has asked."""
    if not has_asked(user, page.case.item):
        return {"is_open": False}
    numbers = {step.position: step.number for step in page.alignment.steps}
    return {"is_open": True, "found": suggestions_for(user, page.case.item), "numbers": numbers}
