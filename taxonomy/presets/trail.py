"""The twenty leaf categories of TRAIL, described in our words."""

from dataclasses import replace

from taxonomy.presets.drafts import CategoryDraft, Preset
from taxonomy.presets.tables import categories

HALLUCINATION = "Reasoning errors / Hallucinations"
INFORMATION = "Reasoning errors / Information processing"
DECISION = "Reasoning errors / Decision making"
OUTPUT = "Reasoning errors / Output generation"
CONFIGURATION = "System execution errors / Configuration"
API = "System execution errors / API issues"
RESOURCES = "System execution errors / Resource management"
CONTEXT = "Planning and coordination errors / Context management"
TASKS = "Planning and coordination errors / Task management"
ONE, TWO = "Mark the first time it occurs.", "Mark the last time it occurs."

LINES = (
    (HALLUCINATION, "Language-only", "A claim without support, made without touching a tool.", ONE, "Is the claim free of any source in the run?"),
    (HALLUCINATION, "Tool-related", "A tool, what it can do or what it answered is made up.", ONE, "Is what is said of the tool untrue?"),
    (INFORMATION, "Poor Information Retrieval", "The search is for things that do not help the task.", ONE, "Would the information sought leave the task where it is?"),
    (INFORMATION, "Tool Output Misinterpretation", "An answer of a tool is misread, or applied where it does not hold.", ONE, "Does the tool's answer say something else than what is made of it?"),
    (DECISION, "Incorrect Problem Identification", "The task, or a part of it, is understood as another one.", ONE, "Is the problem being worked on another than the one given?"),
    (DECISION, "Tool Selection Errors", "The tool chosen is not the one for this need.", ONE, "Was a better suited tool at hand?"),
    (OUTPUT, "Formatting Errors", "Code or structured output is not of the form it has to have.", ONE, "Would a parser turn the output down?"),
    (OUTPUT, "Instruction Non-compliance", "What is done is not what was asked.", ONE, "Is there an instruction that this step does not follow?"),
    (CONFIGURATION, "Tool Definition Issues", "A tool's declaration is faulty, or not what the tool really does.", ONE, "Do declaration and behaviour of the tool differ?"),
    (CONFIGURATION, "Environment Setup Errors", "Rights, keys or resources the run relies on were never put in place.", ONE, "Would the step work in an environment set up as intended?"),
    (API, "Rate Limiting", "A service turns the request away since too many were made.", ONE, "Does the answer speak of a quota or of too many requests?"),
    (API, "Authentication Errors", "A service turns the request away for who asks.", ONE, "Does the answer speak of identity or rights?"),
    (API, "Service Errors", "A service breaks down by itself.", ONE, "Is the fault on the service's side?"),
    (API, "Resource Not Found", "What is addressed is not there.", ONE, "Does the address lead to nothing?"),
    (RESOURCES, "Resource Exhaustion", "Memory, disk or another resource is used up.", ONE, "Did a resource of the machine run out?"),
    (RESOURCES, "Timeout Issues", "Something takes longer than it is given.", ONE, "Was the operation cut off by a clock?"),
    (CONTEXT, "Context Handling Failures", "Context that is needed is dropped, overruns or is not followed up.", ONE, "Had the agent seen what it now lacks?"),
    (CONTEXT, "Resource Abuse", "One resource is called again and again beyond need.", TWO, "Were there clearly more calls than the task needs?"),
    (TASKS, "Goal Deviation", "The work departs from the task or the subtask.", ONE, "Does the work no longer serve the goal?"),
    (TASKS, "Task Orchestration", "Subtasks are put in a bad order, shared out badly or lost sight of.", ONE, "Is it the arrangement of subtasks that is wrong?"),
)  # fmt: skip
# Spellings met in labels beside the published names.
ALIASES = {
    "task_orchestration": ("Task Orchestration Errors",),
    "language_only": ("Language-only Hallucination", "Hallucinations: Language-only"),
    "tool_related": ("Tool-related Hallucination", "Hallucinations: Tool-related"),
    "goal_deviation": ("Goal Deviation Errors",),
    "tool_selection_errors": ("Tool Selection",),
}


def with_aliases(category: CategoryDraft) -> CategoryDraft:
    return replace(category, aliases=ALIASES.get(category.key, ()))


TRAIL = Preset(
    name="trail",
    title="TRAIL: twenty leaf categories",
    credit=(
        "Categories and their tree are those of “TRAIL: Trace Reasoning and Agentic Issue Localization” (Patronus AI, "
        "2025); definitions and questions were written for Assay."
    ),
    categories=tuple(
        with_aliases(each)
        for each in categories(
            ((group, name, name, definition, use, question) for group, name, definition, use, question in LINES),
            format="trail",
        )
    ),
)
