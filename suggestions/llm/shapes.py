"""The shapes of answers, as JSON Schema."""

STEP = {"type": "integer"}
STEPS = {"type": "array", "items": STEP}
TEXT = {"type": "string"}


def an_object(required: list[str], **properties: dict) -> dict:
    return {"type": "object", "properties": properties, "required": required}


NAMED_STEP: dict[str, dict] = {
    "reason": TEXT,
    "critical_step": {"type": ["integer", "null"]},
    "participant": {"type": ["string", "null"]},
    "cited_steps": STEPS,
    "ranking": STEPS,
}
CRITICAL_STEP = an_object(["reason", "critical_step"], **NAMED_STEP)
ALL_AT_ONCE = an_object(["reason", "critical_step", "category"], **NAMED_STEP, category=TEXT, category_reason=TEXT)
CATEGORY = an_object(["category"], category=TEXT, category_reason=TEXT, cited_steps=STEPS)
IS_DECISIVE = an_object(["decisive"], decisive={"type": "boolean"}, reason=TEXT, participant=NAMED_STEP["participant"])
WHICH_HALF = an_object(["half"], half={"enum": ["first", "second"]}, reason=TEXT)
CONSTRAINTS = an_object(["constraints"], constraints={"type": "array", "items": {"type": "object"}})
RUBRIC = an_object(
    ["evaluation"],
    criterion=TEXT,
    evaluation={"enum": ["CLEAR_PASS", "CLEAR_FAIL", "UNCLEAR"]},
    reasoning=TEXT,
)
CHECKS = an_object(
    ["results"],
    results={
        "type": "array",
        "items": an_object(
            ["check", "step", "rubric"],
            check=TEXT,
            step=STEP,
            rubric={"type": "array", "items": RUBRIC},
            cited_steps=STEPS,
            reason=TEXT,
        ),
    },
)
NAMING = an_object(["reason", "name", "definition"], reason=TEXT, name=TEXT, definition=TEXT, do_not_belong=STEPS)
