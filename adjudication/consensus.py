"""Gold labels on which the annotators of an item agree, field by field, each with what it rests on."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from adjudication.differences import Rules, has_majority, named_answers, people
from adjudication.judgements import ItemFacts, Judgement, Mark, participant_key


class DefinitionsDiffer(ValueError):
    def __init__(self, item_id: str, definitions: Sequence[str]) -> None:
        super().__init__(
            f"item {item_id} was judged by different definitions of critical ({', '.join(definitions)}); "
            "equal answers are no consensus unless the project takes them as one"
        )
        self.item_id, self.definitions = item_id, tuple(definitions)


class NobodyJudged(ValueError):
    def __init__(self, item_id: str) -> None:
        super().__init__(f"nobody judged item {item_id}")
        self.item_id = item_id


@dataclass(frozen=True, slots=True)
class GoldValue:
    """`judgements` are the ids behind the value: `count` of the `of` that answered; single: only one answered."""

    field: str
    value: Any
    basis: Literal["single", "consensus"]
    judgements: tuple[str, ...]
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class GoldFailure:
    """A step that `count` of `of` exhaustive annotations mark, with the words of the earliest of them."""

    position: int | None
    participant: str | None
    category: str | None
    step_reason: str
    category_reason: str
    is_critical: bool
    count: int
    of: int
    judgements: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gold:
    """Only agreed fields are in `fields`; `failures` is None where nothing says which steps fail."""

    item_id: str
    fields: Mapping[str, GoldValue]
    failures: tuple[GoldFailure, ...] | None


def consensus(
    item: ItemFacts, judgements: Sequence[Judgement], rules: Rules | None = None, one_definition: bool = False
) -> Gold:
    """What the people who judged the item agree on: all of them, or by `rules.majority` more than half.

    Raises DefinitionsDiffer unless the caller takes the definitions as one. A field that one person alone
    answers has the basis single; whether that is gold is the caller's to say.
    """
    rules = rules or Rules()
    found = sorted(people(judgements), key=_earliest_first)
    if not found:
        raise NobodyJudged(item.item_id)
    definitions = sorted({j.definition for j in found})
    if len(definitions) > 1 and not one_definition:
        raise DefinitionsDiffer(item.item_id, definitions)
    fields = _agreed_fields(found, rules)
    return Gold(item.item_id, fields, _failures(found, fields, rules))


def _earliest_first(judgement: Judgement) -> tuple:
    when = judgement.submitted_at
    return (when is None, when.timestamp() if when else 0.0, judgement.annotator)


def _agreed_fields(found: Sequence[Judgement], rules: Rules) -> dict[str, GoldValue]:
    fields = {"outcome": _agreed("outcome", list(named_answers("outcome", found, rules)), rules)}
    outcome = fields["outcome"]
    if outcome and outcome.value == "critical":
        critical = [j for j in found if j.outcome == "critical"]
        fields["critical_step"] = _agreed_step(critical, rules)
        fields["participant"] = _agreed("participant", list(named_answers("agent", critical, rules)), rules)
        fields["category"] = _agreed("category", list(named_answers("category", critical, rules)), rules)
    step = fields.get("critical_step")
    behind = [j for j in found if step and j.id in step.judgements]
    fields["reason_for_root_cause"] = _words("reason_for_root_cause", [(j, j.reason) for j in behind])
    fields["failure_summary"] = _words("failure_summary", [(j, j.summary) for j in found])
    return {name: value for name, value in fields.items() if value}


def _agreed(name: str, answers: list[tuple[Judgement, Hashable, Any]], rules: Rules) -> GoldValue | None:
    """The answer as the earliest of those who share it wrote it."""
    keys = [key for _, key, _ in answers]
    if not keys or (len(set(keys)) > 1 and not (rules.majority and has_majority(keys))):
        return None
    key = Counter(keys).most_common(1)[0][0]
    sharing = [(judgement, answer) for judgement, own, answer in answers if own == key]
    return _value(name, sharing[0][1], [judgement for judgement, _ in sharing], len(answers))


def _value(name: str, value: Any, sharing: Sequence[Judgement], of: int) -> GoldValue:
    return GoldValue(name, value, "single" if of == 1 else "consensus", _ids(sharing), len(sharing), of)


def _agreed_step(critical: Sequence[Judgement], rules: Rules) -> GoldValue | None:
    """Where steps differ within the tolerance, the earliest submitted annotation's step stands for them."""
    steps = [j.critical_position for j in critical if j.critical_position is not None]
    if len(steps) == len(critical) and max(steps) - min(steps) <= rules.tolerance:
        return _value("critical_step", steps[0], critical, len(steps))
    agreed = _agreed("critical_step", [(j, j.critical_position, j.critical_position) for j in critical], rules)
    return agreed if agreed and agreed.value is not None else None


def _words(name: str, texts: Sequence[tuple[Judgement, str]]) -> GoldValue | None:
    for judgement, text in texts:
        if text:
            return GoldValue(name, text, "single", (judgement.id,), 1, len(texts))
    return None


def _failures(
    found: Sequence[Judgement], fields: Mapping[str, GoldValue], rules: Rules
) -> tuple[GoldFailure, ...] | None:
    exhaustive = [j for j in found if j.exhaustive]
    critical = fields.get("critical_step")
    if not exhaustive and not critical:
        return None
    kept = [
        _gold_failure(marks, len(exhaustive), rules)
        for marks in _by_place(exhaustive, rules).values()
        if 2 * len({j.annotator for j, _ in marks}) >= len(exhaustive)
    ]
    if critical:
        kept = _with_critical(kept, found, fields, rules)
    return tuple(sorted(kept, key=lambda failure: (failure.position is None, failure.position or 0)))


def _by_place(found: Sequence[Judgement], rules: Rules) -> dict[Hashable, list[tuple[Judgement, Mark]]]:
    """Marks of one step are one failure; off the steps it takes the same participant and category."""
    places: dict[Hashable, list[tuple[Judgement, Mark]]] = defaultdict(list)
    for judgement in found:
        for mark in judgement.marks or [Mark(position) for position in sorted(judgement.failure_positions)]:
            off_step = (participant_key(mark.participant or "", rules.aliases), mark.category)
            places[off_step if mark.position is None else mark.position].append((judgement, mark))
    return places


def _gold_failure(marks: Sequence[tuple[Judgement, Mark]], of: int, rules: Rules) -> GoldFailure:
    """Participant and category as most of the marks have them, in a tie as the earliest; words of the earliest."""
    earliest = marks[0][1]
    named = [(participant_key(m.participant, rules.aliases), m.participant) for _, m in marks if m.participant]
    categories = [m.category for _, m in marks if m.category]
    return GoldFailure(
        position=earliest.position,
        participant=_most(named),
        category=_most([(category, category) for category in categories]),
        step_reason=earliest.step_reason,
        category_reason=earliest.category_reason,
        is_critical=False,
        count=len({j.annotator for j, _ in marks}),
        of=of,
        judgements=_ids(j for j, _ in marks),
        marks=tuple(mark.id for _, mark in marks),
    )


def _with_critical(
    kept: list[GoldFailure], found: Sequence[Judgement], fields: Mapping[str, GoldValue], rules: Rules
) -> list[GoldFailure]:
    """The critical failure is one of the failures, and says the same participant and category as the fields."""
    step = fields["critical_step"]
    here = next((failure for failure in kept if failure.position == step.value), None)
    if here is None:
        behind = [j for j in found if j.id in step.judgements]
        marks = _by_place(behind, rules).get(step.value) or [(behind[0], Mark(step.value))]
        here = replace(_gold_failure(marks, step.of, rules), count=step.count, judgements=step.judgements)
    said = {name: fields[name].value for name in ("participant", "category") if name in fields}
    return [failure for failure in kept if failure.position != step.value] + [replace(here, is_critical=True, **said)]


def _most(named: Sequence[tuple[Hashable, str]]) -> str | None:
    if not named:
        return None
    key = Counter(key for key, _ in named).most_common(1)[0][0]
    return next(written for own, written in named if own == key)


def _ids(judgements) -> tuple[str, ...]:
    return tuple(dict.fromkeys(judgement.id for judgement in judgements))
