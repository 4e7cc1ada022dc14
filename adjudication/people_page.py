"""What a lead sees of each annotator: agreement with others and with rulings. Never over runs she may still annotate."""

from collections import Counter
from dataclasses import dataclass

from adjudication.answers import Arm
from adjudication.filtered import Reading
from adjudication.filters import Filter
from adjudication.judgements import Judgement, Study
from adjudication.models import GoldLabel
from adjudication.person import (
    Chunk,
    Row,
    Share,
    Shares,
    by_category,
    over_time,
    rows_of,
    ruled_judgement,
    shares,
    with_gold,
)
from adjudication.pseudonyms import key_of
from annotate.models import Project


@dataclass(frozen=True)
class Person:
    key: str
    name: str
    submitted: int
    arms: Counter
    others: Shares
    gold: Shares


@dataclass(frozen=True)
class Closer:
    """One annotator, looked at more closely."""

    person: Person
    categories: list[tuple[str, Share]]
    time: list[Chunk]
    after_feedback: Shares | None


def people_of(reading: Reading) -> list[Person]:
    study, ruled = blind_study(reading), ruled_items(reading.project)
    names = sorted({each.judgement.annotator for each in reading.answers})
    return [person_of(reading, study, ruled, name) for name in names]


def closer(reading: Reading, name: str) -> Closer:
    study = blind_study(reading)
    rows = rows_of(study, reading.names[name])
    return Closer(
        person=person_of(reading, study, ruled_items(reading.project), name),
        categories=by_category(rows, study, reading.category_names(Filter())),
        time=over_time(rows),
        after_feedback=after_feedback(reading, name),
    )


def blind_study(reading: Reading) -> Study:
    return reading.selected(Filter()).study


def person_of(reading: Reading, study: Study, ruled: dict[str, Judgement], name: str) -> Person:
    own = [each for each in reading.answers if each.judgement.annotator == name]
    shown = reading.names[name]
    return Person(
        key=key_of(reading.project, name),
        name=shown,
        submitted=len(own),
        arms=Counter(each.arm for each in own),
        others=shares(rows_of(study, shown), study),
        gold=shares(with_gold(study, shown, ruled), study),
    )


def after_feedback(reading: Reading, name: str) -> Shares | None:
    taught = {
        str(each.item) for each in reading.answers if each.arm == Arm.POST_FEEDBACK and each.judgement.annotator == name
    }
    if not taught:
        return None
    study = reading.selected(Filter(arm=Arm.POST_FEEDBACK)).study
    rows: list[Row] = [row for row in rows_of(study, reading.names[name]) if row[0].item_id in taught]
    return shares(rows, study)


def ruled_items(project: Project) -> dict[str, Judgement]:
    """Consensus gold is made of the annotations themselves; only what was ruled can say who was right."""
    labels = GoldLabel.objects.filter(item__project=project, basis=GoldLabel.Basis.ADJUDICATED)
    found: dict[int, dict] = {}
    for item, field, value in labels.values_list("item_id", "field", "value"):
        found.setdefault(item, {})[field] = value
    return {str(item): ruled_judgement(str(item), values) for item, values in found.items()}
