"""docs/constraints.md: the constraints as the code has them, with what the last measurement found."""

import json
from collections.abc import Iterator
from pathlib import Path

from suggestions.builtin import BUILTINS
from suggestions.measurement import HELD_OUT, TUNING

MEASURED = Path(__file__).parent / "builtin" / "measured.json"
INTRODUCTION = """\
# Built-in constraints

Printed from the code by `manage.py docs`; the figures are those of the last `manage.py measure_constraints`.

A constraint is asked at every step of a run. Its guard says whether it has anything to say there (else *skipped*);
its check then says *satisfied* or *violated*; where neither can be said, the step *could not be evaluated*, which is
not the same as satisfied. A violation is a hint for a person, not a label: most steps it points at are harmless, and
most failures need a reader. It stays unseen until the project's reveal rule allows it.
"""
HOW_MEASURED = """\
## Measured

Precision is the share of steps with a violation that a label calls a failure; recall the share of labelled failure
steps where some constraint is violated. Constraints were tuned on one half of each set only (by a hash of the run's
id); the other half was not used for it. AgentRx's labels name every failure of a run. Who&When's name only the critical
step, so there precision is a lower and false alarms an upper bound.
"""
HALVES = {TUNING: "tuned on", HELD_OUT: "held out"}


def constraints_page() -> str:
    parts = [INTRODUCTION, *_list_of_constraints(), "", HOW_MEASURED]
    measured = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    parts += [*_sets(measured), "", *_by_constraint(measured)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _list_of_constraints() -> Iterator[str]:
    yield "| constraint | what a run should keep | kind | taxonomy targets |"
    yield "|---|---|---|---|"
    for builtin in BUILTINS:
        yield f"| `{builtin.name}` | {builtin.sentence} | {builtin.kind} | {', '.join(builtin.targets)} |"


def _sets(measured: dict) -> Iterator[str]:
    yield "| set | half | runs | steps | critical step covered | within ±1 | precision | recall | false alarms per 100 steps |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, halves in measured.items():
        for half, words in HALVES.items():
            told = halves[half]
            yield (
                f"| {name} | {words} | {told['runs']} | {told['steps']} "
                f"| {_of(told['critical_covered'], told['runs'])} | {_of(told['critical_within_1'], told['runs'])} "
                f"| {_of(told['alarms'] - told['false_alarms'], told['alarms'])} "
                f"| {_of(told['failures_covered'], told['failures'])} "
                f"| {100 * told['false_alarms'] / told['steps']:.1f} |"
            )


def _by_constraint(measured: dict) -> Iterator[str]:
    """Violations in all, and in parentheses those at labelled failures, tuned on / held out."""
    yield "Violations per constraint, tuned on + held out; in parentheses those at a step that a label calls a failure."
    yield ""
    yield f"| constraint | {' | '.join(measured)} |"
    yield f"|---|{'---|' * len(measured)}"
    for builtin in BUILTINS:
        cells = [_cell(halves, builtin.name) for halves in measured.values()]
        yield f"| `{builtin.name}` | {' | '.join(cells)} |"


def _cell(halves: dict, name: str) -> str:
    told = [halves[half]["constraints"].get(name, {"violations": 0, "on_failures": 0}) for half in HALVES]
    if not any(each["violations"] for each in told):
        return "–"
    return " + ".join(f"{each['violations']} ({each['on_failures']})" for each in told)


def _of(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / whole:.0f} %" if whole else "–"
