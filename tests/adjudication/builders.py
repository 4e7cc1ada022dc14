"""Short ways to say a study in a test."""

from collections.abc import Sequence
from typing import Any

from adjudication.judgements import ItemFacts, Judgement, Study
from adjudication.ratings import Ratings


def item(name: str, n_steps: int = 20, cluster: str | None = None, domain: str = "") -> ItemFacts:
    return ItemFacts(name, name, n_steps, cluster or name, domain)


def judged(name: str, annotator: str, position: int | None = None, **more) -> Judgement:
    """A judgement of item `name`: critical at `position`, or no failure where there is none."""
    failures = more.pop("failures", () if position is None else (position,))
    given = {
        "process": "human",
        "exhaustive": True,
        "definition": "first_unrecoverable",
        "outcome": "no_failure" if position is None else "critical",
        "id": f"{annotator}:{name}",
    }
    return Judgement(
        item_id=name,
        annotator=annotator,
        critical_position=position,
        failure_positions=frozenset(failures),
        **(given | more),
    )


def two(positions: list[tuple[int | None, int | None]], n_steps: int = 20) -> Study:
    """Ann's and Ben's critical steps, one item each."""
    items = [item(f"t{number}", n_steps) for number in range(len(positions))]
    judgements = []
    for facts, (ann, ben) in zip(items, positions, strict=True):
        judgements += [judged(facts.item_id, "ann", ann), judged(facts.item_id, "ben", ben)]
    return Study.of(items, judgements)


def rated(table: Sequence[Sequence[Any]]) -> Ratings:
    """One line per item: what r0, r1 … answered there."""
    judgements = [
        judged(f"t{n:03}", f"r{rater}", category=value)
        for n, line in enumerate(table)
        for rater, value in enumerate(line)
    ]
    study = Study.of([item(f"t{n:03}") for n in range(len(table))], judgements)
    return Ratings.collect(study, lambda judgement: judgement.category)
