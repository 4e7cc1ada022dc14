"""What one plan has used up so far, added up across its threads."""

import threading
from decimal import Decimal

from suggestions.models_llm import ModelCall


class Bill:
    """`cost` is None where the price is not known: that is not the same as nothing."""

    def __init__(self, price_is_known: bool):
        self.calls = self.cached = self.input_tokens = self.output_tokens = 0
        self.cost: Decimal | None = Decimal(0) if price_is_known else None
        self._lock = threading.Lock()

    def add(self, call: ModelCall) -> None:
        with self._lock:
            self.calls += 1
            self.input_tokens += call.input_tokens
            self.output_tokens += call.output_tokens
            if self.cost is not None:
                self.cost += call.cost or 0

    def add_estimate(self, input_tokens: int, output_tokens: int, cost: Decimal | None) -> None:
        with self._lock:
            self.calls += 1
            self.input_tokens += input_tokens
            self.output_tokens += output_tokens
            self.cost = None if cost is None or self.cost is None else self.cost + cost

    def add_cached(self) -> None:
        with self._lock:
            self.cached += 1

    def as_json(self) -> dict:
        return {
            "cost": None if self.cost is None else float(self.cost),
            "calls": self.calls,
            "cached": self.cached,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }
