"""The 14 failure modes of MAST in three groups, described in our words."""

from taxonomy.presets.drafts import Preset
from taxonomy.presets.tables import categories

DESIGN, BETWEEN, CHECKING = "System design", "Inter-agent misalignment", "Task verification"

MAST = Preset(
    name="mast",
    title="MAST: fourteen failure modes of multi-agent systems",
    credit=(
        "Modes, groups and names are those of “Why Do Multi-Agent LLM Systems Fail?” (Cemri and others, 2025; data card "
        "CC BY 4.0); definitions and questions were written for Assay. Numbers are those of the edition with fourteen "
        "modes: earlier rounds numbered otherwise, so labels are matched by name."
    ),
    categories=categories(
        (
            (
                DESIGN,
                "Disobey task specification",
                "FM-1.1",
                "Something the task demands or forbids is not respected.",
                "The demand stands in the task. not: the agent left its own role: Disobey role specification.",
                "Does the task state a demand that this step breaks?",
            ),
            (
                DESIGN,
                "Disobey role specification",
                "FM-1.2",
                "An agent oversteps what its role allows, or does another one's job.",
                "Two roles are defined and one acts as the other. not: the role is kept and the task is not.",
                "Is there a role description that this step departs from?",
            ),
            (
                DESIGN,
                "Step repetition",
                "FM-1.3",
                "Work that was complete is done over without a reason.",
                "Nothing new was to be gained. not: a retry after an error or with changed input.",
                "Had this very step been completed before, with nothing changed since?",
            ),
            (
                DESIGN,
                "Loss of conversation history",
                "FM-1.4",
                "Context that was there a moment ago is missing, and the run falls back to an earlier state.",
                "The agent acts as if recent turns had not happened. not: the whole dialogue starts anew.",
                "Does the step ignore turns that the agent had itself taken part in?",
            ),
            (
                DESIGN,
                "Unaware of termination conditions",
                "FM-1.5",
                "The condition for stopping holds, or is defined, and nobody in the system takes notice.",
                "The run goes on past its end. not: it ends too early: Premature termination.",
                "Was the condition for stopping met before this step?",
            ),
            (
                BETWEEN,
                "Conversation reset",
                "FM-2.1",
                "A dialogue begins from scratch without cause, and what had been reached is lost.",
                "The restart is visible to all. not: only recent turns are forgotten.",
                "Does the dialogue start over although nothing asked for it?",
            ),
            (
                BETWEEN,
                "Fail to ask for clarification",
                "FM-2.2",
                "Needed information is vague or absent, and the agent proceeds instead of asking.",
                "Somebody could have been asked. not: the fact was there and was not used.",
                "Was a needed fact missing or ambiguous, and was there anybody to ask?",
            ),
            (
                BETWEEN,
                "Task derailment",
                "FM-2.3",
                "The run moves off its goal, step by step or at once.",
                "What is done no longer serves the task. not: it serves the task and breaks a demand of it.",
                "Would the work from here on fail to serve the task even if done well?",
            ),
            (
                BETWEEN,
                "Information withholding",
                "FM-2.4",
                "An agent has a fact that another one needs and keeps it to itself.",
                "The fact is in the agent's view. not: it was passed on and ignored.",
                "Did this agent know something that its addressee lacked and needed?",
            ),
            (
                BETWEEN,
                "Ignored other agent's input",
                "FM-2.5",
                "What another agent contributed is at hand and plays no part in what is done.",
                "The contribution was addressed to this agent. not: it was never passed on.",
                "Had another agent given input that this step should rest on?",
            ),
            (
                BETWEEN,
                "Reasoning-action mismatch",
                "FM-2.6",
                "The action is not the one that the agent's own reasoning arrived at.",
                "Both reasoning and action are visible. not: the reasoning itself is wrong.",
                "Does the action differ from what the same agent had just concluded?",
            ),
            (
                CHECKING,
                "Premature termination",
                "FM-3.1",
                "The run stops while work, or an exchange it depends on, is still outstanding.",
                "Something named in the task is undone. not: all was done and nothing checked.",
                "Was part of the task still open when the run stopped?",
            ),
            (
                CHECKING,
                "No or incomplete verification",
                "FM-3.2",
                "A result is accepted unchecked, or checked in some respects only.",
                "No check, or one with holes. not: a full check with a wrong verdict.",
                "Did a result go through without a check of what matters about it?",
            ),
            (
                CHECKING,
                "Incorrect verification",
                "FM-3.3",
                "Somebody does check, and concludes wrongly.",
                "There is a check with a verdict. not: the check was left out.",
                "Is there a check whose verdict is wrong?",
            ),
        ),
        format="mast",
    ),
)
