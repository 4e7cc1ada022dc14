"""The error codes of MaadBench's actions, described in our words. Their two mappings to MAST are crosswalks."""

from dataclasses import replace

from taxonomy.presets.drafts import Preset
from taxonomy.presets.tables import categories

SELECT, CLUE, SOLVE = "SELECT_PUZZLE", "OBSERVE_CLUE", "SOLVE_CLUE"
ITEM, DELTA, TOOL, WATCH = "OBSERVE_ITEM", "APPLY_DELTA", "UNIT_TOOL_CALL", "OBSERVE_PUZZLE"

LINES = (
    (SELECT, "already_solved", "A puzzle is picked that is solved already.", "Was the puzzle solved before?"),
    (SELECT, "puzzle_locked", "A puzzle is picked that is not open yet.", "Is the puzzle still locked?"),
    (SELECT, "leads_to_deadend", "A puzzle is picked from which the room cannot be escaped.", "Does the choice end the way out?"),
    (SELECT, "puzzle_not_found", "A puzzle is picked that does not exist.", "Is there no such puzzle?"),
    (CLUE, "clue_select_wrong", "Another clue than the one that belongs to the puzzle is taken up.", "Is it another puzzle's clue?"),
    (SOLVE, "math_value_wrong", "The number worked out is wrong.", "Is the value other than the true one?"),
    (SOLVE, "math_unit_wrong", "The number is right and its unit is not.", "Is only the unit wrong?"),
    (ITEM, "item_type_wrong", "A thing in the room is taken for one of another type.", "Is the type wrong?"),
    (ITEM, "item_state_wrong", "The state of a thing is read wrongly.", "Is the state wrong?"),
    (DELTA, "apply_delta_wrong", "What was worked out is not applied, or applied wrongly.", "Does the result differ from what upstream values give?"),
    (TOOL, "TC_WRONG_ARGUMENTS", "The right tool is called with wrong arguments.", "Would other arguments be right?"),
    (TOOL, "TC_WRONG_TOOL", "Another tool than the needed one is called.", "Was another tool needed?"),
    (TOOL, "TC_REQUIRED_NOT_CALLED", "A tool that is needed is not called.", "Was the call left out?"),
    (TOOL, "TC_DIMENSION_MISMATCH", "Units of unlike dimension are converted into each other.", "Are the dimensions unlike?"),
    (TOOL, "TC_INVALID_REQUEST", "The request is not of the form the tool takes.", "Does the tool turn the form down?"),
    (TOOL, "TC_UNKNOWN_TOOL", "A tool is called that does not exist.", "Is there no such tool?"),
    (TOOL, "TC_UNKNOWN_UNIT", "A unit is used that the tool does not know.", "Is the unit unknown to the tool?"),
    (TOOL, "TC_CALL_LIMIT_EXCEEDED", "More calls are made than allowed.", "Is the limit of calls passed?"),
    (TOOL, "TC_EXECUTION_ERROR", "The tool breaks down on the call.", "Did the tool break down?"),
    (TOOL, "TC_MISSING_MESSAGE", "The call lacks the message it has to come with.", "Is only the message missing?"),
    (WATCH, "observer_disagrees", "The observer's verdict contradicts the true state.", "Is the observer's verdict wrong?"),
)  # fmt: skip

MAADBENCH = Preset(
    name="maadbench",
    title="MaadBench: error codes by action",
    credit="Actions and error codes are those of MaadBench; definitions and questions were written for Assay.",
    categories=tuple(
        replace(each, key=each.name.lower(), aliases=(f"{each.group}/{each.name}",))
        for each in categories(
            ((action, code, code, definition, "", question) for action, code, definition, question in LINES),
            format="maadbench",
        )
    ),
)
