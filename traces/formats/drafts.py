"""What a reader of traces produces: plain values, not yet rows."""

from dataclasses import dataclass

REFUSED, WARNING = "refused", "warning"

# Every code a reader may report. The first group costs a file or a record, the second only asks for a look.
CODES = {
    "unreadable": "the file cannot be opened",
    "not_a_file": "a pipe, socket or device where a file was expected",
    "symlink_outside": "a link that leads out of the folder it was found in",
    "empty": "the file holds nothing",
    "not_json": "the text starts like JSON and is broken",
    "invalid_json_line": "one line of a JSONL file is broken",
    "too_deep": "the JSON is nested deeper than any trace is",
    "unknown_format": "no reader knows this content",
    "label_file": "labels were given where traces are read",
    "not_a_record": "something else stands where a record was expected",
    "no_steps": "a run without a step",
    "missing_id": "the record does not say which run it is",
    "bad_id": "the id is neither text nor a whole number",
    "bad_message": "a message without the fields that make it a step",
    "bad_index": "a step number that is no whole number",
    "bad_failure": "a failure that is no object or has no id",
    "bad_step": "a label whose step is no whole number",
    "bad_root_cause": "the root cause points at no failure, or at two",
    "ambiguous_failure": "one failure id stands for two different failures",
    "duplicate_key": "one JSON object holds a key twice; the last value counts",
    "replaced_characters": "NUL, lone surrogates or bytes that are no UTF-8 were replaced by U+FFFD",
    "non_finite_number": "NaN or Infinity became text",
    "bidi_controls": "the text holds characters that change the direction of reading",
    "long_name": "a name too long to store; its end was cut off, the original is kept",
    "empty_content": "a message without words",
    "unusual_content": "content in another shape than the format's own; kept",
    "arguments_not_text": "tool arguments that are no text; written as JSON",
    "orphan_tool_result": "a tool result that answers no call before it",
    "index_mismatch": "the source's own index differs from the position",
    "duplicate_failure": "the same failure stands there twice; one was kept",
    "root_id_type": "the root cause names its failure in another JSON type than the failure itself",
    "missing_agent": "a label that blames nobody",
    "step_from_text": "a step number given as text where a number was expected",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a source. A refused problem stands for exactly one record that was not read."""

    file: str
    where: str
    code: str
    message: str
    severity: str = REFUSED


class Refused(Exception):
    """This record cannot be read; the others of its file can."""

    def __init__(self, code: str, pointer: str, message: str):
        super().__init__(message)
        self.code, self.pointer, self.message = code, pointer, message


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a step. The words of a tool call are its `arguments`, as text, exactly as the source spells them."""

    kind: str  # text, thought, tool_call, tool_result, image, raw
    text: str
    agent: str
    source_ref: dict
    tool_name: str | None = None
    call_id: str | None = None
    arguments: str | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class StepDraft:
    """`native_index` is the number the format's own labels use; the position is the place in the tuple of steps."""

    native_index: int | None
    native_id: str | None
    role: str
    agent: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class TrajectoryDraft:
    """One run. Nothing a label says stands in any field but `raw`, which is never shown."""

    external_id: str | int
    source: str
    domain: str
    task_cluster: str
    instruction: str
    policy: str | None
    toolset: list | None
    steps: tuple[StepDraft, ...]
    layers: dict
    participants: tuple[str, ...]
    origin: dict
    raw: bytes
