"""Money before and after a call. Every change of a budget's month is made under the lock of its row."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils import timezone

from suggestions.llm.client import Completion, Price
from suggestions.llm.errors import CapReached, ModelError, PriceUnknown
from suggestions.llm.providers import BudgetSettings, ModelSettings
from suggestions.llm.tokens import at_most
from suggestions.models_llm import BudgetMonth, ModelCall, ModelTurn

GRACE = timedelta(seconds=10)  # after a call's own time limit, before it counts as lost
State = ModelCall.State


class MustWait(Exception):
    """Another worker asks the same, or holds money that this call would need: come back when it has settled."""


def this_month() -> date:
    return timezone.now().date().replace(day=1)


def month_of(budget: BudgetSettings) -> BudgetMonth:
    return BudgetMonth.objects.get_or_create(budget=budget.name, month=this_month())[0]


@transaction.atomic
def reserve(*, model: ModelSettings, price: Price | None, messages: list[dict], **told) -> ModelCall:
    """Set money aside and write down that the question is being asked. `told` are the call's own columns.

    Returns the done call where the question was answered before; raises MustWait, CapReached or PriceUnknown.
    """
    month = _locked(month_of(model.budget), told["key"])
    known = ModelCall.objects.filter(key=told["key"], state__in=[State.DONE, State.RESERVED]).first()
    if known is not None and known.state == State.DONE:
        return known
    if known is not None:
        raise MustWait
    amount = _within_the_cap(month, model, price, messages)
    month.reserved += amount
    month.save(update_fields=["reserved"])
    lease = timezone.now() + timedelta(seconds=model.timeout) + GRACE
    return ModelCall.objects.create(month=month, model=model.name, reserved=amount, lease_until=lease, **told)


def _locked(month: BudgetMonth, key: str) -> BudgetMonth:
    """The month's row, with what was lost written off; also in an earlier month, or of another budget, that holds the key."""
    holding = ModelCall.objects.filter(key=key, state=State.RESERVED).values("month")
    months = BudgetMonth.objects.filter(Q(pk=month.pk) | Q(pk__in=holding))
    for row in months.order_by("pk").select_for_update():
        _write_off_the_lost(row)
        if row == month:
            month = row
    return month


def _within_the_cap(month: BudgetMonth, model: ModelSettings, price: Price | None, messages: list[dict]) -> Decimal:
    cap = model.budget.monthly_cap
    if price is None:
        if cap is not None:
            raise PriceUnknown(model.name, month.budget)
        return Decimal(0)
    amount = price.of(at_most(messages), model.max_output)
    if cap is not None and month.spent + amount > cap:
        raise CapReached(month.budget, cap, month.spent, amount)
    if cap is not None and month.spent + month.reserved + amount > cap:
        raise MustWait
    return amount


def _write_off_the_lost(month: BudgetMonth) -> None:
    """Calls whose worker died: the provider may have charged them, so they count in full."""
    dead = month.calls.filter(state=State.RESERVED, lease_until__lt=timezone.now())
    amount = dead.aggregate(sum=Sum("reserved"))["sum"]
    if amount is None:
        return
    dead.update(
        state=State.LOST, cost=F("reserved"), settled_at=timezone.now(), error="its worker died before the answer came"
    )
    month.reserved -= amount
    month.spent += amount
    month.save(update_fields=["reserved", "spent"])


def settle(call: ModelCall, completion: Completion, price: Price | None) -> ModelCall:
    """The answer and its cost in one transaction."""
    cost = price.of(completion.input_tokens, completion.output_tokens) if price else None
    return _end(
        call,
        state=State.DONE,
        cost=cost,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        latency_ms=completion.latency_ms,
        answer=completion.text,
        refused=completion.refused,
    )


def fail(call: ModelCall, error: ModelError, price: Price | None) -> ModelCall:
    if error.may_be_charged:
        return _end(call, state=State.LOST, cost=call.reserved if price else None, error=str(error)[:200])
    return _end(call, state=State.FAILED, cost=Decimal(0), error=str(error)[:200])


@transaction.atomic
def _end(call: ModelCall, **fields) -> ModelCall:
    """Nothing is settled twice. An answer to a call that was written off meanwhile is kept unless it was asked anew."""
    month = BudgetMonth.objects.select_for_update().get(pk=call.month_id)
    ours = ModelCall.objects.filter(pk=call.pk, state=State.RESERVED)
    for name, value in fields.items():
        setattr(call, name, value)
    if ours.update(settled_at=timezone.now(), **fields):
        month.reserved -= call.reserved
        month.spent += fields["cost"] or 0
        month.save(update_fields=["reserved", "spent"])
    elif fields["state"] == State.DONE and not _is_asked(call.key):
        written_off = ModelCall.objects.filter(pk=call.pk, state=State.LOST)
        if written_off.update(settled_at=timezone.now(), **fields, error=""):
            month.spent += (fields["cost"] or 0) - call.reserved
            month.save(update_fields=["spent"])
    return call


def _is_asked(key: str) -> bool:
    return ModelCall.objects.filter(key=key, state__in=[State.DONE, State.RESERVED]).exists()


@transaction.atomic
def seconds_until_turn(model: ModelSettings) -> float:
    """Take the model's next turn; how long to wait for it."""
    turn = _turn_of(model)
    now = timezone.now()
    at = max(now, turn.next_at)
    if model.requests_per_minute:
        turn.next_at = at + timedelta(seconds=60 / model.requests_per_minute)
        turn.save(update_fields=["next_at"])
    return (at - now).total_seconds()


@transaction.atomic
def hold(model: ModelSettings, seconds: float) -> None:
    """A provider asked for a pause: nobody asks this model before it is over."""
    turn = _turn_of(model)
    turn.next_at = max(turn.next_at, _in(seconds))
    turn.save(update_fields=["next_at"])


def _turn_of(model: ModelSettings) -> ModelTurn:
    ModelTurn.objects.get_or_create(model=model.name)
    return ModelTurn.objects.select_for_update().get(model=model.name)


def _in(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)
