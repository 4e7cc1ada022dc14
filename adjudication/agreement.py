"""All agreement figures of a study, in the shape that commands, pages and releases share."""

from collections import Counter
from typing import Any

from adjudication.bootstrap import Bootstrap
from adjudication.critical_step import critical_step
from adjudication.failure_sets import Comparisons, failure_steps
from adjudication.judgements import Judgement, Study, participant_key
from adjudication.nominal import named_answer


def agreement(
    study: Study, bootstrap: Bootstrap | None = None, comparisons: Comparisons | None = None
) -> dict[str, Any]:
    """Ready for JSON. n counts trajectories, each of which weighs 1; n_pairs counts unordered pairs of annotators.

    Judgements by models, injections and oracles are left out and counted: they are no human raters.
    `comparisons` may hold those of items that have not changed; the numbers are the same without.
    """
    bootstrap = bootstrap or Bootstrap()
    people = Study(study.items, tuple(j for j in study.judgements if j.by_a_person), study.aliases)
    left_out = Counter(j.process for j in study.judgements if not j.by_a_person)
    return {
        "trajectories": len(people.items),
        "pairable": sum(1 for _, judgements in people.judged if len(judgements) > 1),
        "comparison": comparison(people),
        "definitions": definitions(people),
        "left_out": dict(sorted(left_out.items())),
        "bootstrap": bootstrap.told,
        "pairs": [{"a": a, "b": b, "n": n} for (a, b), n in people.pair_counts().items()],
        "measures": measures(people, bootstrap, comparisons),
    }


def measures(study: Study, bootstrap: Bootstrap, comparisons: Comparisons | None = None) -> dict[str, Any]:
    def participant(judgement: Judgement) -> str | None:
        return participant_key(judgement.participant, study.aliases) if judgement.participant else None

    return {
        "critical_step": critical_step(study, bootstrap),
        "agent": named_answer(study, participant, "agents", bootstrap, value_by_value=False),
        "category": named_answer(study, lambda judgement: judgement.category or None, "categories", bootstrap),
        "outcome": named_answer(study, lambda judgement: judgement.outcome or None, "outcomes", bootstrap),
        "failure_steps": failure_steps(study, bootstrap, comparisons),
    }


def comparison(study: Study) -> str:
    """Two definitions of "critical" make a comparison of definitions, not an inter-rater study."""
    return "definitions_differ" if len({j.definition for j in study.judgements}) > 1 else "inter_rater"


def definitions(study: Study) -> dict[str, list[str]]:
    by_annotator: dict[str, set[str]] = {}
    for judgement in study.judgements:
        by_annotator.setdefault(judgement.annotator, set()).add(judgement.definition)
    return {name: sorted(found) for name, found in sorted(by_annotator.items())}
