"""Which processes are started: models get a worker of their own where there are any."""

import pytest

from config.serve.supervisor import children


def queues() -> dict[str, str]:
    return {
        child.name: child.command[child.command.index("-Q") + 1] for child in children(8000) if "-Q" in child.command
    }


@pytest.mark.parametrize(
    ("file", "expected"),
    [("", {"worker": "shop,shop-llm"}), ("models.toml", {"worker": "shop", "models": "shop-llm"})],
)
def test_questions_to_models_keep_nobody_waiting(monkeypatch, file, expected):
    monkeypatch.setenv("ASSAY_QUEUE", "shop")
    monkeypatch.setenv("ASSAY_MODELS", file)
    assert queues() == expected
