"""Annotations of one run side by side along its steps: what is marked where, and in what they differ. Pure."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

from adjudication.judgements import participant_key

OFF_STEPS = ("task", "policy", "tools")


@dataclass(frozen=True)
class StepLine:
    position: int
    number: int  # as the benchmark counts
    agent: str
    preview: str
    hue: int = 0


@dataclass(frozen=True)
class Column:
    """One annotation under a letter. The handle stands for it in forms, also when letters move on."""

    letter: str
    handle: str
    annotation: int
    exhaustive: bool
    state: Mapping[str, Any]
    rank: int  # 0: submitted first

    @property
    def answers(self) -> Mapping[str, Any]:
        return self.state["answers"]

    @property
    def critical(self) -> Mapping[str, Any] | None:
        return self.state["failures"].get(self.answers["critical"])


@dataclass(frozen=True)
class MarkCard:
    column: Column
    key: str
    failure: Mapping[str, Any]
    is_critical: bool

    @property
    def value(self) -> str:
        return f"{self.column.handle}:{self.key}"

    @property
    def place(self) -> int | str:
        step = self.failure["first_step"]
        return self.failure["anchor"] if step is None else step

    @property
    def category(self) -> str | None:
        return self.failure["category"] or ("none_fits" if self.failure["none_fits"] else None)

    @property
    def participant(self) -> str:
        return participant_key(self.failure["participant"])

    def says_as(self, other: "MarkCard") -> bool:
        """They name the same place, participant and category."""
        return (self.place, self.participant, self.category) == (other.place, other.participant, other.category)


@dataclass(frozen=True)
class Chip:
    """A difference or an agreement: a sign, the kind and a text; `tone` is for the eye only."""

    sign: str
    kind: str
    text: str = ""

    @property
    def tone(self) -> str:
        return {"≠": "bad", "=": "good"}.get(self.sign, "plain")


@dataclass
class Row:
    """A step, or the task, policy or tools, with its marks per column."""

    step: StepLine | None
    anchor: str
    cells: list[list[MarkCard]]
    chips: list[Chip] = field(default_factory=list)
    folds: bool = False  # all agree and nothing is critical here
    merges: bool = False  # marks of two columns here differ, so the adjudicator says whether they are one

    @property
    def marks(self) -> list[MarkCard]:
        return [mark for cell in self.cells for mark in cell]

    @property
    def place(self) -> int | str:
        return self.anchor if self.step is None else self.step.position


@dataclass(frozen=True)
class Stretch:
    """Steps without a mark, from the first to the last of them."""

    first: StepLine
    last: StepLine

    @property
    def n(self) -> int:
        return self.last.position - self.first.position + 1


@dataclass
class Alignment:
    columns: list[Column]
    chips: list[Chip]
    segments: list[Row | Stretch]
    steps: list[StepLine]
    marks: dict[str, MarkCard]

    @property
    def rows(self) -> list[Row]:
        return [segment for segment in self.segments if isinstance(segment, Row)]

    def at(self, place: int | str) -> Row | None:
        return next((row for row in self.rows if row.place == place), None)


def lettered(annotations: Iterable[tuple[int, bool, Mapping[str, Any]]], secret: str) -> list[Column]:
    """Columns in an order that is random per case but stays; given as (id, exhaustive, state), earliest first."""
    ranked = [
        (hashlib.sha256(f"{secret}:{pk}".encode()).hexdigest(), rank, pk, exhaustive, state)
        for rank, (pk, exhaustive, state) in enumerate(annotations)
    ]
    return [
        Column(letter_of(index), digest[:10], pk, exhaustive, state, rank)
        for index, (digest, rank, pk, exhaustive, state) in enumerate(sorted(ranked, key=lambda each: each[0]))
    ]


def letter_of(index: int) -> str:
    return ascii_uppercase[index] if index < 26 else f"Z{index - 25}"


def align(columns: Sequence[Column], steps: Sequence[StepLine], categories: Mapping[str, str]) -> Alignment:
    by_place = defaultdict(list)
    for card in (card for column in columns for card in cards_of(column)):
        by_place[card.place].append(card)
    segments: list[Row | Stretch] = [
        row_of(None, place, by_place[place], columns) for place in OFF_STEPS if place in by_place
    ]
    segments += along(steps, by_place, columns)
    marks = {card.value: card for cards in by_place.values() for card in cards}
    return Alignment(list(columns), list(overall(columns, steps, categories)), segments, list(steps), marks)


def cards_of(column: Column) -> Iterator[MarkCard]:
    for key, failure in sorted(column.state["failures"].items(), key=lambda pair: pair[1]["number"]):
        yield MarkCard(column, key, failure, key == column.answers["critical"])


def along(steps: Sequence[StepLine], by_place: Mapping, columns: Sequence[Column]) -> Iterator[Row | Stretch]:
    unmarked: list[StepLine] = []
    for step in steps:
        if step.position not in by_place:
            unmarked.append(step)
            continue
        if unmarked:
            yield Stretch(unmarked[0], unmarked[-1])
        unmarked = []
        yield row_of(step, "step", by_place[step.position], columns)
    if unmarked:
        yield Stretch(unmarked[0], unmarked[-1])


def row_of(step: StepLine | None, anchor: str, marks: list[MarkCard], columns: Sequence[Column]) -> Row:
    cells = [[mark for mark in marks if mark.column is column] for column in columns]
    row = Row(step, anchor, cells, list(row_chips(marks, columns)))
    all_asked = [column for column in columns if column.exhaustive]
    everybody_once = all(len(cell) == 1 for column, cell in zip(columns, cells, strict=True) if column.exhaustive)
    same = len({(mark.participant, mark.category) for mark in marks}) == 1
    row.folds = len(all_asked) > 1 and everybody_once and same and not any(mark.is_critical for mark in marks)
    row.merges = not same and len({mark.column.handle for mark in marks}) > 1
    return row


def row_chips(marks: list[MarkCard], columns: Sequence[Column]) -> Iterator[Chip]:
    """Who was asked only for the critical failure does not disagree by marking nothing else."""
    marking = [column for column in columns if any(mark.column is column for mark in marks)]
    asked = [column for column in columns if column.exhaustive or column in marking]
    critical = [column for column in columns if any(mark.is_critical and mark.column is column for mark in marks)]
    with_critical = [column for column in columns if column.critical is not None]
    if len(asked) > len(marking):
        yield Chip("≠", "mark", f"only {letters(marking)}")
    if critical and len(critical) < len(columns):
        yield Chip("≠", "critical", f"for {letters(critical)} only")
    elif critical and len(with_critical) > 1:
        yield Chip("=", "critical", f"for {letters(critical)}")
    if len(marking) > 1:
        yield from compared(marks)


def compared(marks: list[MarkCard]) -> Iterator[Chip]:
    for kind, values in (
        ("category", {mark.category for mark in marks if mark.category}),
        ("agent", {mark.participant for mark in marks}),
    ):
        answering = {mark.column.handle for mark in marks if kind == "agent" or mark.category}
        if len(values) > 1:
            yield Chip("≠", kind)
        elif len(answering) > 1:
            yield Chip("=", kind)
    if len({mark.failure["effect"] for mark in marks if mark.failure["effect"]}) > 1:
        yield Chip("≠", "effect")


def overall(columns: Sequence[Column], steps: Sequence[StepLine], categories: Mapping[str, str]) -> Iterator[Chip]:
    """The run's differences in one line: outcome, critical step, agent, category; only where two or more answer."""
    outcomes = {column.letter: column.answers["outcome"] for column in columns}
    if len(set(outcomes.values())) > 1:
        yield Chip("≠", "outcome", listed({letter: OUTCOMES.get(value, "none") for letter, value in outcomes.items()}))
    elif len(columns) > 1:
        yield Chip("=", "outcome", OUTCOMES.get(next(iter(outcomes.values())), ""))
    critical = {column.letter: column.critical for column in columns if column.critical}
    if len(critical) < 2:
        return
    yield step_chip(critical, steps)
    agents = {letter: failure["participant"] for letter, failure in critical.items() if failure["participant"]}
    yield from same_or_not("agent", agents, {letter: participant_key(name) for letter, name in agents.items()})
    keys = {
        letter: each["category"] or "none_fits"
        for letter, each in critical.items()
        if each["category"] or each["none_fits"]
    }
    names = {letter: categories.get(key, "none fits") for letter, key in keys.items()}
    yield from same_or_not("category", names, keys)


OUTCOMES = {
    "critical": "a critical failure",
    "all_recovered_or_harmless": "all recovered or harmless",
    "no_failure": "no failure found",
    "cannot_tell": "cannot tell",
}


def step_chip(critical: Mapping[str, Mapping[str, Any]], steps: Sequence[StepLine]) -> Chip:
    numbers = {step.position: step.number for step in steps}
    places = {letter: failure["first_step"] for letter, failure in critical.items()}
    shown = {letter: str(numbers.get(place, "off the steps")) for letter, place in places.items()}
    at = [place for place in places.values() if place is not None]
    if len(set(places.values())) == 1:
        return Chip(
            "=",
            "step",
            f"both {next(iter(shown.values()))}" if len(shown) == 2 else f"all {next(iter(shown.values()))}",
        )
    apart = max(at) - min(at) if len(at) == len(places) else None
    return Chip("≠", "step", listed(shown) + (f": {apart} apart" if apart else ""))


def same_or_not(kind: str, shown: Mapping[str, str], keys: Mapping[str, Any]) -> Iterator[Chip]:
    if len(shown) < 2:
        if shown:
            yield Chip("·", kind, f"only {letters_of(shown)} was asked")
        return
    if len(set(keys.values())) == 1:
        yield Chip("=", kind, f"{'both' if len(shown) == 2 else 'all'} {next(iter(shown.values()))}")
    else:
        yield Chip("≠", kind, listed(shown))


def listed(shown: Mapping[str, str]) -> str:
    return " · ".join(f"{letter} {text}" for letter, text in shown.items())


def letters(columns: Iterable[Column]) -> str:
    return letters_of(column.letter for column in columns)


def letters_of(found: Iterable[str]) -> str:
    return " and ".join(found)
