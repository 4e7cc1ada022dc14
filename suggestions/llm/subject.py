"""One run under one plan, and the way to put a question about it."""

from dataclasses import dataclass
from functools import cached_property

from suggestions.llm.asking import Asker
from suggestions.llm.errors import ContextTooLong
from suggestions.llm.plan import Plan
from suggestions.llm.prompts import Prompt
from suggestions.llm.questions import Answer, Check, Question, no_fault
from suggestions.llm.tokens import estimated_text
from suggestions.llm.transcript import record
from suggestions.runs import Run, run_of
from traces.models import Trajectory

MARGIN = 0.9  # of the context, as token counts are estimates
SHORTENED = 3  # times that a run is shortened when a provider finds it too long all the same
LEAST_ROOM = 500


@dataclass(frozen=True)
class Subject:
    trajectory: Trajectory
    plan: Plan
    asker: Asker

    @cached_property
    def run(self) -> Run:
        return run_of(self.trajectory)

    def ask(
        self,
        purpose: str,
        prompt: Prompt,
        schema: dict,
        sample: dict,
        *,
        check: Check = no_fault,
        first: int = 0,
        last: int | None = None,
        output_tokens: int = 200,
        **slots: object,
    ) -> tuple[Answer, str]:
        """The answer, and a note where the run had to be shortened for it."""
        model = self.plan.model
        words = prompt.system + prompt.user + "".join(map(str, slots.values()))
        room = int(MARGIN * model.context) - model.max_output - estimated_text(words)
        for tries_left in reversed(range(SHORTENED + 1)):
            shown = record(self.run, room=max(room, LEAST_ROOM), first=first, last=last)
            system, user = prompt.filled(record=shown.text, mark=shown.mark, **slots)
            question = Question(purpose, prompt, system, user, schema, sample, check, output_tokens)
            try:
                return self.asker.ask(question, self.trajectory), shown.note
            except ContextTooLong:
                if not tries_left:
                    raise
                room = estimated_text(shown.text) // 2
        raise AssertionError("the last try returns or raises")

    def fault_of_step(self, number: object) -> str | None:
        numbers = self.run.numbers
        if number is None or number in numbers:
            return None
        return f"step {number} is not in the record, whose steps go from {min(numbers)} to {max(numbers)}"

    def positions(self, numbers: object) -> list[int]:
        """Of the numbers that are steps of the run, in the order given, each once."""
        known = self.run.numbers
        listed = numbers if isinstance(numbers, list) else []
        return list(dict.fromkeys(known[number] for number in listed if number in known))
