from dataclasses import FrozenInstanceError
from itertools import combinations

import pytest

from taxonomy import presets
from taxonomy.presets.spelling import fold

CANONICAL = {
    "instruction_plan_adherence": "Instruction/Plan Adherence Failure",
    "invention_of_new_information": "Invention of New Information",
    "invalid_invocation": "Invalid Invocation",
    "misinterpretation_of_tool_output": "Misinterpretation of Tool Output",
    "intent_plan_misalignment": "Intent-Plan Misalignment",
    "underspecified_user_intent": "Underspecified User Intent",
    "intent_not_supported": "Intent Not Supported",
    "guardrails_triggered": "Guardrails Triggered",
    "system_failure": "System Failure",
}

# Every spelling met in the benchmark's ground truth, code and paper.
SPELLINGS = {
    "instruction_plan_adherence": [
        "Instruction/Plan Adherence Failure",
        "Instruction Adherence Failure",
        "Instruction Adherence",
        "Plan Adherence Failure",
        "Instruction/PlanAdherenceFailure",
        "INSTRUCTION_OR_PLAN_ADHERENCE_FAILURE",
    ],
    "invention_of_new_information": [
        "Invention of New Information",
        "Invention of new information",
        "Invention of Information",
        "InventionOfNewInformation",
    ],
    "invalid_invocation": ["Invalid Invocation", "InvalidInvocation"],
    "misinterpretation_of_tool_output": [
        "Misinterpretation of Tool Output",
        "Misinterpretation of Tool Output / Handoff Failure",
        "Misinterpretation of Tool Output/Interpretation & Handoff Failure",
        "MisinterpretationOfToolOutput",
    ],
    "intent_plan_misalignment": [
        "Intent-Plan Misalignment",
        "Intent Plan Misalignment",
        "Intent–Plan Misalignment",
        "Intent‑Plan Misalignment",
        "IntentPlanMisalignment",
    ],
    "underspecified_user_intent": [
        "Underspecified User Intent",
        "Under-specified User Intent",
        "Under-specified Intent",
        "UnderspecifiedUserIntent",
    ],
    "intent_not_supported": [
        "Intent Not Supported",
        "Intent not supported",
        "IntentNotSupported",
    ],
    "guardrails_triggered": [
        "Guardrails Triggered",
        "RAI Policy Violation + Website not allowing agent access",
        "GuardrailsTriggered",
    ],
    "system_failure": [
        "System Failure",
        "SystemFailure",
        "  system   failure ",
        "SYSTEM_FAILURE",
    ],
}


def test_agentrx_has_the_nine_categories_under_their_canonical_names():
    categories = presets.load("agentrx").categories
    assert {category.key: category.name for category in categories} == CANONICAL
    assert [category.hotkey for category in categories] == list("123456789")


@pytest.mark.parametrize(("key", "spelling"), [(key, s) for key, many in SPELLINGS.items() for s in many])
def test_every_published_spelling_resolves(key, spelling):
    assert presets.resolve(presets.load("agentrx"), spelling) == key


def test_a_key_resolves_to_itself():
    agentrx = presets.load("agentrx")
    assert [presets.resolve(agentrx, key) for key in CANONICAL] == list(CANONICAL)


@pytest.mark.parametrize(
    "spelling",
    ["", " ", "–", "Failure", "Factual_Error", "Tool failure", "9", "None of these"],
)
def test_an_unknown_spelling_resolves_to_nothing(spelling):
    assert presets.resolve(presets.load("agentrx"), spelling) is None


@pytest.mark.parametrize("spelling", ["Inconclusive", "INCONCLUSIVE", "Inconclusive (USE SPARINGLY)"])
def test_inconclusive_is_known_and_is_no_category(spelling):
    agentrx = presets.load("agentrx")
    assert presets.is_judge_answer(agentrx, spelling)
    assert presets.resolve(agentrx, spelling) is None


def test_no_category_is_mistaken_for_a_judges_answer():
    agentrx = presets.load("agentrx")
    assert not any(presets.is_judge_answer(agentrx, s) for many in SPELLINGS.values() for s in many)


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda preset: preset.name)
def test_no_two_categories_share_a_spelling_or_a_hotkey(preset):
    for one, other in combinations(preset.categories, 2):
        assert set(map(fold, one.spellings)).isdisjoint(map(fold, other.spellings))
        assert one.key != other.key
        assert one.hotkey != other.hotkey or not one.hotkey


@pytest.mark.parametrize("category", presets.load("agentrx").categories, ids=lambda category: category.key)
def test_every_category_tells_when_it_applies_and_asks_yes_or_no(category):
    assert category.definition and category.when_to_use and category.when_not
    assert 2 <= len(category.checklist) <= 4
    assert all(question.endswith("?") for question in category.checklist)


@pytest.mark.parametrize(
    ("name", "categories", "groups"),
    [
        ("mast", 14, 3),
        ("trail", 20, 9),
        ("agent-error-taxonomy", 19, 6),
        ("catchbench-gold", 4, 4),
        ("catchbench-pre", 6, 2),
        ("maadbench", 21, 7),
    ],
)
def test_the_other_presets_are_whole_and_described(name, categories, groups):
    preset = presets.load(name)
    assert len(preset.categories) == categories
    assert len({each.group for each in preset.categories}) == groups
    assert preset.credit
    assert all(each.definition and each.checklist and each.checklist[0].endswith("?") for each in preset.categories)


def test_mast_is_matched_by_name_never_by_number():
    mast = presets.load("mast")
    assert presets.resolve(mast, "Step Repetition") == "step_repetition"
    assert presets.resolve(mast, "FM-1.3") is presets.resolve(mast, "1.3") is None
    assert dict(mast.categories[2].names) == {"mast": "FM-1.3"}


def test_the_keys_of_agent_error_taxonomy_are_module_and_type():
    keys = [category.key for category in presets.load("agent-error-taxonomy").categories]
    assert "memory.hallucination" in keys and "reflection.hallucination" in keys


def test_none_is_an_empty_preset():
    assert presets.load("none").categories == ()


def test_an_unknown_preset_is_refused_with_the_known_names():
    with pytest.raises(presets.UnknownPreset) as refusal:
        presets.load("agentrex")
    assert str(refusal.value) == (
        "no taxonomy preset is called “agentrex”; known are agentrx, mast, trail, "
        "agent-error-taxonomy, catchbench-gold, catchbench-pre, maadbench, none"
    )


def test_presets_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        presets.load("agentrx").title = "Another"
