"""Two published label sources over the same runs, read just far enough for the figures."""

import json
import os
from pathlib import Path

import pytest

from adjudication.judgements import ItemFacts, Judgement, Mark, Study

ROOT = Path(__file__).resolve().parents[2]


def hand_crafted() -> Study:
    data = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    runs, truth = (
        data / "whowhen" / "Hand-Crafted",
        data / "agentrx" / "ground_truth" / "magentic_one_ground_truth.json",
    )
    if not runs.is_dir() or not truth.is_file():
        pytest.skip(f"no label data at {data}; set ASSAY_DATA")
    items, judgements = [], []
    for path in sorted(runs.glob("*.json")):
        record = json.loads(path.read_text("utf-8"))
        key = record["question_ID"]
        items.append(ItemFacts(key, key, len(record["history"]), cluster=key, domain="web"))
        judgements.append(_whowhen(key, record))
    judgements += [_agentrx(entry) for entry in json.loads(truth.read_text("utf-8"))]
    return Study.of(items, judgements)


def _whowhen(key: str, record: dict) -> Judgement:
    position, agent = int(record["mistake_step"]), record["mistake_agent"]
    return Judgement(
        item_id=key,
        annotator="whowhen",
        process="human",
        exhaustive=False,
        definition="decisive",
        outcome="critical",
        critical_position=position,
        participant=agent,
        failure_positions=frozenset({position}),
        marks=(Mark(position, agent, is_critical=True),),
        id=f"whowhen:{key}",
    )


def _agentrx(entry: dict) -> Judgement:
    key, root = entry["trajectory_id"], str(entry["root_cause"]["failure_id"])
    critical = next(f for f in entry["failures"] if str(f["failure_id"]) == root)
    marks = tuple(
        Mark(f["step_number"] - 1, f["failed_agent"], f["failure_category"], is_critical=f is critical)
        for f in entry["failures"]
    )
    return Judgement(
        item_id=key,
        annotator="agentrx",
        process="human",
        exhaustive=True,
        definition="first_unrecoverable",
        outcome="critical",
        critical_position=critical["step_number"] - 1,
        participant=critical["failed_agent"],
        category=critical["failure_category"],
        failure_positions=frozenset(mark.position for mark in marks),
        marks=marks,
        id=f"agentrx:{key}",
    )
