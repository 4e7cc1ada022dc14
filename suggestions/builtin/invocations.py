"""Is the call one its tool accepts, does the tool exist, and did anything come back?"""

from suggestions.builtin.base import Builtin, quote
from suggestions.builtin.facts import Facts, addressee
from suggestions.builtin.json_schema import first_fault
from suggestions.runs import RunStep

ALWAYS_THERE = frozenset({"User", "System", "Computer_terminal", "ComputerTerminal"})


def has_call(facts: Facts, step: RunStep) -> bool:
    return step.position in facts.calls


def broken_arguments(facts: Facts, step: RunStep) -> dict | None:
    for call in facts.calls[step.position]:
        if call.arguments is None and call.arguments_text.strip():
            text = f"The arguments of {call.tool or 'the call'} are no JSON object: {quote(call.arguments_text)}"
            return {"text": text, "tool": call.tool}
    return None


def calls_a_declared_tool(facts: Facts, step: RunStep) -> bool:
    return any(facts.tools.get(call.tool) for call in facts.calls.get(step.position, ()))


def breaks_the_schema(facts: Facts, step: RunStep) -> dict | None:
    for call in facts.calls[step.position]:
        schema = facts.tools.get(call.tool)
        fault = first_fault(call.arguments or {}, schema) if schema else None
        if fault:
            return {"text": f"{call.tool} is called against its own schema: {fault}.", "tool": call.tool}
    return None


def has_call_and_tools(facts: Facts, step: RunStep) -> bool:
    return has_call(facts, step) and bool(facts.tools)


def unknown_tool(facts: Facts, step: RunStep) -> dict | None:
    for call in facts.calls[step.position]:
        if call.tool not in facts.tools:
            return {"text": f"The tool {call.tool or '(no name)'} is none of those declared.", "tool": call.tool}
    return None


def has_roster(facts: Facts, step: RunStep) -> bool:
    return bool(facts.run.roster) and bool(step.agent)


def unknown_agent(facts: Facts, step: RunStep) -> dict | None:
    known = facts.run.roster | ALWAYS_THERE
    for name in (step.agent, addressee(step)):
        if name and name not in known:
            return {"text": f"{name} was not set up for this run.", "agent": name}
    return None


def no_result(facts: Facts, step: RunStep) -> dict | None:
    for call in facts.calls[step.position]:
        if facts.result_of(call) is None:
            return {"text": f"Nothing came back from {call.tool or 'the call'}.", "tool": call.tool}
    return None


def hands_over(facts: Facts, step: RunStep) -> bool:
    return bool(addressee(step)) and _next_other(facts, step) is not None


def nobody_answers(facts: Facts, step: RunStep) -> dict | None:
    """Whoever speaks next, apart from the one who asked, is the one who was asked."""
    name, following = addressee(step), _next_other(facts, step)
    if following is None or following.agent == name:
        return None
    return {"text": f"{name} was asked, and {following.agent} speaks next.", "agent": name}


def _next_other(facts: Facts, step: RunStep) -> RunStep | None:
    later = (facts.steps[p] for p in range(step.position + 1, min(step.position + 6, len(facts.steps))))
    return next((other for other in later if other.agent != step.agent), None)


INVOCATIONS = (
    Builtin(
        "arguments_are_json",
        "SCHEMA",
        ("InvalidInvocation",),
        "The arguments of a tool call are a JSON object.",
        has_call,
        broken_arguments,
    ),
    Builtin(
        "arguments_match_schema",
        "SCHEMA",
        ("InvalidInvocation",),
        "The arguments of a tool call are what the tool's own schema asks for.",
        calls_a_declared_tool,
        breaks_the_schema,
    ),
    Builtin(
        "tool_is_known",
        "CAPABILITY",
        ("InvalidInvocation",),
        "The tool that is called is one of those declared.",
        has_call_and_tools,
        unknown_tool,
    ),
    Builtin(
        "agent_is_known",
        "CAPABILITY",
        ("Instruction/PlanAdherenceFailure",),
        "Who speaks or is spoken to was set up for the run.",
        has_roster,
        unknown_agent,
    ),
    Builtin(
        "call_has_result",
        "PROTOCOL",
        ("SystemFailure",),
        "A tool call is answered by a result.",
        has_call,
        no_result,
    ),
    Builtin(
        "agent_answers",
        "PROTOCOL",
        ("SystemFailure", "Instruction/PlanAdherenceFailure"),
        "The agent that is given a task speaks next.",
        hands_over,
        nobody_answers,
    ),
)
