"""The file that names models: what it may say, and a reason for each fault."""

from decimal import Decimal

import pytest

from suggestions.llm.providers import NO_MODEL, BadModelSettings, NoModel, model_named, models


@pytest.fixture
def given(settings, tmp_path):
    def written(text: str) -> None:
        path = tmp_path / "models.toml"
        path.write_text(text)
        settings.ASSAY_MODELS = str(path)

    return written


def test_models_and_budgets_are_read(given):
    given(
        '[budgets.study]\nmonthly_cap = 20.5\n[models.big]\nmodel = "openai/big"\nbudget = "study"\ninput_price = 0.15\n'
        'output_price = 0.6\n[models.local]\nmodel = "openai/q"\nbase_url = "http://127.0.0.1:8001/v1"\ncontext = 32768\n'
    )
    big, local = models().values()
    assert (big.name, big.budget.monthly_cap, big.input_price, big.has_price) == (
        "big",
        Decimal("20.5"),
        Decimal("0.15"),
        True,
    )
    assert (local.context, local.budget.name, local.budget.monthly_cap, local.has_price) == (
        32_768,
        "default",
        None,
        False,
    )
    assert model_named().name == "big"
    assert model_named("local").base_url == "http://127.0.0.1:8001/v1"


def test_without_a_file_there_is_no_model(settings):
    settings.ASSAY_MODELS = ""
    assert models() == {}
    with pytest.raises(NoModel, match=NO_MODEL[:20]):
        model_named()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[models", "is not TOML"),
        ("[models.a]\n", "models.a.model must name a model"),
        ('[models.a]\nmodel = "x"\napi_key = "k"\n', "models.a.api_key is not known"),
        ('[models.a]\nmodel = "x"\nbudget = "b"\n', "models.a.budget must be one of"),
        ('[models.a]\nmodel = "x"\ninput_price = -1\n', "must be an amount in US dollars"),
        ('[models.a]\nmodel = "x"\ncontext = "many"\n', "models.a.context must be a whole number"),
        ('[models.a]\nmodel = "x"\njson = "xml"\n', "models.a.json must be"),
        ("models = 1\n", "models must be tables"),
    ],
)
def test_a_fault_is_said_with_its_place(given, text, reason):
    given(text)
    with pytest.raises(BadModelSettings, match=reason):
        models()


def test_a_file_that_is_not_there_and_a_key_that_is_not_set_are_said(settings, given, tmp_path, monkeypatch):
    settings.ASSAY_MODELS = str(tmp_path / "no.toml")
    with pytest.raises(BadModelSettings, match="cannot be read"):
        models()
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    given('[models.a]\nmodel = "x"\nkey_env = "NO_SUCH_KEY"\n')
    with pytest.raises(BadModelSettings, match="NO_SUCH_KEY is not set; the model a needs it"):
        _ = model_named().key


def test_another_name_is_answered_with_those_there_are(given):
    given('[models.a]\nmodel = "x"\n[models.b]\nmodel = "y"\n')
    with pytest.raises(NoModel, match="there is no model “c”; there are a, b"):
        model_named("c")
