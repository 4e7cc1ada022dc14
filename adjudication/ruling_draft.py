"""A ruling as it stands in the form: read, kept as a draft, and turned into what `rule` takes. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from adjudication.alignment import Alignment, MarkCard, Row, StepLine
from traces.formats.cleaning import UNSTORABLE

WORDS = ("rationale", "reason_for_root_cause", "failure_summary", "guideline_note", "proposal_for", "proposal_text")
TEXTS = ("choice", "other_step", "cause", *WORDS)
LISTS = ("keep", "merge")
WRITTEN = ("step", "participant", "category", "code", "step_reason", "effect", "from")
MAX_WRITTEN, MAX_TEXT = 20, 20_000
OUTCOMES = ("all_recovered_or_harmless", "no_failure", "cannot_tell")
Data = dict[str, list[str]]


def data_of(fields: Iterable[tuple[str, list[str]]]) -> Data:
    """Of what a browser sent only the fields of this form, so that a draft can hold nothing else."""
    return {
        name: [UNSTORABLE.sub("\ufffd", value[:MAX_TEXT]) for value in values if isinstance(value, str)][:1000]
        for name, values in fields
        if isinstance(values, list) and is_field(name)
    }


def is_field(name: str) -> bool:
    if name in TEXTS or name in LISTS:
        return True
    index, _, rest = name.removeprefix("w").partition("-")
    return (
        name.startswith("w") and index.isdecimal() and len(index) < 3 and int(index) < MAX_WRITTEN and rest in WRITTEN
    )


def structure(data: Data) -> tuple:
    """What was decided, without the words: two drafts that differ in it are two steps of undo."""
    chosen = {name: tuple(data[name]) for name in ("choice", "cause", *LISTS) if data.get(name)}
    written = {name.partition("-")[0] for name in data if name.startswith("w") and "-" in name}
    return tuple(sorted(chosen.items())), frozenset(written)


def words_of(data: Data) -> Data:
    return {name: data[name] for name in WORDS if name in data}


def begun_from(look, alignment: Alignment) -> Data:
    """What stands in the form after a first look: its answer, as the mark that says the same or as one to be written."""
    data = begun(alignment)
    if look.outcome != "critical":
        return {**data, "choice": [look.outcome]}
    same = [mark for mark in alignment.marks.values() if mark.is_critical and mark.place == look.critical_step]
    if same:
        return {**data, "choice": [f"mark:{min(same, key=lambda mark: mark.column.rank).value}"]}
    number = str(alignment.steps[look.critical_step].number)
    data = {**data, "choice": ["other"], "other_step": [number]}
    if alignment.at(look.critical_step) is None:
        own = {"step": number, "participant": look.participant, "category": look.category, "effect": "persists"}
        data |= {f"w0-{name}": [value] for name, value in own.items()}
    return data


def begun(alignment: Alignment) -> Data:
    """What is kept before the adjudicator says anything: marks that more than half of those asked for all made."""
    asked = sum(column.exhaustive for column in alignment.columns)
    keep = []
    for row in alignment.rows:
        exhaustive = [mark for mark in row.marks if mark.column.exhaustive]
        if 2 * len({mark.column.handle for mark in exhaustive}) > asked:
            keep += [mark.value for mark in exhaustive if not mark.is_critical]
    return {"keep": keep}


@dataclass(frozen=True)
class Written:
    index: int
    step: str
    participant: str
    category: str
    code: str
    step_reason: str
    effect: str
    origin: str  # the mark it rewrites, if any

    @property
    def index_text(self) -> str:
        return str(self.index)

    @property
    def step_field(self) -> str:
        return f"w{self.index}-step"

    @property
    def is_empty(self) -> bool:
        return not (self.step.strip() or self.code.strip() or self.step_reason.strip() or self.category)


class RulingDraft:
    def __init__(self, data: Data, alignment: Alignment):
        self.data, self.alignment = data, alignment
        self.errors: dict[str, str] = {}
        self.positions = {str(step.number): step for step in alignment.steps}

    def text(self, name: str) -> str:
        return (self.data.get(name) or [""])[-1]

    @property
    def choice(self) -> str:
        return self.text("choice")

    @property
    def kept(self) -> list[str]:
        return [value for value in self.data.get("keep", []) if value in self.alignment.marks]

    @property
    def written(self) -> list[Written]:
        found = sorted({int(name[1:].partition("-")[0]) for name in self.data if name not in TEXTS + LISTS})
        return [Written(index, *(self.text(f"w{index}-{name}") for name in WRITTEN)) for index in found]

    @property
    def chosen(self) -> MarkCard | None:
        return self.alignment.marks.get(self.choice.removeprefix("mark:"))

    @property
    def other_place(self) -> int | None:
        step = self.positions.get(self.text("other_step").strip())
        return step.position if self.choice == "other" and step else None

    @property
    def outcome(self) -> str:
        if self.choice in OUTCOMES:
            return self.choice
        return "critical" if self.chosen or self.choice == "other" else ""

    def failures(self) -> list[dict[str, Any]]:
        """The failures that stand. What is wrong with the form's own fields is in `errors` afterwards."""
        critical = self.critical_mark()
        kept = dict.fromkeys([*self.kept, *([critical.value] if critical else [])])
        rewritten = {each.origin for each in self.written if not each.is_empty}
        standing = [self.alignment.marks[value] for value in kept if value not in rewritten]
        failures = [
            self.failure_of(group, critical) for row in self.alignment.rows for group in self.groups(row, standing)
        ]
        return failures + [self.failure_written(each) for each in self.written if not each.is_empty]

    def critical_mark(self) -> MarkCard | None:
        """The mark that the chosen step means: the chosen one itself, or at another step one that is there already."""
        if self.choice != "other":
            return self.chosen
        place = self.other_place
        if place is None:
            self.errors["other_step"] = "give the number of a step of this run"
            return None
        if any(self.positions.get(each.step.strip()) == self.alignment.steps[place] for each in self.written):
            return None
        row = self.alignment.at(place)
        if row is None:
            self.errors["other_step"] = "nobody marked this step: write the mark below"
            return None
        return min(row.marks, key=lambda mark: (mark.value not in self.kept, mark.column.rank))

    def groups(self, row: Row, standing: list[MarkCard]) -> list[list[MarkCard]]:
        """Marks of different people at one place are one failure; where they differ, only if the form says so."""
        here = sorted((mark for mark in standing if mark.place == row.place), key=lambda mark: mark.column.rank)
        if row.merges and str(row.place) not in self.data.get("merge", []):
            return [[mark] for mark in here]
        groups: list[list[MarkCard]] = []
        for mark in here:
            free = (group for group in groups if all(other.column is not mark.column for other in group))
            group = next(free, None)
            groups.append([mark]) if group is None else group.append(mark)
        return groups

    def failure_of(self, group: list[MarkCard], critical: MarkCard | None) -> dict[str, Any]:
        """The words are those of the critical mark, else of the earliest; what they leave open others fill."""
        lead = critical if critical in group else group[0]
        failure = merged(group, lead)
        sources = [{"annotation": mark.column.annotation, "key": mark.key} for mark in group]
        return {**failure, "is_critical": lead is critical, "from": sources}

    def failure_written(self, written: Written) -> dict[str, Any]:
        origin = self.alignment.marks.get(written.origin)
        step = self.positions.get(written.step.strip())
        stays_off = origin is not None and origin.failure["first_step"] is None and not written.step.strip()
        if step is None and not stays_off:
            self.errors[f"w{written.index}-step"] = "give the number of a step of this run"
        return {
            **self.anchor_of(origin, step),
            "participant": written.participant.strip() or (step.agent if step else ""),
            "category": None if written.category in ("", "none_fits") else written.category,
            "none_fits": written.category == "none_fits",
            "codes": [written.code.strip()] if written.code.strip() else [],
            "step_reason": written.step_reason.strip(),
            "effect": written.effect,
            "is_critical": self.is_chosen(origin, step),
            "from": [{"annotation": origin.column.annotation, "key": origin.key}] if origin else [],
        }

    def anchor_of(self, origin: MarkCard | None, step: StepLine | None) -> dict[str, Any]:
        """What the form does not ask for stays as in the mark that is rewritten; a moved mark is at one step."""
        if origin is None or (step and step.position != origin.failure["first_step"]):
            return {"anchor": "step", "first_step": step.position if step else 0}
        return dict(origin.failure)

    def is_chosen(self, origin: MarkCard | None, step: StepLine | None) -> bool:
        if self.choice == "other":
            return step is not None and step.position == self.other_place
        return origin is not None and origin is self.chosen

    def words(self, name: str) -> str:
        """What was written; left empty, the words of the annotation whose critical mark stands."""
        own = self.text(name).strip()
        return own or (self.chosen.column.answers[name] if self.chosen else "")


def merged(group: list[MarkCard], lead: MarkCard) -> dict[str, Any]:
    failure = dict(lead.failure)
    for name in ("category", "codes", "category_reason"):
        failure[name] = failure[name] or next((m.failure[name] for m in group if m.failure[name]), failure[name])
    return failure


def taken(data: Data, take: str, alignment: Alignment) -> Data:
    """The form after one of its buttons: take all of one, reject all, write a mark, rewrite one, drop a written one."""
    what, _, rest = take.partition(":")
    if what == "all":
        column = next((each for each in alignment.columns if each.handle == rest), None)
        own = [value for value, mark in alignment.marks.items() if mark.column is column]
        return {**data, "keep": own, **choice_of(column)} if column else data
    if what == "none":
        return {**data, "keep": [], "choice": [each for each in data.get("choice", []) if not each.startswith("mark:")]}
    if what == "write":
        return {**data, f"w{free_index(data)}-step": [""]}
    if what == "rewrite" and rest in alignment.marks:
        return rewritten(data, alignment.marks[rest], alignment)
    if what == "drop":
        return {name: values for name, values in data.items() if not name.startswith(f"w{rest}-")}
    return data


def choice_of(column) -> Data:
    critical = column.answers["critical"]
    if critical is not None:
        return {"choice": [f"mark:{column.handle}:{critical}"]}
    return {"choice": [column.answers["outcome"]]}


def free_index(data: Data) -> int:
    used = {name.partition("-")[0] for name in data}
    return next((index for index in range(MAX_WRITTEN) if f"w{index}" not in used), MAX_WRITTEN - 1)


def rewritten(data: Data, mark: MarkCard, alignment: Alignment) -> Data:
    keep = [value for value in data.get("keep", []) if value != mark.value]
    return {**data, "keep": keep, **written_as(mark.failure, mark, data, alignment)}


def written_as(failure: Mapping[str, Any], origin: MarkCard | None, data: Data, alignment: Alignment) -> Data:
    fields = fields_of(failure, alignment) | {"from": origin.value if origin else ""}
    index = free_index(data)
    return {f"w{index}-{name}": [value] for name, value in fields.items()}


def fields_of(failure: Mapping[str, Any], alignment: Alignment) -> dict[str, str]:
    """What the form asks of a mark that is written."""
    numbers = {step.position: step.number for step in alignment.steps}
    return {
        "step": str(numbers.get(failure["first_step"], "")),
        "participant": failure["participant"],
        "category": failure["category"] or ("none_fits" if failure["none_fits"] else ""),
        "code": (failure["codes"] or [""])[0],
        "step_reason": failure["step_reason"],
        "effect": failure["effect"],
    }
