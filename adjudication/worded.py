"""Agreement figures as people read them: the names of categories and outcomes in place of their keys.

The tables of who says what keep their keys, because links to the runs behind a cell are made of them.
"""

from collections.abc import Mapping
from typing import Any

from adjudication.judgements import OUTCOME_WORDS
from adjudication.nominal import one_value_only

Figures = Mapping[str, Any]
Names = Mapping[str, str]  # of categories, by key


def worded(value: str, question: str, names: Names) -> str:
    """One answer; names of agents stand as they are, and so does what only looks like a key."""
    if question == "agent":
        return value
    known = OUTCOME_WORDS if question == "outcome" else names
    return known.get(value, value.replace("_", " "))


def in_words(figures: Figures, names: Names) -> dict[str, Any]:
    measures = {
        question: measure_in_words(measure, question, names) if question in ("category", "outcome") else measure
        for question, measure in figures.get("measures", {}).items()
    }
    return {**figures, "measures": measures}


def measure_in_words(measure: Figures, question: str, names: Names) -> dict[str, Any]:
    told = dict(measure)
    if "one_vs_rest" in measure:
        told["one_vs_rest"] = [
            each | {"value": worded(each["value"], question, names)} for each in measure["one_vs_rest"]
        ]
    used = (measure.get("confusion") or {}).get("values", [])
    if len(used) == 1:
        why = one_value_only(worded(used[0], question, names))
        for name, figure in measure.items():
            if isinstance(figure, dict) and figure.get("undefined"):
                told[name] = figure | {"undefined": why}
    return told
