"""AgentRx's Magentic-One lists: a file is one run, named after its id, of {content, role} messages."""

from collections.abc import Iterator

from traces.formats.documents import Document
from traces.formats.drafts import Problem, StepDraft, TrajectoryDraft
from traces.formats.messages import content_blocks, expect_messages
from traces.formats.names import addressees, kind_of_speech, name_in, participant, participants_of
from traces.formats.records import Record, read_records

TEAM = {"Orchestrator", "MagenticOneOrchestrator", "WebSurfer", "FileSurfer", "Assistant", "ComputerTerminal", "Coder"}


class Magentic:
    """Labels of this format count from 1, so a step's native index is its position + 1."""

    name = "magentic"

    def detects(self, value: object) -> bool:
        return isinstance(value, list) and any(_is_team_message(item) for item in value)

    def read(self, document: Document) -> Iterator[TrajectoryDraft | Problem]:
        return read_records(document, self._trajectory, alone=True)

    def _trajectory(self, record: Record) -> TrajectoryDraft:
        messages = expect_messages(record.value, "")
        steps = tuple(speech(record, message, f"/{k}", k + 1) for k, message in enumerate(messages))
        instruction = first_human_text(steps)
        return TrajectoryDraft(
            external_id=_id_of(record),
            source="agentrx-magentic",
            domain="magentic-one",
            task_cluster=str(_id_of(record)),
            instruction=instruction,
            policy=None,
            toolset=None,
            steps=steps,
            layers={"task": {"instruction": instruction}},
            participants=participants_of(steps, "User", *addressees(step.role for step in steps)),
            origin={"format": self.name, "file": record.file, "where": record.place()},
            raw=record.raw,
        )


def speech(record: Record, message: dict, pointer: str, native_index: int) -> StepDraft:
    """A message whose role names who speaks, to whom, and whether aloud."""
    role = name_in(record, message, "role", pointer)
    agent = participant(role)
    ref = {"pointer": record.pointer + pointer, "index": native_index}
    kind = kind_of_speech(role)
    blocks = tuple(content_blocks(record, message, pointer, kind=kind, agent=agent, ref=ref))
    return StepDraft(native_index, None, role, agent, blocks)


def first_human_text(steps: tuple[StepDraft, ...]) -> str:
    said = (block.text for step in steps if step.agent == "User" for block in step.blocks)
    return next(said, "")


def _is_team_message(item: object) -> bool:
    role = item.get("role") if isinstance(item, dict) else None
    return isinstance(role, str) and participant(role) in TEAM and role not in ("assistant", "ai")


def _id_of(record: Record) -> str:
    # Several lists in one file: none of them has the file's name for itself.
    return f"{record.stem}/{record.own_place}" if record.own_place else record.stem
