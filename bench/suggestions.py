"""Constraints on 1,000 runs of 60 steps: 30 constraints, a third of them python checks in the sandbox.

Prints a table and writes JSON to the path given, or to standard output. No database.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("DATABASE_URL", "postgres://nobody@127.0.0.1/none")  # models are imported, nothing connects

import django

django.setup()

from suggestions.builtin import BUILTINS  # noqa: E402
from suggestions.engine import evaluate  # noqa: E402
from suggestions.python_checks import PythonConstraint  # noqa: E402
from suggestions.runs import Run, RunBlock, RunStep  # noqa: E402
from suggestions.triggers import Trigger  # noqa: E402

STEPS, CONSTRAINTS = 60, 30
SIZES = (100, 300, 1000)
CODE = """
def holds(trajectory, current_step_index):
    content = trajectory["steps"][current_step_index]["substeps"][0]["content"]
    numbers = re.findall(r"[0-9]+", content)
    return len(numbers) < {most}
"""


def a_run(number: int) -> Run:
    return Run(f"run-{number}", "tau", "Exchange the lamp.", "Ask for confirmation.", tuple(map(a_step, range(STEPS))))


def a_step(position: int) -> RunStep:
    call_id = f"c{position // 3}"
    block = (
        RunBlock("text", f"I look at order A-{position} and then decide what to do with it.", "Assistant"),
        RunBlock("tool_call", "", "Assistant", "find_order", call_id, json.dumps({"order_id": f"A-{position - 1}"})),
        RunBlock("tool_result", json.dumps({"items": list(range(20)), "status": "open"}), "find_order", "", call_id),
    )[position % 3]
    return RunStep(position, position + 1, "assistant", block.agent, (block,))


def constraints() -> list:
    wanted = CONSTRAINTS - len(BUILTINS)
    checks = [
        PythonConstraint(f"check {n}", "SCHEMA", (), Trigger(), "python_check", "holds", CODE.format(most=n + 5))
        for n in range(wanted)
    ]
    return [*BUILTINS, *checks]


def measured(size: int) -> dict:
    asked, in_sandbox, pairs = constraints(), 0.0, 0
    started = time.perf_counter()
    for number in range(size):
        tally = evaluate(a_run(number), asked)
        in_sandbox += tally.seconds_in_sandbox
        pairs += tally.counts.total()
    seconds = time.perf_counter() - started
    return {
        "trajectories": size,
        "steps": size * STEPS,
        "constraints": len(asked),
        "pairs": pairs,
        "seconds": round(seconds, 2),
        "sandbox_share": round(in_sandbox / seconds, 3),
        "ms_per_trajectory": round(1000 * seconds / size, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="PATH", help="write the figures there")
    options = parser.parse_args()
    rows = []
    for size in SIZES:
        rows.append(measured(size))
        print("  ".join(f"{name} {value}" for name, value in rows[-1].items()))
    growth = rows[-1]["ms_per_trajectory"] / rows[0]["ms_per_trajectory"]
    print(f"time per trajectory at {SIZES[-1]} over that at {SIZES[0]}: {growth:.2f}")
    if options.json:
        told = {"name": "suggestions", "rows": rows, "growth": round(growth, 3)}
        Path(options.json).write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
