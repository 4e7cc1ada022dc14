"""The nine categories of the AgentRx benchmark, described in our words; hotkeys are the benchmark's own numbers."""

from taxonomy.presets.drafts import CategoryDraft, Preset

ADHERENCE = CategoryDraft(
    key="instruction_plan_adherence",
    name="Instruction/Plan Adherence Failure",
    definition=(
        "An agent knows what it was told to do – by the task, the policy, its plan or the agent that directs it – and "
        "does something else: it leaves a required step out, adds one nobody asked for, or breaks a rule."
    ),
    when_to_use=(
        "You can point at the directive and at the step that departs from it. Skipped confirmations, forgotten "
        "sub-tasks, extra calls with consequences, and repeating an action after being told to stop belong here."
    ),
    when_not=(
        "The plan itself already missed what the user wanted: Intent-Plan Misalignment. The agent followed its "
        "directive but wrote the call wrongly: Invalid Invocation."
    ),
    checklist=(
        "Is there a directive (task, policy, plan, another agent) that was in force at this step?",
        "Did the agent omit something the directive requires, or do something it forbids or does not contain?",
        "Was the directive itself right for the user's goal?",
    ),
    aliases=(
        "Instruction Adherence Failure",
        "Instruction Adherence",
        "Plan Adherence Failure",
        "Plan Adherence",
        "Instruction/PlanAdherenceFailure",
        "INSTRUCTION_OR_PLAN_ADHERENCE_FAILURE",
    ),
    hotkey="1",
)

INVENTION = CategoryDraft(
    key="invention_of_new_information",
    name="Invention of New Information",
    definition=(
        "An agent states, changes or drops a fact although nothing it has seen – task, conversation, tool output – "
        "gives it reason to."
    ),
    when_to_use=(
        "You searched everything before this step and found no source for the statement: an assumed number, a made-up "
        "file name, a promise the policy does not contain, a result left out of a hand-over for no reason."
    ),
    when_not=(
        "There is a source and the agent read it wrongly: Misinterpretation of Tool Output. The value was needed and "
        "nobody had supplied it, and the run could not go on without: Underspecified User Intent."
    ),
    checklist=(
        "Does the step assert, alter or omit a specific piece of information?",
        "Is that information absent from everything the agent could see before this step?",
        "Is it more than a harmless rewording or a conclusion that follows from what was seen?",
    ),
    aliases=("Invention of Information", "InventionOfNewInformation"),
    hotkey="2",
)

INVOCATION = CategoryDraft(
    key="invalid_invocation",
    name="Invalid Invocation",
    definition=(
        "A tool is called in a way its interface does not accept: a required argument is missing, a type or format is "
        "wrong, the name of the tool or of an argument does not exist, the input cannot be parsed."
    ),
    when_to_use=(
        "The tool's description alone shows that the call cannot work; usually the tool answers with a validation error."
    ),
    when_not=(
        "The call is well formed and is the wrong thing to do: Instruction/Plan Adherence Failure. The call is well "
        "formed and the service does not answer: System Failure."
    ),
    checklist=(
        "Does the step contain a tool call?",
        "Does the call break the tool's schema or syntax (missing, misnamed, malformed or mistyped input)?",
        "Would the same call be refused on any other day, with every service healthy?",
    ),
    aliases=("InvalidInvocation",),
    hotkey="3",
)

MISINTERPRETATION = CategoryDraft(
    key="misinterpretation_of_tool_output",
    name="Misinterpretation of Tool Output",
    definition=(
        "The information is there – in a tool's answer or in what another agent handed over – and an agent draws "
        "something from it that it does not say, then reasons or acts on that."
    ),
    when_to_use=(
        "You can put your finger on the output and on the sentence that contradicts it: a wrong column or date, an "
        "error taken for success, an empty result taken for proof, a hand-over read as more than it claims."
    ),
    when_not=(
        "No output supports or contradicts the statement: Invention of New Information. The output itself was wrong or "
        "missing because the service failed: System Failure."
    ),
    checklist=(
        "Is there an earlier tool output or hand-over that the step relies on?",
        "Does what the agent concludes differ from what that output says?",
        "Was the output complete and legible enough to be read correctly?",
    ),
    aliases=(
        "Misinterpretation of Tool Output / Handoff Failure",
        "Misinterpretation of Tool Output/Interpretation & Handoff Failure",
        "MisinterpretationOfToolOutput",
    ),
    hotkey="4",
)

MISALIGNMENT = CategoryDraft(
    key="intent_plan_misalignment",
    name="Intent-Plan Misalignment",
    definition=(
        "The user's goal or one of its conditions is clear enough, and an agent takes it for another one, so that "
        "carrying out its plan perfectly would still miss what was asked."
    ),
    when_to_use=(
        "Look at the plan, or at the first action where no plan is written: a dropped condition, the wrong object, a "
        "question answered that was not asked."
    ),
    when_not=(
        "The plan was right and was not followed: Instruction/Plan Adherence Failure. The request left several readings "
        "open and only the user could have settled which: Underspecified User Intent."
    ),
    checklist=(
        "Does the request, read carefully, settle the point in question?",
        "Does the plan (or the action that reveals it) aim at something else?",
        "If everything went as planned, would the user still not have what they asked for?",
    ),
    aliases=(
        "Intent Plan Misalignment",
        "Intent–Plan Misalignment",
        "IntentPlanMisalignment",
    ),
    hotkey="5",
)

UNDERSPECIFIED = CategoryDraft(
    key="underspecified_user_intent",
    name="Underspecified User Intent",
    definition=(
        "At this point of the run something only the user (or the task's author) could supply is missing, and without "
        "it the task cannot be completed correctly."
    ),
    when_to_use=(
        "The missing piece is needed, no tool could have found it, and the user did not give it – unasked or asked. "
        "The participant is usually the user."
    ),
    when_not=(
        "The piece stands in the request or a tool would have told: Intent-Plan Misalignment or Instruction/Plan "
        "Adherence Failure. Policy ordered the agent to ask and it did not: Instruction/Plan Adherence Failure."
    ),
    checklist=(
        "Is a piece of information missing that decides what the right outcome is?",
        "Was it out of reach of every tool and document the agent had?",
        "Could the user have given it, and did not?",
    ),
    aliases=(
        "Under-specified User Intent",
        "Under-specified Intent",
        "UnderspecifiedUserIntent",
    ),
    hotkey="6",
)

NOT_SUPPORTED = CategoryDraft(
    key="intent_not_supported",
    name="Intent Not Supported",
    definition="What is asked for needs an ability that none of the tools and agents at hand provides.",
    when_to_use=(
        "You went through the list of tools: nothing in it can do this, however it is called. What the agent then does "
        "instead may be a failure of its own."
    ),
    when_not=(
        "A tool could do it and was not used, or used wrongly. The ability exists and access was denied: Guardrails "
        "Triggered. It exists and was out of order: System Failure."
    ),
    checklist=(
        "Does the step need an ability that no available tool or agent has?",
        "Is that so by design, not by a fault or a refusal?",
    ),
    aliases=("Intent not supported", "IntentNotSupported"),
    hotkey="7",
)

GUARDRAILS = CategoryDraft(
    key="guardrails_triggered",
    name="Guardrails Triggered",
    definition=(
        "Something that is meant to stop the agent stops it: a safety filter, a content policy, a log-in or payment "
        "wall, a check against automated visitors."
    ),
    when_to_use=(
        "The run shows the refusal: an access-denied page, a bot check, a refusal by the model. Mark the step at which "
        "the refusal appears."
    ),
    when_not=(
        "The service is down or times out: System Failure. The agent declines by the rules of its own policy, rightly: "
        "no failure; wrongly: Instruction/Plan Adherence Failure."
    ),
    checklist=(
        "Was an action refused or blocked?",
        "Was the refusal deliberate – a policy, a filter, a restriction of access – not a fault?",
    ),
    aliases=(
        "RAI Policy Violation + Website not allowing agent access",
        "RAI Policy Violation",
        "Website not allowing agent access",
        "GuardrailsTriggered",
    ),
    hotkey="8",
)

SYSTEM = CategoryDraft(
    key="system_failure",
    name="System Failure",
    definition=(
        "The machinery around the agents fails: a service cannot be reached, a call times out, a tool crashes on valid "
        "input."
    ),
    when_to_use=(
        "The call was right and would have worked at another time. The participant is usually the tool or the "
        "environment."
    ),
    when_not=(
        "The tool refused bad input: Invalid Invocation. The tool refused on purpose: Guardrails Triggered. An agent "
        "reported a failed call as a success: that is a further failure, Misinterpretation of Tool Output."
    ),
    checklist=(
        "Was the call well formed and permitted?",
        "Did it fail for a technical reason outside the agents (connection, time-out, crash)?",
    ),
    aliases=("SystemFailure",),
    hotkey="9",
)

AGENTRX = Preset(
    name="agentrx",
    title="AgentRx: nine causes of failure",
    credit=(
        "The categories and their names are those of “AgentRx: Diagnosing AI Agent Failures from Execution "
        "Trajectories”; definitions, advice and checklists were written for Assay."
    ),
    categories=(
        ADHERENCE,
        INVENTION,
        INVOCATION,
        MISINTERPRETATION,
        MISALIGNMENT,
        UNDERSPECIFIED,
        NOT_SUPPORTED,
        GUARDRAILS,
        SYSTEM,
    ),
    judge_answers=("Inconclusive", "Inconclusive (USE SPARINGLY)"),
)
