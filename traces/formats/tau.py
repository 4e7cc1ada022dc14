"""τ-bench wrappers: {task_id, reward, info, traj, trial}, alone, in a list, or one per line."""

import re
from collections.abc import Iterator

from traces.formats.documents import Document
from traces.formats.drafts import Block, Problem, Refused, StepDraft, TrajectoryDraft
from traces.formats.messages import as_text, call_blocks, content_blocks, expect_messages, note_order
from traces.formats.names import clipped, name_in, participant, participants_of
from traces.formats.records import Record, expect_id, expect_object, is_index, read_records

AREA = re.compile(r"^#?\s*(\w{1,40}) agent policy", re.IGNORECASE)
OWN_KEYS = {"task_id", "reward", "info", "traj"}
EXPECTED_IN_TASK = ("actions", "outputs")


class Tau:
    """A message is a step. Its native index is its own `index`, or its position + 1 where no message has one."""

    name = "tau"

    def detects(self, value: object) -> bool:
        items = value if isinstance(value, list) else [value]
        return any(isinstance(item, dict) and "task_id" in item and "traj" in item for item in items)

    def read(self, document: Document) -> Iterator[TrajectoryDraft | Problem]:
        return read_records(document, self._trajectory, alone=False)

    def _trajectory(self, record: Record) -> TrajectoryDraft:
        run = expect_object(record, "a τ-bench run")
        task_id = expect_id(run.get("task_id"), "/task_id")
        messages = expect_messages(run.get("traj"), "/traj")
        steps = _steps(record, messages)
        instruction = _first_words(steps, "user")
        policy = _first_words(steps, "system") or None
        domain = _domain(policy, record.stem)
        return TrajectoryDraft(
            external_id=_external_id(run, task_id, messages),
            source="tau",
            domain=domain,
            task_cluster=f"{domain}:{task_id}",
            instruction=instruction,
            policy=policy,
            toolset=_toolset(run),
            steps=steps,
            layers=_layers(run, instruction),
            participants=participants_of(steps, "User", "Assistant"),
            origin=_origin(record, run, self.name),
            raw=record.raw,
        )


def _external_id(run: dict, task_id: str | int, messages: list[dict]) -> str | int:
    """AgentRx's files number their messages and hold one run per task; raw τ-bench repeats each task in trials."""
    trial = run.get("trial")
    if "records" in run or any("index" in message for message in messages) or not isinstance(trial, int | str):
        return task_id
    return expect_id(f"{task_id}/{trial}", "/trial")


def _steps(record: Record, messages: list[dict]) -> tuple[StepDraft, ...]:
    indexed = any("index" in message for message in messages)
    open_calls: set[str] = set()
    steps = []
    for position, message in enumerate(messages):
        pointer = f"/traj/{position}"
        native = _native_index(record, message, position, pointer) if indexed else position + 1
        step = _step(record, message, pointer, native)
        _check_results(record, step, open_calls, pointer)
        steps.append(step)
    note_order(record, steps, "/traj")
    return tuple(steps)


def _native_index(record: Record, message: dict, position: int, pointer: str) -> int:
    index = message.get("index")
    if not is_index(index):
        where = f"{pointer}/index"
        raise Refused("bad_index", where, f"a message's index must be a whole number, not {as_text(index)[:40]}")
    if index != position + 1:
        record.note(
            "index_mismatch", pointer, f"message {position + 1} calls itself {index}; labels are read by {index}"
        )
    return index


def _step(record: Record, message: dict, pointer: str, native_index: int) -> StepDraft:
    role = name_in(record, message, "role", pointer)
    agent = clipped(record, _agent(role, message), pointer)
    ref = {"pointer": record.pointer + pointer, "index": native_index}
    if role in ("tool", "function"):
        blocks = tuple(_result(record, message, pointer, agent, ref))
    else:
        blocks = tuple(_speech(record, message, pointer, agent, ref))
    return StepDraft(native_index, None, role, agent, blocks)


def _agent(role: str, message: dict) -> str:
    name = message.get("name")
    if role in ("tool", "function") and isinstance(name, str) and name.strip():
        return name
    return participant(role)


def _speech(record: Record, message: dict, pointer: str, agent: str, ref: dict) -> Iterator[Block]:
    """Thought, words and calls of one message, in this order."""
    reasoning, refusal = message.get("reasoning_content"), message.get("refusal")
    calls, legacy = message.get("tool_calls"), message.get("function_call")
    if reasoning:
        yield Block("thought", as_text(reasoning), agent, ref)
    acts = bool(calls) or bool(legacy) or bool(refusal) or bool(reasoning)
    yield from content_blocks(record, message, pointer, kind="text", agent=agent, ref=ref, calls=acts)
    if refusal:
        yield Block("text", as_text(refusal), agent, ref)
    yield from call_blocks(record, calls, f"{pointer}/tool_calls", agent=agent, ref=ref)
    if legacy:
        yield from call_blocks(record, [{"function": legacy}], f"{pointer}/function_call", agent=agent, ref=ref)


def _result(record: Record, message: dict, pointer: str, agent: str, ref: dict) -> Iterator[Block]:
    call_id, name = message.get("tool_call_id"), message.get("name")
    content = message.get("content")
    return content_blocks(
        record,
        message,
        pointer,
        kind="tool_result",
        agent=agent,
        ref={**ref, "id": call_id},
        tool_name=name if isinstance(name, str) else None,
        call_id=call_id if isinstance(call_id, str) else None,
        is_error=isinstance(content, str) and content.startswith("Error"),
    )


def _check_results(record: Record, step: StepDraft, open_calls: set[str], pointer: str) -> None:
    for block in step.blocks:
        if block.kind == "tool_call" and block.call_id:
            open_calls.add(block.call_id)
        elif block.kind == "tool_result" and block.call_id and block.call_id not in open_calls:
            record.note(
                "orphan_tool_result", pointer, f"the result answers {block.call_id[:80]!r}, which nobody called before"
            )


def _first_words(steps: tuple[StepDraft, ...], role: str) -> str:
    return next((block.text for step in steps if step.role == role for block in step.blocks), "")


def _domain(policy: str | None, stem: str) -> str:
    found = AREA.match(policy or "")
    if found:
        return f"tau-{found.group(1).lower()}"
    return next((f"tau-{area}" for area in ("retail", "airline", "telecom") if area in stem.lower()), "tau")


def _toolset(run: dict) -> list | None:
    tools = run.get("tools")
    return tools if isinstance(tools, list) else None


def _object(holder: dict, key: str) -> dict:
    """The object under a key that may be absent or null, as it is where the reward was never computed."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _layers(run: dict, instruction: str) -> dict:
    """What the reward computation compared with (actions, outputs) is expected, not outcome: it gives the answer away."""
    info = _object(run, "info")
    task, reward_info = _object(info, "task"), _object(info, "reward_info")
    details = _object(reward_info, "info")
    expected = {key: task[key] for key in EXPECTED_IN_TASK if key in task}
    expected |= {f"reward_{key}": reward_info[key] for key in ("actions",) if key in reward_info}
    expected |= {f"reward_{key}": details[key] for key in ("outputs", "gt_data_hash") if key in details}
    outcome = {"reward": run.get("reward")} | {key: info[key] for key in ("source", "error") if key in info}
    if reward_info:
        scores = {key: details[key] for key in ("r_actions", "r_outputs") if key in details}
        outcome["reward_info"] = {"reward": reward_info.get("reward")} | scores
    layers = {
        "task": {"instruction": instruction},
        "user_script": {key: value for key, value in task.items() if key not in EXPECTED_IN_TASK},
        "expected": expected,
        "outcome": outcome,
    }
    return {name: layer for name, layer in layers.items() if layer}


def _origin(record: Record, run: dict, name: str) -> dict:
    info = _object(run, "info")
    extras = {key: value for key, value in run.items() if key not in OWN_KEYS and key != "tools"}
    if "user_cost" in info:
        extras["user_cost"] = info["user_cost"]
    origin = {"format": name, "file": record.file, "where": record.place(), "number": record.number}
    return origin | {"keys": list(run), "extras": extras}
