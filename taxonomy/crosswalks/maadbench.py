"""MaadBench's error codes under MAST's names. Two mappings are in use and differ; keep them apart.

Three kinds that MaadBench adds to MAST (deception, reasoning error, error propagation) have no place in MAST.
"""

from taxonomy.crosswalks.drafts import Crosswalk

REPEAT, TASK, DERAILED = "step_repetition", "disobey_task_specification", "task_derailment"
MISMATCH, IGNORED = "reasoning_action_mismatch", "ignored_other_agents_input"
UNCHECKED, MISCHECKED = "no_or_incomplete_verification", "incorrect_verification"
FORM = (
    "tc_required_not_called",
    "tc_dimension_mismatch",
    "tc_invalid_request",
    "tc_unknown_tool",
    "tc_unknown_unit",
    "tc_call_limit_exceeded",
    "tc_execution_error",
)
SAME = (
    ("already_solved", REPEAT, ""),
    ("puzzle_locked", TASK, ""),
    ("leads_to_deadend", DERAILED, ""),
    ("puzzle_not_found", MISMATCH, ""),
    ("tc_wrong_arguments", IGNORED, ""),
    ("tc_wrong_tool", IGNORED, ""),
    *((code, TASK, "") for code in FORM),
    ("tc_missing_message", UNCHECKED, "where it is the only error"),
    ("observer_disagrees", MISCHECKED, ""),
)

IN_TRACE = Crosswalk(
    name="maadbench-in-trace",
    left="maadbench",
    right="mast",
    note="As the benchmark's own verifier writes it into the trace.",
    rows=(
        *SAME,
        ("clue_select_wrong", TASK, ""),
        ("math_value_wrong", TASK, ""),
        ("math_unit_wrong", IGNORED, "where the unit alone is wrong"),
        ("item_type_wrong", TASK, ""),
        ("item_state_wrong", UNCHECKED, ""),
        ("apply_delta_wrong", IGNORED, "none where the error came from upstream"),
    ),
)
POST_HOC = Crosswalk(
    name="maadbench-post-hoc",
    left="maadbench",
    right="mast",
    note="As the benchmark's later annotation of failure modes maps it.",
    rows=(
        *SAME,
        ("clue_select_wrong", MISMATCH, "where the right id stands in the reasoning; else deception, which MAST lacks"),
        ("math_value_wrong", TASK, "where the wrong unit comes from the problem's text"),
        ("math_value_wrong", MISMATCH, "where the right value stands in the reasoning; else a kind that MAST lacks"),
        ("math_unit_wrong", TASK, "where the unit alone is wrong"),
        ("item_type_wrong", MISMATCH, "or deception, which MAST lacks"),
        ("item_state_wrong", IGNORED, ""),
        ("apply_delta_wrong", IGNORED, "unless upstream failed or its values stand in the reasoning: kinds MAST lacks"),
    ),
)
