import hashlib
from dataclasses import dataclass
from typing import Any

from annotate.fold import State


class UnknownProtocol(Exception):
    def __init__(self, name: str, known: list[str]):
        super().__init__(f"there is no protocol “{name}”; known are {', '.join(known)}")


@dataclass(frozen=True)
class Question:
    """What is asked about each unit. The hash changes with the wording, and goes into every release."""

    key: str
    unit: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"{self.key}\n{self.unit}\n{self.text}".encode()).hexdigest()


@dataclass(frozen=True)
class Problem:
    """What contradicts itself or is missing; blocks submission only where the data would be wrong."""

    code: str
    text: str
    blocks: bool = False
    failure: str = ""


@dataclass(frozen=True)
class Given:
    """One answer: unit is "run" or "step:<position>"."""

    unit: str
    question: str
    value: Any
    confidence: float | None = None
    rationale: str = ""


class Protocol:
    name: str
    title: str
    questions: tuple[Question, ...]
    layers: tuple[str, ...]  # what every annotator sees
    optional_layers: tuple[str, ...]  # by the project's setting
    never: tuple[str, ...] = ("oracle", "injection")

    def answers(self, state: State) -> list[Given]:
        raise NotImplementedError

    def problems(self, state: State, *, is_closed: bool) -> list[Problem]:
        """`is_closed`: under closed coding each mark is asked for a category, or the answer that none fits."""
        raise NotImplementedError

    def visible_layers(self, chosen: list[str]) -> list[str]:
        return [*self.layers, *(name for name in self.optional_layers if name in chosen)]
