import gzip
import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass

import pgtrigger
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from people.actions import audit
from people.models import User
from traces.formats.drafts import Block, StepDraft, TrajectoryDraft
from traces.models import Blob, Dataset, Step, Trajectory
from traces.redaction import REDACTED, clear_above, emptied

INLINE_LIMIT = 256 * 1024  # bytes of a block's text kept in the step's row
PREVIEW = 160


class Differs(Exception):
    """The id is taken by a run with other steps."""

    def __init__(self, trajectory: Trajectory):
        super().__init__(
            f"a trajectory {trajectory} with other steps is already in dataset {trajectory.dataset.slug}; "
            "give this one another id, or another --source"
        )
        self.trajectory = trajectory


@dataclass(frozen=True)
class Stored:
    trajectory: Trajectory
    is_new: bool


@transaction.atomic
def store(*, dataset: Dataset, draft: TrajectoryDraft) -> Stored:
    """The draft as rows. The same run again is left alone; other steps under its identity are refused (Differs)."""
    same = Trajectory.objects.filter(dataset=dataset, source=draft.source, external_id=str(draft.external_id))
    digest = digest_of(draft.steps)
    known = same.first()
    if known is None:
        try:
            with transaction.atomic():
                return Stored(create(dataset, draft, digest), is_new=True)
        except IntegrityError:
            known = same.first()
            if known is None:
                raise  # else somebody else stored this run a moment ago
    if known.digest != digest:
        raise Differs(known)
    return Stored(known, is_new=False)


def create(dataset: Dataset, draft: TrajectoryDraft, digest: str) -> Trajectory:
    trajectory = Trajectory.objects.create(
        dataset=dataset,
        source=draft.source,
        external_id=str(draft.external_id),
        external_id_is_int=isinstance(draft.external_id, int),
        domain=draft.domain,
        task_cluster=draft.task_cluster,
        format=draft.origin["format"],
        instruction=draft.instruction,
        policy=keep_text(draft.policy, "text/plain"),
        toolset=keep_text(canonical(draft.toolset) if draft.toolset is not None else None, "application/json"),
        participants=list(draft.participants),
        layers=draft.layers,
        origin=draft.origin,
        raw=Blob.objects.keep(gzip.compress(draft.raw, mtime=0), "application/gzip"),
        n_steps=len(draft.steps),
        digest=digest,
    )
    Step.objects.bulk_create(
        [row_of(trajectory, position, step) for position, step in enumerate(draft.steps)], batch_size=500
    )
    return trajectory


def row_of(trajectory: Trajectory, position: int, step: StepDraft) -> Step:
    return Step(
        trajectory=trajectory,
        position=position,
        native_index=step.native_index,
        native_id=step.native_id or "",
        role=step.role,
        agent=step.agent,
        kinds=list(dict.fromkeys(block.kind for block in step.blocks)),
        preview=preview_of(step),
        characters=sum(len(block.text) + len(block.arguments or "") for block in step.blocks),
        has_error=any(block.is_error for block in step.blocks),
        blocks=[block_of(block) for block in step.blocks],
    )


def preview_of(step: StepDraft) -> str:
    words = (block.text or f"{block.tool_name or ''} {block.arguments or ''}" for block in step.blocks)
    return " ".join(" ".join(word[: 4 * PREVIEW].split()) for word in words)[:PREVIEW].strip()


def block_of(block: Block) -> dict:
    row: dict[str, object] = {
        "kind": block.kind,
        "agent": block.agent,
        "text": block.text,
        "source_ref": block.source_ref,
    }
    optional = {"tool_name": block.tool_name, "call_id": block.call_id, "arguments": block.arguments}
    row |= {name: value for name, value in optional.items() if value is not None}
    if block.is_error:
        row["is_error"] = True
    content = block.text.encode()
    if len(content) > INLINE_LIMIT:
        blob = Blob.objects.keep(content, "text/plain")
        row |= {"text": block.text[: INLINE_LIMIT // 16], "blob": blob.pk, "characters": len(block.text)}
    return row


def sha256_of(text: str) -> str:
    """The key of the blob that would hold this text."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep_text(text: str | None, media_type: str) -> Blob | None:
    return None if text is None else Blob.objects.keep(text.encode(), media_type)


def canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest_of(steps: tuple[StepDraft, ...]) -> str:
    """Tells an unchanged run from other content. Equal digests never merge two trajectories."""
    rows = [
        [
            step.native_index,
            step.role,
            [[b.kind, b.agent, b.text, b.tool_name, b.call_id, b.arguments] for b in step.blocks],
        ]
        for step in steps
    ]
    return sha256_of(canonical(rows))


@transaction.atomic
def redact(*, trajectory: Trajectory, positions: list[int], reason: str, by: User) -> Trajectory:
    """Blank out steps, and all beside them that may say the same: instruction, layers and the raw original, the policy
    where a step is it; what models said, and quotations by people. The one audited way to change a trajectory. Releases
    made before stay as they are."""
    loose, said = {trajectory.raw_id} - {None}, set()
    with pgtrigger.ignore("traces.Step:steps_never_change", "traces.Trajectory:trajectories_never_change"):
        for step in trajectory.steps.filter(position__in=positions):
            loose |= {block["blob"] for block in step.blocks if "blob" in block}
            said |= {block.get("blob") or sha256_of(block["text"]) for block in step.blocks}
            step.blocks = [blanked(block) for block in step.blocks]
            step.preview, step.characters = REDACTED, len(REDACTED)
            step.save(update_fields=["blocks", "preview", "characters"])
        trajectory.instruction = REDACTED if trajectory.instruction else ""
        trajectory.layers = emptied(trajectory.layers)
        if "extras" in trajectory.origin:
            trajectory.origin = trajectory.origin | {"extras": emptied(trajectory.origin["extras"])}
        if trajectory.policy_id in said:
            loose.add(trajectory.policy_id)
            trajectory.policy = None
        trajectory.raw, trajectory.redacted_at = None, timezone.now()
        trajectory.save(update_fields=["instruction", "policy", "layers", "origin", "raw", "redacted_at"])
    for sha256 in loose:
        drop(sha256)
    clear_above(trajectory, frozenset(positions))
    audit("trajectory redacted", trajectory, by=by, positions=sorted(positions), reason=reason)
    return trajectory


def blanked(block: dict) -> dict:
    kept = {name: value for name, value in block.items() if name not in ("blob", "characters")}
    return kept | {name: REDACTED for name in ("text", "arguments") if name in block}


def drop(sha256: str) -> None:
    """Delete content that nothing refers to any more; equal content of another run stays."""
    if Step.objects.filter(blocks__contains=[{"blob": sha256}]).exists():
        return
    with suppress(ProtectedError), pgtrigger.ignore("traces.Blob:blobs_never_change"):
        Blob.objects.filter(pk=sha256).delete()
