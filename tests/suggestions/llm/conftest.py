from contextlib import ExitStack

import pytest

from suggestions.llm.plan import CategoryWords, Plan, in_order
from suggestions.llm.providers import model_named
from tests.suggestions.llm.server import KEY, ModelServer, answering

JUDGED = {
    "reason": "The lamp was never found.",
    "critical_step": 2,
    "participant": "Assistant",
    "category": "Invalid Invocation",
    "category_reason": "It called the wrong tool.",
    "cited_steps": [2],
    "ranking": [2, 3],
}


@pytest.fixture
def servers_of_models():
    with ExitStack() as stack:
        yield lambda behaviour: stack.enter_context(ModelServer(behaviour))


@pytest.fixture
def connect(servers_of_models, settings, tmp_path, monkeypatch):
    """Start a server and connect the deployment to it: connect(behaviour, **settings of the model)."""
    monkeypatch.setenv("LLM_TEST_KEY", KEY)

    def connected(behaviour=None, cap=None, **fields) -> ModelServer:
        server = servers_of_models(behaviour or answering(JUDGED))
        told = {"model": "openai/scripted", "base_url": server.url, "key_env": "LLM_TEST_KEY", "timeout": 5}
        told |= {"input_price": 1, "output_price": 2, "max_output": 500, "budget": "study"} | fields
        lines = ["[budgets.study]", *([f"monthly_cap = {cap}"] if cap is not None else []), "[models.tiny]"]
        lines += [f"{name} = {toml(value)}" for name, value in told.items() if value is not None]
        path = tmp_path / "models.toml"
        path.write_text("\n".join(lines))
        settings.ASSAY_MODELS = str(path)
        return server

    return connected


def toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.fixture
def plan():
    def made(*tasks: str, **fields) -> Plan:
        categories = (CategoryWords("Invalid Invocation", "A call that cannot work.", ("Was the call valid?",)),)
        return Plan(
            **{"model": model_named(), "tasks": in_order(tasks), "categories": categories, "project": "shop"} | fields
        )

    return made
