"""What is asked of a model, and what came back."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from suggestions.llm.prompts import Prompt
from suggestions.llm.providers import ModelSettings

Check = Callable[[dict], str | None]


def no_fault(value: dict) -> str | None:
    return None


@dataclass(frozen=True)
class Question:
    """`check` says what is wrong with an answer of the right shape; `sample` is what a rehearsal takes for an answer."""

    purpose: str
    prompt: Prompt
    system: str
    user: str
    schema: dict
    sample: dict
    check: Check = no_fault
    output_tokens: int = 200  # what an answer usually takes

    @property
    def messages(self) -> list[dict]:
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


@dataclass(frozen=True)
class Answer:
    """`value` is None where there was none to use; `outcome` says why: refused, empty or unreadable."""

    value: dict | None
    outcome: str = "answered"
    note: str = ""
    text: str = field(default="", repr=False)

    def __getitem__(self, key: str) -> Any:
        assert self.value is not None
        return self.value[key]


def key_of(model: ModelSettings, messages: list[dict], digest: str, run: str) -> str:
    """The same question to the same model about the same content in the same run of the study."""
    told = [model.model, model.base_url, model.max_output, model.json, model.parameters, messages, digest, run]
    return hashlib.sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()
