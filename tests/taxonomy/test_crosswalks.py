import pytest

from taxonomy import presets
from taxonomy.crosswalks import CROSSWALKS, Translation, translate


@pytest.mark.parametrize("crosswalk", CROSSWALKS, ids=lambda each: each.name)
def test_every_category_of_both_sides_is_placed_or_said_to_have_no_place(crosswalk):
    for side, preset in ((0, crosswalk.left), (1, crosswalk.right)):
        known = {category.key for category in presets.load(preset).categories}
        named = {row[side] for row in crosswalk.rows} - {""}
        assert named <= known, f"{crosswalk.name} names what {preset} has not"
        if preset == crosswalk.left and "maadbench" in crosswalk.name or preset in {"trail", "agent-error-taxonomy"}:
            assert named == known


@pytest.mark.parametrize(
    ("preset", "key", "to", "keys"),
    [
        ("mast", "task_derailment", "agentrx", ("intent_plan_misalignment",)),
        ("mast", "conversation_reset", "agentrx", ()),
        ("trail", "service_errors", "agentrx", ("system_failure",)),
        ("agentrx", "invention_of_new_information", "trail", ("language_only", "tool_related")),
        ("agentrx", "system_failure", "agentrx", ("system_failure",)),
    ],
)
def test_translations_are_clear_depend_or_do_not_exist(preset, key, to, keys):
    assert translate(preset, key, to).keys == keys


def test_what_depends_says_on_what():
    assert translate("agentrx", "invention_of_new_information", "trail").notes == (
        "no tool is involved",
        "a tool or its output is made up",
    )


def test_no_crosswalk_is_none():
    assert translate("trail", "service_errors", "maadbench") is None


def test_maadbench_keeps_its_two_mappings_to_mast_apart():
    def to_mast(name):
        return translate("maadbench", "item_state_wrong", "mast", name)

    assert to_mast("maadbench-in-trace") == Translation(("no_or_incomplete_verification",))
    assert to_mast("maadbench-post-hoc") == Translation(("ignored_other_agents_input",))
