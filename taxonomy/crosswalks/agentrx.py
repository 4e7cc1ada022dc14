"""AgentRx's nine categories beside other taxonomies. Where one is finer, the note says what decides."""

from taxonomy.crosswalks.drafts import Crosswalk

ADHERENCE, INVENTION, INVOCATION = "instruction_plan_adherence", "invention_of_new_information", "invalid_invocation"
MISREAD, MISALIGNED = "misinterpretation_of_tool_output", "intent_plan_misalignment"
UNDERSPECIFIED, UNSUPPORTED = "underspecified_user_intent", "intent_not_supported"
GUARDRAILS, SYSTEM = "guardrails_triggered", "system_failure"
OURS = "Drawn up for Assay by comparing definitions; no published mapping exists."

MAST = Crosswalk(
    "agentrx-mast",
    "agentrx",
    "mast",
    OURS,
    (
        (ADHERENCE, "disobey_task_specification", "the directive is the task's"),
        (ADHERENCE, "disobey_role_specification", "the directive is the agent's role"),
        (ADHERENCE, "step_repetition", "finished work is done again"),
        (ADHERENCE, "unaware_of_termination_conditions", "the directive says when to stop, and the run goes on"),
        (ADHERENCE, "premature_termination", "required work is left out at the end"),
        (ADHERENCE, "no_or_incomplete_verification", "a check that was required is left out"),
        (ADHERENCE, "ignored_other_agents_input", "the directive came from another agent"),
        (ADHERENCE, "reasoning_action_mismatch", "the directive is the agent's own plan"),
        (INVENTION, "information_withholding", "a fact is dropped on hand-over without reason"),
        (MISREAD, "incorrect_verification", "the check misreads what it was given"),
        (MISREAD, "loss_of_conversation_history", "what was seen is acted on as if it had been otherwise"),
        (MISALIGNED, "task_derailment", ""),
        (UNDERSPECIFIED, "fail_to_ask_for_clarification", ""),
        (INVOCATION, "", ""),
        (UNSUPPORTED, "", ""),
        (GUARDRAILS, "", ""),
        (SYSTEM, "", ""),
        ("", "conversation_reset", ""),
    ),
)
TRAIL = Crosswalk(
    "agentrx-trail",
    "agentrx",
    "trail",
    OURS,
    (
        (ADHERENCE, "instruction_non_compliance", ""),
        (ADHERENCE, "resource_abuse", "calls beyond need"),
        (ADHERENCE, "poor_information_retrieval", "the plan asked for other information"),
        (INVENTION, "language_only", "no tool is involved"),
        (INVENTION, "tool_related", "a tool or its output is made up"),
        (INVOCATION, "formatting_errors", ""),
        (INVOCATION, "tool_definition_issues", "the declaration is at fault"),
        (MISREAD, "tool_output_misinterpretation", ""),
        (MISREAD, "context_handling_failures", "what was seen is lost on the way"),
        (MISALIGNED, "incorrect_problem_identification", ""),
        (MISALIGNED, "tool_selection_errors", "the plan names the wrong tool"),
        (MISALIGNED, "goal_deviation", ""),
        (MISALIGNED, "task_orchestration", ""),
        (GUARDRAILS, "authentication_errors", "the refusal is on purpose"),
        (SYSTEM, "rate_limiting", ""),
        (SYSTEM, "service_errors", ""),
        (SYSTEM, "resource_not_found", ""),
        (SYSTEM, "resource_exhaustion", ""),
        (SYSTEM, "timeout_issues", ""),
        (SYSTEM, "environment_setup_errors", ""),
        (UNDERSPECIFIED, "", ""),
        (UNSUPPORTED, "", ""),
    ),
)
AGENT_ERROR_TAXONOMY = Crosswalk(
    "agentrx-agent-error-taxonomy",
    "agentrx",
    "agent-error-taxonomy",
    OURS,
    (
        (ADHERENCE, "action.misalignment", "the directive is the agent's own plan"),
        (ADHERENCE, "planning.constraint_ignorance", "the directive is a stated limit"),
        (INVENTION, "memory.hallucination", "something never seen is remembered"),
        (INVENTION, "reflection.hallucination", "an action is believed done"),
        (INVOCATION, "action.invalid_action", "the action does not exist"),
        (INVOCATION, "action.format_error", "the action cannot be parsed"),
        (INVOCATION, "action.parameter_error", "the arguments are wrong"),
        (MISREAD, "reflection.outcome_misinterpretation", "the direct result is misread"),
        (MISREAD, "reflection.causal_misattribution", "the wrong cause is read out of a failure"),
        (MISREAD, "reflection.progress_misjudge", "progress is read wrongly"),
        (MISREAD, "memory.over_simplification", "a detail is lost in a summary"),
        (MISREAD, "memory.memory_retrieval_failure", "what was seen does not come back"),
        (MISALIGNED, "planning.inefficient_plan", ""),
        (UNSUPPORTED, "planning.impossible_action", ""),
        (SYSTEM, "system.tool_execution_error", "a tool fails"),
        (SYSTEM, "system.environment_error", "the environment fails"),
        (SYSTEM, "system.llm_limit", "a limit of the model"),
        (SYSTEM, "system.step_limit", "the step budget"),
        (UNDERSPECIFIED, "", ""),
        (GUARDRAILS, "", ""),
        ("", "others.others", ""),
    ),
)
CATCHBENCH_GOLD = Crosswalk(
    "agentrx-catchbench-gold",
    "agentrx",
    "catchbench-gold",
    OURS,
    (
        (INVENTION, "dropped", "an identifier without a source"),
        (MISREAD, "stale", "a value that had been replaced"),
        ("", "none", ""),
        ("", "other_fault", ""),
    ),
)
