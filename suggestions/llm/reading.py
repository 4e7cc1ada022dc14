"""From a model's words to a value of the wanted shape, or to the reason why there is none."""

import json

from suggestions.builtin.json_schema import first_fault
from suggestions.llm.questions import Question
from traces.formats.cleaning import Cleaner


class Unreadable(ValueError):
    """Its text is ours and may be sent back to the model."""


def value_in(text: str, question: Question) -> dict:
    """Raises Unreadable with the first thing that is wrong."""
    value = Cleaner().clean(_object_in(text))
    assert isinstance(value, dict)
    fault = first_fault(value, question.schema) or question.check(value)
    if fault:
        raise Unreadable(fault)
    return value


def _object_in(text: str) -> dict:
    """The first JSON object of the answer: models like to put words or a fence around it."""
    decoder, start = json.JSONDecoder(parse_constant=_no_constant), text.find("{")
    for _ in range(20):
        if start < 0:
            break
        try:
            value, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        return value
    raise Unreadable("the answer holds no complete JSON object")


def _no_constant(name: str) -> None:
    raise ValueError(name)
