"""All agreement figures of a study, in the shape that commands, pages and releases share."""

from collections import Counter
from functools import cache, partial
from typing import Any

from adjudication.bootstrap import Bootstrap
from adjudication.comparisons import Comparisons
from adjudication.critical_step import critical_step
from adjudication.failure_sets import failure_steps
from adjudication.judgements import Study, participant_key
from adjudication.nominal import named_answer
from adjudication.ratings import Answer


def agreement(
    study: Study,
    bootstrap: Bootstrap | None = None,
    comparisons: Comparisons | None = None,
    published: bool = True,
) -> dict[str, Any]:
    """Ready for JSON. n counts trajectories, each of which weighs 1; n_pairs counts unordered pairs of annotators.

    Judgements by models, injections and oracles are left out and counted: they are no human raters.
    `comparisons` may hold those of items that have not changed; the numbers are the same without. So are they without
    `published`, which takes α and κ from packages that are too heavy for a web process.
    """
    bootstrap = bootstrap or Bootstrap()
    left_out = Counter(j.process for j in study.judgements if not j.by_a_person)
    people = study
    if left_out:
        people = Study(study.items, tuple(j for j in study.judgements if j.by_a_person), study.aliases)
    return {
        "trajectories": len(people.items),
        "pairable": sum(1 for _, judgements in people.judged if len(judgements) > 1),
        "comparison": comparison(people),
        "definitions": definitions(people),
        "left_out": dict(sorted(left_out.items())),
        "bootstrap": bootstrap.told,
        "pairs": [{"a": a, "b": b, "n": n} for (a, b), n in people.pair_counts().items()],
        "measures": measures(people, bootstrap, comparisons, published),
    }


def measures(
    study: Study, bootstrap: Bootstrap, comparisons: Comparisons | None = None, published: bool = True
) -> dict[str, Any]:
    def named(question: str, plural: str, value_by_value: bool = True) -> dict[str, Any]:
        return named_answer(study, answer_to(question, study), plural, bootstrap, value_by_value, published)

    return {
        "critical_step": critical_step(study, bootstrap, published),
        "agent": named("agent", "agents", value_by_value=False),
        "category": named("category", "categories"),
        "outcome": named("outcome", "outcomes"),
        "failure_steps": failure_steps(study, bootstrap, comparisons, published),
    }


def answer_to(question: str, study: Study) -> Answer:
    """Reads the named answer that is compared from a judgement; None where it was not answered."""
    if question == "agent":
        key = cache(partial(participant_key, aliases=study.aliases))
        return lambda judgement: key(judgement.participant) if judgement.participant else None
    if question == "category":
        return lambda judgement: judgement.category or None
    return lambda judgement: judgement.outcome or None


def comparison(study: Study) -> str:
    """Two definitions of "critical" make a comparison of definitions, not an inter-rater study."""
    return "definitions_differ" if len({j.definition for j in study.judgements}) > 1 else "inter_rater"


def definitions(study: Study) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for annotator, definition in sorted({(j.annotator, j.definition) for j in study.judgements}):
        found.setdefault(annotator, []).append(definition)
    return found
