"""AgentErrorTaxonomy: nineteen kinds of error by module, described in our words. Keys are module.type."""

from taxonomy.presets.drafts import Preset
from taxonomy.presets.tables import categories

LINES = (
    ("memory", "over_simplification", "What was known is boiled down until what would decide the matter is gone.", "Is a detail missing that the summary should have kept?"),
    ("memory", "memory_retrieval_failure", "Something seen earlier does not come back when it is wanted.", "Had the agent seen this before and fails to use it now?"),
    ("memory", "hallucination", "A memory of something that was never seen or done.", "Is the remembered thing nowhere in the run?"),
    ("reflection", "progress_misjudge", "How far the work is gets judged too well or too badly.", "Is the true progress other than stated?"),
    ("reflection", "outcome_misinterpretation", "The immediate result of an action is taken for something else.", "Does the result of the last action say otherwise?"),
    ("reflection", "causal_misattribution", "That something failed is seen; the blame goes to the wrong cause.", "Is the failure real and the named cause wrong?"),
    ("reflection", "hallucination", "An action is believed done that was not.", "Is the action that is spoken of missing from the run?"),
    ("planning", "constraint_ignorance", "A stated limit has no place in the plan.", "Is there a limit the plan would break?"),
    ("planning", "impossible_action", "The plan counts on something this state does not allow.", "Is a step of the plan impossible from here?"),
    ("planning", "inefficient_plan", "The plan would get there, by a long way round.", "Is there a clearly shorter plan at hand?"),
    ("action", "misalignment", "What is done is not what was just planned.", "Do plan and action differ?"),
    ("action", "invalid_action", "An action that does not exist.", "Is the action unknown to the environment?"),
    ("action", "format_error", "An action nobody could parse.", "Does the output fail to parse as an action?"),
    ("action", "parameter_error", "The right action with wrong arguments.", "Would the action be right with other arguments?"),
    ("system", "step_limit", "A sound run is ended by its number of steps.", "Did the step budget end the run?"),
    ("system", "tool_execution_error", "A tool fails, or acts in a way nobody could expect.", "Did the tool itself fail?"),
    ("system", "llm_limit", "A limit of the model – tokens, time – ends the run.", "Did a limit of the model end the run?"),
    ("system", "environment_error", "The environment is at fault.", "Would the step be right in a sound environment?"),
    ("others", "others", "None of the above.", "Do all the others not fit?"),
)  # fmt: skip

AGENT_ERROR_TAXONOMY = Preset(
    name="agent-error-taxonomy",
    title="AgentErrorTaxonomy: errors by module",
    credit=(
        "Modules and types are those of AgentErrorTaxonomy (Zhu and others, 2025); definitions and questions were "
        "written for Assay."
    ),
    categories=categories(
        (
            (module, f"{module}.{type_}", f"{module}.{type_}", definition, "", question)
            for module, type_, definition, question in LINES
        ),
        format="agenterrorbench",
        keys="own",
    ),
)
