"""One request to a model through litellm, which is imported here, when the first request is made."""

import logging
import os
import time
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from suggestions.llm import errors
from suggestions.llm.providers import ModelSettings
from traces.formats.cleaning import UNSTORABLE

MILLION = Decimal(1_000_000)
LONGEST_ANSWER = 200_000  # characters that are kept of one answer
# At their debug levels these write prompts, and on failure a provider's words.
TALKATIVE = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "litellm", "openai", "httpx", "httpcore")


@dataclass(frozen=True)
class Completion:
    text: str
    refused: bool
    input_tokens: int
    output_tokens: int
    latency_ms: int


@dataclass(frozen=True)
class Price:
    """Dollars per token."""

    input: Decimal
    output: Decimal

    def of(self, input_tokens: int, output_tokens: int) -> Decimal:
        return (self.input * input_tokens + self.output * output_tokens).quantize(Decimal("1e-8"))


@cache
def litellm() -> Any:
    # Without it the import fetches a price list from the network.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm as module

    module.telemetry = False
    module.suppress_debug_info = True
    for name in TALKATIVE:
        logging.getLogger(name).disabled = True
    return module


def price_of(model: ModelSettings) -> Price | None:
    """From settings, else from litellm's list; None where neither knows."""
    if model.input_price is not None and model.output_price is not None:
        return Price(model.input_price / MILLION, model.output_price / MILLION)
    if model.base_url:
        return None  # whoever runs that server sets its price, whatever the model is called
    try:
        told = litellm().get_model_info(model.model)
    except Exception:  # litellm raises a bare Exception for a model it does not list
        return None
    prices = [told.get("input_cost_per_token"), told.get("output_cost_per_token")]
    if any(price is None for price in prices):
        return None
    return Price(*(Decimal(str(price)) for price in prices))


def complete(model: ModelSettings, messages: list[dict], schema: dict) -> Completion:
    """Raises a ModelError; what a provider said goes no further than this function."""
    module, key, started = litellm(), model.key, time.monotonic()
    try:
        response = module.completion(
            model=model.model,
            messages=messages,
            api_base=model.base_url,
            api_key=key,
            timeout=model.timeout,
            num_retries=0,
            max_retries=0,
            **{"max_tokens": model.max_output, **_format(model.json, schema), **model.parameters},
        )
    except Exception as error:
        if isinstance(error, module.exceptions.ContentPolicyViolationError):
            return Completion("", True, 0, 0, _since(started))
        raise named(module.exceptions, error) from None
    return _completion(response, _since(started))


def _completion(response: Any, latency_ms: int) -> Completion:
    choice = response.choices[0] if response.choices else None
    message = getattr(choice, "message", None)
    told = getattr(message, "provider_specific_fields", None) or {}
    refusal = getattr(message, "refusal", None) or told.get("refusal")
    usage = getattr(response, "usage", None)
    return Completion(
        text=UNSTORABLE.sub("\ufffd", getattr(message, "content", None) or "")[:LONGEST_ANSWER],
        refused=bool(refusal) or getattr(choice, "finish_reason", "") == "content_filter",
        input_tokens=getattr(usage, "prompt_tokens", 0) or 0,
        output_tokens=getattr(usage, "completion_tokens", 0) or 0,
        latency_ms=latency_ms,
    )


def named(kinds: Any, error: Exception) -> errors.ModelError:
    """Ours for theirs, by class; the order matters, as some of their classes are kinds of others."""
    if isinstance(error, kinds.RateLimitError):
        return errors.RateLimited("the provider's rate limit was reached", _retry_after(error))
    if isinstance(error, kinds.Timeout):
        return errors.TimedOut("the model did not answer in time")
    if isinstance(error, kinds.ContextWindowExceededError):
        return errors.ContextTooLong("the run is longer than what the model reads")
    if isinstance(error, kinds.AuthenticationError | kinds.PermissionDeniedError):
        return errors.KeyRefused("the provider refused the key")
    if isinstance(error, kinds.NotFoundError):
        return errors.KeyRefused("the provider knows no such model or address")
    if isinstance(error, kinds.BadRequestError | kinds.UnprocessableEntityError):
        return errors.Rejected("the provider did not take the request")
    status = getattr(error, "status_code", None)
    return errors.ServerFailed(f"the provider failed ({status or type(error).__name__})")


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        return max(0.0, float(headers.get("retry-after", "")))
    except (TypeError, ValueError):
        return None


def _format(how: str, schema: dict) -> dict:
    if how == "json_schema":
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}}
    return {"response_format": {"type": "json_object"}} if how == "json_object" else {}


def _since(started: float) -> int:
    return round(1000 * (time.monotonic() - started))
