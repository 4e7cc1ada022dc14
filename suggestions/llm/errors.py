"""Why a model gave no answer. Never in the provider's words: they may quote the key or the prompt."""

from decimal import Decimal


class ModelError(Exception):
    """`retry`: trying again may help; `may_be_charged`: the provider may have done the work all the same."""

    retry = False
    may_be_charged = False
    ends_the_plan = False

    def __init__(self, message: str, wait: float | None = None):
        super().__init__(message)
        self.wait = wait


class RateLimited(ModelError):
    retry = True


class TimedOut(ModelError):
    retry = may_be_charged = True


class BrokenOff(ModelError):
    may_be_charged = True


class ServerFailed(ModelError):
    retry = True


class ContextTooLong(ModelError):
    pass


class Rejected(ModelError):
    """The provider does not take this request, and will not the next time either."""


class KeyRefused(ModelError):
    ends_the_plan = True


class Stopped(Exception):
    """Somebody asked the plan to stop; nothing that was paid for is lost."""


class CapReached(ModelError):
    ends_the_plan = True

    def __init__(self, budget: str, cap: Decimal, spent: Decimal, wanted: Decimal):
        super().__init__(
            f"the budget {budget} has {cap - spent:.4f} of {cap:.2f} dollars left this month; "
            f"the next call may take {wanted:.4f}"
        )


class PriceUnknown(ModelError):
    ends_the_plan = True

    def __init__(self, model: str, budget: str):
        super().__init__(
            f"the price of {model} is not known, so the cap of the budget {budget} could not be kept; "
            "set input_price and output_price"
        )
