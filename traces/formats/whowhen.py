"""Who&When: one object per run, its messages under `history`, with the label beside them."""

import hashlib
from collections.abc import Iterator

from traces.formats.documents import Document
from traces.formats.drafts import Problem, StepDraft, TrajectoryDraft
from traces.formats.magentic import speech
from traces.formats.messages import content_blocks, expect_messages
from traces.formats.names import addressees, clipped, kind_of_speech, name_in, participants_of
from traces.formats.records import Record, expect_id, expect_object, kind_of, read_records

HAND_CRAFTED, ALGORITHM_GENERATED = "hand-crafted", "algorithm-generated"
DOMAINS = {HAND_CRAFTED: "magentic-one", ALGORITHM_GENERATED: "ag2"}
ID_KEYS = ("question_ID", "question_id")
ANSWER_KEYS = ("ground_truth", "groundtruth")
OUTCOME_KEYS = ("is_correct", "is_corrected")
HISTORY = "history"
MARKS = {"question", "mistake_agent", "mistake_step", *ID_KEYS}


class WhoWhen:
    """Labels of this format count from 0, so a step's native index is its position.

    The label's own fields stay out of the draft; the label reader takes them from the same file.
    """

    name = "whowhen"

    def detects(self, value: object) -> bool:
        items = value if isinstance(value, list) else [value]
        return any(is_whowhen(item) for item in items)

    def read(self, document: Document) -> Iterator[TrajectoryDraft | Problem]:
        return read_records(document, self._trajectory, alone=False)

    def _trajectory(self, record: Record) -> TrajectoryDraft:
        run = expect_object(record, "a Who&When run")
        split = split_of(run)
        messages = expect_messages(run.get(HISTORY), "/history")
        read_step = _named if split == ALGORITHM_GENERATED else speech
        steps = tuple(read_step(record, message, f"/history/{k}", k) for k, message in enumerate(messages))
        others = addressees(step.role for step in steps) if split == HAND_CRAFTED else _prompted(run)
        question = _question(record, run)
        return TrajectoryDraft(
            external_id=_id_of(record, run),
            source=f"whowhen-{split}",
            domain=DOMAINS[split],
            task_cluster=_cluster(run, question),
            instruction=question,
            policy=None,
            toolset=None,
            steps=steps,
            layers=_layers(run, question),
            participants=participants_of(steps, "User", *others),
            origin=_origin(record, run, split, self.name),
            raw=record.raw,
        )


def is_whowhen(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    labelled = "mistake_agent" in item and "mistake_step" in item
    return labelled or "history" in item and not MARKS.isdisjoint(item)


def split_of(run: dict) -> str:
    """Algorithm-Generated messages name their speaker in `name`, Hand-Crafted ones in `role`."""
    history = run.get(HISTORY)
    named = isinstance(history, list) and any(isinstance(item, dict) and "name" in item for item in history)
    return ALGORITHM_GENERATED if named else HAND_CRAFTED


def is_label_key(key: str) -> bool:
    return key.startswith("mistake_") or key == "labels"


def first_key(run: dict, keys: tuple[str, ...]) -> str | None:
    return next((key for key in keys if key in run), None)


def record_id(record: Record, run: dict) -> str | int:
    """The question's id, the same in both splits; without one, the file's number."""
    key = first_key(run, ID_KEYS)
    if key is None:
        return "/".join(part for part in (record.stem, record.own_place.strip("/")) if part)
    return expect_id(run[key], f"/{key}")


def _id_of(record: Record, run: dict) -> str | int:
    found = record_id(record, run)
    if first_key(run, ID_KEYS) is None:
        record.note("missing_id", "", f"the run has no question_ID; it is called {found!r} after its file")
    return found


def _question(record: Record, run: dict) -> str:
    question = run.get("question")
    if isinstance(question, str):
        return question
    record.note("unusual_content", "/question", f"the question is {kind_of(question)}; the run is read without it")
    return ""


def _named(record: Record, message: dict, pointer: str, native_index: int) -> StepDraft:
    key = "name" if "name" in message else "role"
    agent = name_in(record, message, key, pointer).strip()
    role = message.get("role")
    kind = kind_of_speech(agent)
    ref = {"pointer": record.pointer + pointer, "index": native_index}
    blocks = tuple(content_blocks(record, message, pointer, kind=kind, agent=agent, ref=ref))
    spelt = clipped(record, role, pointer) if isinstance(role, str) else agent
    return StepDraft(native_index, None, spelt, agent, blocks)


def _prompted(run: dict) -> list[str]:
    prompts = run.get("system_prompt")
    return list(prompts) if isinstance(prompts, dict) else []


def _cluster(run: dict, question: str) -> str:
    key = first_key(run, ID_KEYS)
    if key is not None:
        return str(run[key])
    return f"question:{hashlib.sha256(question.encode()).hexdigest()[:16]}"


def _layers(run: dict, question: str) -> dict:
    layers: dict = {"task": {"question": question}}
    if _prompted(run):
        layers["task"]["system_prompt"] = run["system_prompt"]
    if (key := first_key(run, ANSWER_KEYS)) is not None:
        layers["expected"] = {"answer": run[key]}
    if (key := first_key(run, OUTCOME_KEYS)) is not None:
        layers["outcome"] = {"is_correct": run[key]}
    return layers


def _origin(record: Record, run: dict, split: str, name: str) -> dict:
    """`keys` are the source's own spellings in its order; `extras` what no other field of the draft holds."""
    own = {"history", "question", *ID_KEYS, *ANSWER_KEYS, *OUTCOME_KEYS}
    keys = [key for key in run if not is_label_key(key)]
    extras = {key: run[key] for key in keys if key not in own}
    number = int(record.stem) if not record.own_place and record.stem.isdecimal() else record.number
    origin = {"format": name, "file": record.file, "where": record.place(), "split": split, "number": number}
    return origin | {"keys": keys, "extras": extras}
