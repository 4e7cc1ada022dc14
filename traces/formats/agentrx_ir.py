"""AgentRx's intermediate representation: numbered steps, each of substeps with a role and content."""

from collections.abc import Iterator

from traces.formats.documents import Document
from traces.formats.drafts import Block, Problem, Refused, StepDraft, TrajectoryDraft
from traces.formats.messages import content_blocks, note_order
from traces.formats.names import LONGEST_NAME, addressees, kind_of_speech, name_in, participant, participants_of
from traces.formats.records import Record, expect_id, expect_object, is_index, kind_of, read_records

OWN_KEYS = {"trajectory_id", "instruction", "steps"}


class AgentRxIR:
    """A step keeps its own index, which may skip; its substeps are blocks, each with its own agent."""

    name = "agentrx-ir"

    def detects(self, value: object) -> bool:
        items = value if isinstance(value, list) else [value]
        return any(_is_ir(item) for item in items)

    def read(self, document: Document) -> Iterator[TrajectoryDraft | Problem]:
        return read_records(document, self._trajectory, alone=False)

    def _trajectory(self, record: Record) -> TrajectoryDraft:
        run = expect_object(record, "an AgentRx IR trajectory")
        external_id = expect_id(run.get("trajectory_id"), "/trajectory_id")
        source_steps = _list(run.get("steps"), "/steps", "no_steps")
        steps = tuple(_step(record, step, f"/steps/{k}") for k, step in enumerate(source_steps))
        note_order(record, steps, "/steps")
        instruction = _instruction(record, run)
        extras = {key: value for key, value in run.items() if key not in OWN_KEYS}
        roles = (substep["role"][:LONGEST_NAME] for step in source_steps for substep in step["substeps"])
        return TrajectoryDraft(
            external_id=external_id,
            source="agentrx-ir",
            domain="",
            task_cluster=str(external_id),
            instruction=instruction,
            policy=None,
            toolset=None,
            steps=steps,
            layers={"task": {"instruction": instruction}},
            participants=participants_of(steps, "User", *addressees(roles)),
            origin={"format": self.name, "file": record.file, "where": record.place(), "number": record.number}
            | {"keys": list(run), "extras": extras},
            raw=record.raw,
        )


def _is_ir(item: object) -> bool:
    if not isinstance(item, dict) or "trajectory_id" not in item or not isinstance(item.get("steps"), list):
        return False
    steps = item["steps"]
    return any(isinstance(step, dict) and "substeps" in step for step in steps) or not steps and item.keys() <= OWN_KEYS


def _list(value: object, pointer: str, code: str) -> list:
    if isinstance(value, list) and value:
        return value
    found = "empty" if value == [] else kind_of(value)
    raise Refused(code, pointer, f"{pointer} must be a list that holds something; here it is {found}")


def _step(record: Record, step: object, pointer: str) -> StepDraft:
    if not isinstance(step, dict):
        raise Refused("bad_message", pointer, f"a step must be an object, not {kind_of(step)}")
    index = step.get("index")
    if not is_index(index):
        raise Refused("bad_index", f"{pointer}/index", "a step's index must be a whole number from 0 on")
    substeps = _list(step.get("substeps"), f"{pointer}/substeps", "bad_message")
    blocks: list[Block] = []
    for position, substep in enumerate(substeps):
        blocks.extend(_blocks(record, substep, f"{pointer}/substeps/{position}", index))
    roles = {substep["role"][:LONGEST_NAME] for substep in substeps}
    agents = {block.agent for block in blocks}
    return StepDraft(index, None, _only(roles), _only(agents), tuple(blocks))


def _blocks(record: Record, substep: object, pointer: str, index: int) -> Iterator[Block]:
    if not isinstance(substep, dict):
        raise Refused("bad_message", pointer, f"a substep must be an object, not {kind_of(substep)}")
    role = name_in(record, substep, "role", pointer)
    ref = {"pointer": record.pointer + pointer, "index": index, "sub_index": substep.get("sub_index")}
    kind = "tool_result" if role in ("tool", "function") else kind_of_speech(role)
    return content_blocks(record, substep, pointer, kind=kind, agent=participant(role), ref=ref)


def _only(names: set[str]) -> str:
    """The one name all share, or nothing: several agents make a step nobody's."""
    return next(iter(names)) if len(names) == 1 else ""


def _instruction(record: Record, run: dict) -> str:
    instruction = run.get("instruction")
    if isinstance(instruction, str):
        return instruction
    message = f"the instruction is {kind_of(instruction)}; the run is read without it"
    record.note("unusual_content", "/instruction", message)
    return ""
