"""Asking: from the cache, else within the cap and the rate limit, with retries, read strictly and repaired once."""

import threading
from typing import Protocol

from suggestions.llm import client, ledger, prompts
from suggestions.llm.bill import Bill
from suggestions.llm.errors import BrokenOff, ModelError, RateLimited, Stopped
from suggestions.llm.providers import ModelSettings
from suggestions.llm.questions import Answer, Question, key_of
from suggestions.llm.reading import Unreadable, value_in
from suggestions.llm.tokens import estimated
from suggestions.models_llm import ModelCall
from traces.models import Trajectory

ATTEMPTS = 4
LONGEST_WAIT = 120.0  # seconds; a provider that asks for more is taken to have failed
LONGEST_QUOTE = 8_000  # of an answer that is sent back to be repaired
POLL = 0.2


class Asker(Protocol):
    def ask(self, question: Question, trajectory: Trajectory | None) -> Answer: ...


class Live:
    """Asks the model. One per plan, shared by its threads; `stop` ends every wait at once.

    A question without a trajectory is about no single run.
    """

    def __init__(self, model: ModelSettings, *, project: str, run: str, stop: threading.Event):
        _ = model.key  # a missing key is said before anything is done
        client.litellm()  # its import takes seconds, which no call's lease should have to wait for
        self.model, self.project, self.run, self.stop = model, project, run, stop
        self.price = client.price_of(model)
        self.bill = Bill(self.price is not None)

    def ask(self, question: Question, trajectory: Trajectory | None) -> Answer:
        messages = question.messages
        first = self._answer(question, trajectory, messages)
        if isinstance(first, Answer):
            return first
        text, fault = first
        second = self._answer(question, trajectory, messages + prompts.repair(text[:LONGEST_QUOTE], fault))
        if isinstance(second, Answer):
            return second
        said_nothing = not text.strip() and not second[0].strip()
        return Answer(None, "empty" if said_nothing else "unreadable")

    def _answer(
        self, question: Question, trajectory: Trajectory | None, messages: list[dict]
    ) -> Answer | tuple[str, str]:
        """An answer, or the model's text and what is wrong with it."""
        call = self._call(question, trajectory, messages)
        if call.refused:
            return Answer(None, "refused")
        try:
            return Answer(value_in(call.answer, question))
        except Unreadable as error:
            return call.answer, str(error)

    def _call(self, question: Question, trajectory: Trajectory | None, messages: list[dict]) -> ModelCall:
        for attempt in range(1, ATTEMPTS + 1):
            call = self._reserved(question, trajectory, messages)
            if call.state == ModelCall.State.DONE:
                self.bill.add_cached()
                return call
            try:
                completion = client.complete(self.model, messages, question.schema)
            except ModelError as error:
                self.bill.add(ledger.fail(call, error, self.price))
                if not error.retry or attempt == ATTEMPTS or (error.wait or 0) > LONGEST_WAIT:
                    raise
                self._back_off(error, attempt)
            except BaseException:
                ledger.fail(call, BrokenOff("the call was broken off"), self.price)
                raise
            else:
                call = ledger.settle(call, completion, self.price)
                self.bill.add(call)
                return call
        raise AssertionError("the last attempt returns or raises")

    def _reserved(self, question: Question, trajectory: Trajectory | None, messages: list[dict]) -> ModelCall:
        key = key_of(self.model, messages, trajectory.digest if trajectory else "", self.run)
        done = ModelCall.objects.answered().filter(key=key).first()
        if done is not None:
            return done
        self._wait(ledger.seconds_until_turn(self.model))
        while True:
            self._wait(0)
            try:
                return ledger.reserve(
                    model=self.model,
                    price=self.price,
                    messages=messages,
                    key=key,
                    project=self.project,
                    trajectory=trajectory,
                    purpose=question.purpose,
                    prompt=question.prompt.mark,
                    run=self.run,
                    estimated_tokens=estimated(messages),
                )
            except ledger.MustWait:
                self._wait(POLL)

    def _back_off(self, error: ModelError, attempt: int) -> None:
        seconds = 2.0 ** (attempt - 1) if error.wait is None else error.wait
        if isinstance(error, RateLimited):
            ledger.hold(self.model, seconds)  # everybody who asks this model waits
        else:
            self._wait(seconds)

    def _wait(self, seconds: float) -> None:
        if self.stop.wait(seconds) if seconds > 0 else self.stop.is_set():
            raise Stopped
