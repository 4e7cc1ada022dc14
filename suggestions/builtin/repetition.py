"""Is the same thing done again although nothing changed?"""

from suggestions.builtin.base import Builtin, quote
from suggestions.builtin.facts import Facts
from suggestions.runs import RunStep

SHORTEST = 25  # characters: shorter words recur without meaning anything
WINDOW = 12  # steps: what was done longer ago may be worth doing again
LONGEST_CYCLE = 4
ROUNDS = 3


class Actions:
    """What each step does, as one text that is equal for equal actions, and where it was done before."""

    def __init__(self, facts: Facts):
        self.of_step = [self._action(facts, step) for step in facts.steps]
        self.before: list[int | None] = []
        last: dict[str, int] = {}
        for position, action in enumerate(self.of_step):
            self.before.append(last.get(action) if action else None)
            if action:
                last[action] = position

    @staticmethod
    def _action(facts: Facts, step: RunStep) -> str:
        calls = facts.calls.get(step.position)
        if calls:
            return "call " + " ".join(call.signature for call in calls)
        if any(block.kind == "thought" for block in step.blocks):
            return ""  # notes to oneself recur without anything being done again
        words = " ".join(step.text.split())
        if facts.is_by_an_agent(step) and len(words) >= SHORTEST:
            return f"{step.role or step.agent}: {words}"
        return ""


def actions(facts: Facts) -> Actions:
    if not hasattr(facts, "_actions"):
        facts._actions = Actions(facts)  # type: ignore[attr-defined]
    return facts._actions  # type: ignore[attr-defined]


def acts(facts: Facts, step: RunStep) -> bool:
    return bool(actions(facts).of_step[step.position])


def repeats(facts: Facts, step: RunStep) -> dict | None:
    known = actions(facts)
    before = known.before[step.position]
    if before is None or step.position - before > WINDOW or not _same_outcome(facts, before, step.position):
        return None
    number = facts.steps[before].number
    told = f"The same was done at step {number}: {quote(known.of_step[step.position])}"
    return {"text": told, "step": before}


def _same_outcome(facts: Facts, before: int, now: int) -> bool:
    """A call that was answered otherwise the second time was worth repeating."""
    for first, second in zip(facts.calls.get(before, ()), facts.calls.get(now, ()), strict=False):
        one, other = facts.result_of(first), facts.result_of(second)
        if one is not None and other is not None and one.text != other.text:
            return False
    return True


def loops(facts: Facts, step: RunStep) -> dict | None:
    """The last steps are one short cycle, gone through at least three times; said once, where the third round ends."""
    done = actions(facts).of_step
    for length in range(1, LONGEST_CYCLE + 1):
        if _ends_a_cycle(done, step.position, length) and not _ends_a_cycle(done, step.position - 1, length):
            return {"text": f"The last {length * ROUNDS} steps repeat a cycle of {length}.", "length": length}
    return None


def _ends_a_cycle(done: list[str], position: int, length: int) -> bool:
    start = position + 1 - length * ROUNDS
    if start < 0:
        return False
    window = done[start : position + 1]
    return any(window[:length]) and window == window[:length] * ROUNDS


REPETITION = (
    Builtin(
        "no_repeated_action",
        "TEMPORAL",
        ("Instruction/PlanAdherenceFailure",),
        "An action is not done again in the same words, with the same result.",
        acts,
        repeats,
    ),
    Builtin(
        "no_loop",
        "TEMPORAL",
        ("Instruction/PlanAdherenceFailure",),
        "The run does not go through one short cycle of steps three times.",
        acts,
        loops,
    ),
)
