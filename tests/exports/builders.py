"""Rows made by hand for writers, which know no database."""

from exports.rows import Label, Layout, Mark, Row, Run, Turn

ONE_SOURCE = Layout(("made",))


def make_mark(number: int = 1, **fields) -> Mark:
    step = fields.get("first_step", 3)
    values = {
        "key": f"m{number}",
        "number": number,
        "anchor": "step",
        "first_step": step,
        "last_step": step,
        "native_step": None,
        "participant": "Assistant",
        "category": "invalid_invocation",
        "category_name": "Invalid Invocation",
        "none_fits": False,
        "codes": ["wrong call"],
        "step_reason": "called with a name that is no tool",
        "category_reason": "the schema has no such tool",
        "evidence": [],
        "is_omission": False,
        "effect": "persists",
        "recovered_at": None,
        "recovered_by": "",
        "is_critical": number == 1,
        "sources": [],
        "raw": {},
    }
    return Mark(**{**values, **fields})


def make_row(*marks: Mark, outcome: str = "critical", raw: dict | None = None, item: int = 1, **run) -> Row:
    values = {
        "source": "made",
        "trajectory_id": "run-1",
        "domain": "shop",
        "task_cluster": "lamp",
        "format": "magentic",
        "n_steps": 9,
        "instruction": "Exchange the lamp.",
        "turns": lambda: [Turn("user", "User", "Hello"), Turn("assistant", "Assistant", "Done")],
    }
    label = Label(
        outcome=outcome,
        failures=marks or (make_mark(),),
        confidence=0.5,
        reason_for_root_cause="never undone",
        failure_summary="the lamp was not exchanged",
        provenance={},
        raw=raw or {},
    )
    return Row(item=item, labels="gold", run=Run(**{**values, **run}), label=label)
