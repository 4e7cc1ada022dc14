"""Invented records in the shapes that sources write, and short ways to read them."""

import json
from pathlib import Path

from suggestions.formats import read_suggestions
from suggestions.formats.reading import Options
from traces.formats.drafts import Problem

CHECK = ["def order_is_named(trajectory, current_step_index):", '    ""The order is named.""', "    return True"]


def constraint(name: str = "order_is_named", **fields) -> dict:
    return {
        "assertion_name": name,
        "taxonomy_targets": ["InvalidInvocation"],
        "invariant_type": "PROTOCOL",
        "event_trigger": {"step_index": "*", "role_name": "Assistant"},
        "check_hint": "The order is named.",
        "check_type": "python_check",
        "python_check": {
            "function_name": "order_is_named",
            "args": ["trajectory", "current_step_index"],
            "code_lines": CHECK,
        },
        "nl_check": {},
    } | fields


def violation(task_id: str | int = "run-1", step_index: int = 2, **fields) -> dict:
    return {
        "task_id": task_id,
        "step_index": step_index,
        "assertion_name": "order_is_named",
        "invariant_type": "PROTOCOL",
        "check_type": "python_check",
        "severity": "high",
        "check_hint": "The order is named.",
        "evidence": {"matched_substeps": [0]},
        "taxonomy_targets": ["InvalidInvocation"],
    } | fields


def judged(task_id: str | int = "run-1", step: int = 3, case: int = 4) -> dict:
    failure = {"task_id": task_id, "failure_case": case, "description": "It misread.", "step_number": step}
    return {"task_id": task_id, "failures": [failure], "most_common_failure": str(case), "step_mean": step}


def cache(predictions: dict, **provenance) -> dict:
    told = {"benchmark": "CatchBench", "method": "all_at_once", "model": "tiny-1", "prompt_sha": "0"}
    return {"provenance": told | provenance, "predictions": predictions}


def prediction(top: int | None, ranking: list[int]) -> dict:
    return {"top": top, "ranking": ranking, "raw": f"MISTAKE_STEP: {top}\nRANKING: {', '.join(map(str, ranking))}"}


LOG = """\
--- Starting Analysis ---
Prediction for 1.json:
Agent Name: **Lamp_Expert**
Step Number: 2
Reason for Mistake: It counted
the wrong lamps.
==================
Prediction for 2.json:
I cannot tell.
"""


def written(folder: Path, value: object, name: str = "file.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def read(folder: Path, format: str, value: object, name: str = "file.json", **options):
    """(drafts, problems) of one file."""
    found = list(read_suggestions([written(folder, value, name)], format, Options(**{"keys": {}, **options})))
    problems = [each for each in found if isinstance(each, Problem)]
    return [each for each in found if not isinstance(each, Problem)], problems


def codes(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(problem.where, problem.code) for problem in problems]
