"""The models a deployment offers: a TOML file named by ASSAY_MODELS; keys come from the environment only."""

import os
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings

NO_MODEL = "no model is configured; set ASSAY_MODELS to a file as in docs/models.md"
KNOWN = frozenset(
    [
        "model",
        "base_url",
        "key_env",
        "context",
        "max_output",
        "input_price",
        "output_price",
        "requests_per_minute",
        "concurrency",
        "timeout",
        "json",
        "budget",
        "parameters",
    ]
)


class BadModelSettings(Exception):
    def __init__(self, file: object, where: str, expected: str):
        super().__init__(f"{file}: {where} {expected}")


class NoModel(Exception):
    def __init__(self, message: str = NO_MODEL):
        super().__init__(message)


@dataclass(frozen=True)
class BudgetSettings:
    name: str
    monthly_cap: Decimal | None  # US dollars; None: counted, not capped


@dataclass(frozen=True)
class ModelSettings:
    """`input_price` and `output_price` are dollars per million tokens; None leaves them to litellm's own list."""

    name: str
    model: str
    budget: BudgetSettings
    base_url: str | None = None
    key_env: str = ""
    context: int = 128_000
    max_output: int = 2_000
    input_price: Decimal | None = None
    output_price: Decimal | None = None
    requests_per_minute: int = 0  # 0: as fast as the workers ask
    concurrency: int = 4
    timeout: int = 120
    json: str = "text"  # how answers are asked for: text, json_object or json_schema
    parameters: dict = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Raises BadModelSettings where the environment does not hold the key. Never stored, shown or logged."""
        if not self.key_env:
            return "none"  # a local server wants no key, the client wants a text
        found = os.environ.get(self.key_env, "")
        if not found:
            raise BadModelSettings("environment", self.key_env, f"is not set; the model {self.name} needs it")
        return found

    @property
    def has_price(self) -> bool:
        return self.input_price is not None and self.output_price is not None


def models() -> dict[str, ModelSettings]:
    """By name, in the file's order; none where no file is named."""
    if not settings.ASSAY_MODELS:
        return {}
    path = Path(settings.ASSAY_MODELS)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadModelSettings(path, "cannot be read:", str(error.strerror)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadModelSettings(path, "is not TOML:", str(error)) from error
    budgets = {name: _budget(path, name, table) for name, table in _tables(path, told, "budgets")}
    return {name: _model(path, name, table, budgets) for name, table in _tables(path, told, "models")}


def model_named(name: str = "") -> ModelSettings:
    """The model of this name, the first one where no name is given; raises NoModel."""
    found = models()
    if not found:
        raise NoModel
    if name and name not in found:
        raise NoModel(f"there is no model “{name}”; there are {', '.join(found)}")
    return found[name] if name else next(iter(found.values()))


def _tables(path: Path, told: dict, key: str) -> list[tuple[str, dict]]:
    found = told.get(key, {})
    if not isinstance(found, dict) or not all(isinstance(table, dict) for table in found.values()):
        raise BadModelSettings(path, key, f"must be tables, [{key}.NAME]")
    return list(found.items())


def _budget(path: Path, name: str, table: dict) -> BudgetSettings:
    return BudgetSettings(name, _money(path, f"budgets.{name}.monthly_cap", table.get("monthly_cap")))


def _model(path: Path, name: str, table: dict, budgets: dict[str, BudgetSettings]) -> ModelSettings:
    where = f"models.{name}"
    if unknown := sorted(set(table) - KNOWN):
        raise BadModelSettings(path, f"{where}.{unknown[0]}", f"is not known; there are {', '.join(sorted(KNOWN))}")
    if not isinstance(table.get("model"), str):
        raise BadModelSettings(path, f"{where}.model", "must name a model as litellm does, as in openai/NAME")
    if table.get("json", "text") not in ("text", "json_object", "json_schema"):
        raise BadModelSettings(path, f"{where}.json", "must be text, json_object or json_schema")
    budget = table.get("budget", "default")
    if "budget" in table and budget not in budgets:
        raise BadModelSettings(
            path, f"{where}.budget", f"must be one of [budgets.NAME]: {', '.join(budgets) or 'none'}"
        )
    numbers = ("context", "max_output", "requests_per_minute", "concurrency", "timeout")
    return ModelSettings(
        name=name,
        model=table["model"],
        budget=budgets.get(budget) or BudgetSettings("default", None),
        base_url=table.get("base_url"),
        key_env=table.get("key_env", ""),
        input_price=_money(path, f"{where}.input_price", table.get("input_price")),
        output_price=_money(path, f"{where}.output_price", table.get("output_price")),
        json=table.get("json", "text"),
        parameters=table.get("parameters", {}),
        **{key: _whole(path, f"{where}.{key}", table[key]) for key in numbers if key in table},
    )


def _whole(path: Path, where: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadModelSettings(path, where, "must be a whole number")
    return value


def _money(path: Path, where: str, value: Any) -> Decimal | None:
    if value is None:
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation as error:
        raise BadModelSettings(path, where, "must be an amount in US dollars") from error
    if isinstance(value, bool) or not amount.is_finite() or amount < 0:
        raise BadModelSettings(path, where, "must be an amount in US dollars, not below zero")
    return amount
