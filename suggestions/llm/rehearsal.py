"""The same plan without asking: counts the tokens of the very questions that would be put."""

from decimal import Decimal

from django.db.models import Avg, Sum

from suggestions.llm import client
from suggestions.llm.bill import Bill
from suggestions.llm.plan import Plan
from suggestions.llm.questions import Answer, Question, key_of
from suggestions.llm.reading import Unreadable, value_in
from suggestions.llm.tokens import estimated
from suggestions.models_llm import ModelCall
from traces.models import Trajectory

ENOUGH = 5  # calls of a model that tell more about its tokens than our estimate does


class Rehearsal:
    """Questions answered before cost nothing; others get their sample for an answer, so later ones are a guess."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.price = client.price_of(plan.model)
        self.bill = Bill(self.price is not None)
        self.ratio = _ratio(plan.model.name)
        self._usual: dict[str, int | None] = {}

    def ask(self, question: Question, trajectory: Trajectory | None) -> Answer:
        key = key_of(self.plan.model, question.messages, trajectory.digest if trajectory else "", self.plan.run)
        known = ModelCall.objects.answered().filter(key=key).first()
        if known is not None:
            self.bill.add_cached()
            return _read(known, question)
        inputs, outputs = estimated(question.messages, self.ratio), self._output(question)
        cost: Decimal | None = self.price.of(inputs, outputs) if self.price else None
        self.bill.add_estimate(inputs, outputs, cost)
        return Answer(question.sample)

    def _output(self, question: Question) -> int:
        if question.purpose not in self._usual:
            calls = ModelCall.objects.answered().filter(model=self.plan.model.name, purpose=question.purpose)
            mean = calls.aggregate(mean=Avg("output_tokens"))["mean"]
            self._usual[question.purpose] = None if mean is None else round(mean)
        usual = self._usual[question.purpose]
        return question.output_tokens if usual is None else usual


def _read(call: ModelCall, question: Question) -> Answer:
    try:
        return Answer(value_in(call.answer, question))
    except Unreadable:
        return Answer(question.sample)


def _ratio(model: str) -> float:
    """Real tokens by estimated ones, as this model's own calls show."""
    calls = ModelCall.objects.answered().filter(model=model, input_tokens__gt=0, estimated_tokens__gt=0)
    if calls.count() < ENOUGH:
        return 1.0
    told = calls.aggregate(real=Sum("input_tokens"), estimated=Sum("estimated_tokens"))
    return told["real"] / told["estimated"]
