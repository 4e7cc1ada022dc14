"""Every change an annotator makes: one operation, one revision, committed before it is acknowledged."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.actions.drafts import draft_of
from annotate.actions.recoding import carry_over, recode_submitted
from annotate.actions.revisions import append
from annotate.actions.suggested import check_suggestion, note_answer
from annotate.actions.work import renew
from annotate.errors import Closed, Conflict, Frozen, NotHeld, NotYours
from annotate.fold import REDO, UNDO, Patch, State, apply
from annotate.models import Annotation, Assignment, Exposure, Item, Project, Revision, Submission
from annotate.models.annotations import WORDS
from annotate.operations import Facts, Refused, codes, patch_of
from annotate.protocols import Problem, protocol_of
from annotate.protocols.attribution import category_said, failure_steps
from annotate.rows import PatchWriter, rows_of, state_in, write_answers
from jobs.actions import enqueue
from people.actions import audit
from people.models import User
from taxonomy.actions import coin
from traces.formats.cleaning import Cleaner

SUBMIT, REOPEN = "submit", "reopen"


@dataclass(frozen=True)
class Recorded:
    """What became of an operation. A repeated key answers its first revision again and changes nothing."""

    annotation: Annotation
    revision: int
    patch: Patch
    repeated: bool = False
    warnings: list[Problem] = field(default_factory=list)


@transaction.atomic
def record(*, item: Item | int, user: User, key: str, base: int, op: str, payload: Any) -> Recorded:
    """Append one operation of this annotator to her draft. `base` is the revision she last saw; an item's id will do.

    Raises Refused (the operation is wrong), Conflict (base is old), NotHeld, Frozen, Closed or NotYours.
    """
    if not isinstance(key, str) or not 1 <= len(key) <= 64 or not key.isprintable():
        raise Refused("every operation needs a key of 1 to 64 printable characters", "key")
    payload = cleaned(payload)
    annotation = draft_of(item, user, key)
    own = annotation.item
    if annotation.is_known_key or base != annotation.revision:  # the lock may have been waited for: ask anew
        earlier = Revision.objects.filter(annotation=annotation, key=key).first()
        if earlier is not None:
            return Recorded(annotation, earlier.number, earlier.patch, repeated=True)
    check_open(own, annotation, user)
    if base != annotation.revision:
        raise Conflict("this run was changed in another tab or on another device", revision=annotation.revision)
    version = own.project.taxonomy_version
    rows = rows_of(annotation, version)
    state = state_in(annotation, rows)
    if op == SUBMIT:
        return submit(annotation, state, user, key)
    check_suggestion(annotation, op, payload)
    patch = patch_for(annotation, state, op, payload, facts_of(annotation, payload), user)
    after, inverse = apply(state, patch)
    append(annotation, user, key, op, payload, patch, inverse)
    PatchWriter(annotation, version, user, f"revision {annotation.revision}", rows).write(patch)
    protocol = protocol_of(own.project.protocol)
    given = protocol.answers(after)
    if given != protocol.answers(state):
        write_answers(annotation, given)
    if patch.get("answers"):
        annotation.save(update_fields=WORDS)
    note_answer(annotation, user, op, payload)
    warnings = protocol.problems(after, is_closed=own.project.is_closed_coding)
    return Recorded(annotation, annotation.revision, patch, warnings=warnings)


def cleaned(payload: Any) -> Any:
    """The payload without what the log could not keep: it is stored as it was given."""
    try:
        return Cleaner().clean(payload)
    except RecursionError as error:
        raise Refused("the payload is nested too deeply", "payload") from error


def check_open(item: Item, annotation: Annotation, user: User) -> None:
    if annotation.is_submitted:
        raise Frozen("this annotation was submitted and is frozen; ask the lead to reopen it")
    if item.project.closed_at is not None:
        raise Closed("this project is closed; your text stays in this browser")
    if not annotation.is_by_annotator:
        raise NotYours("you are no longer an annotator of this project")
    if annotation.held_until is None or annotation.held_until <= timezone.now():
        renew(item=item, user=user)


def facts_of(annotation: Annotation, payload: Any) -> Facts:
    """What operations are checked against; the categories only where the payload names one."""
    item = annotation.item
    fields = payload.get("fields") if isinstance(payload, dict) else None
    if not isinstance(fields, dict) or not fields.get("category"):
        return Facts(item.trajectory.n_steps, frozenset())
    version = item.project.taxonomy_version
    if not Project.objects.filter(pk=item.project_id, taxonomy_version=version).exists():
        # Taken up while the lock on the draft was waited for, which showed the project as it had been.
        raise Conflict("a new version of the taxonomy was taken up this moment", revision=annotation.revision)
    keys = version.categories.values_list("key", flat=True)
    return Facts(item.trajectory.n_steps, frozenset(keys))


def patch_for(annotation: Annotation, state: State, op: str, payload: Any, facts: Facts, user: User) -> Patch:
    if op == UNDO:
        return past(annotation, annotation.undoable, "there is nothing to undo").inverse
    if op == REDO:
        return past(annotation, annotation.redoable, "there is nothing to redo").patch
    return patch_of(state, op, with_coined_codes(annotation, payload, user, facts), facts)


def past(annotation: Annotation, stack: list[int], otherwise: str) -> Revision:
    if not stack:
        raise Refused(otherwise, "op")
    return annotation.revisions.get(number=stack[-1])


def with_coined_codes(annotation: Annotation, payload: Any, user: User, facts: Facts) -> Any:
    """The payload with its codes as phrases of Code rows, so that spelling in another case is the same code."""
    fields = payload.get("fields") if isinstance(payload, dict) else None
    if not isinstance(fields, dict) or "codes" not in fields:
        return payload
    phrases = codes(fields["codes"], "codes", facts)
    given = {each["phrase"].strip(): each for each in fields["codes"] if isinstance(each, dict)}
    taxonomy = annotation.item.project.taxonomy_version.taxonomy
    coined = [
        coin(taxonomy=taxonomy, phrase=phrase, definition=definition_in(given.get(phrase, {})), by=user)
        for phrase in phrases
    ]
    return {**payload, "fields": {**fields, "codes": list(dict.fromkeys(code.phrase for code in coined))}}


def definition_in(code: dict) -> str:
    definition = code.get("definition", "")
    if not isinstance(definition, str) or len(definition) > 2000:
        raise Refused("a definition is text of at most 2,000 characters", "codes")
    return definition


def submit(annotation: Annotation, state: State, user: User, key: str) -> Recorded:
    item = annotation.item
    problems = protocol_of(item.project.protocol).problems(state, is_closed=item.project.is_closed_coding)
    blocking = [problem for problem in problems if problem.blocks]
    if blocking:
        raise Refused(" ".join(problem.text for problem in blocking), blocking[0].code)
    held = Assignment.objects.filter(item=item, user=user, state=Assignment.State.HELD)
    assignment = held.select_for_update().first()
    if assignment is None:  # skipped in another tab this moment
        raise NotHeld("you gave this run back; open it again from your work to submit it")
    append(annotation, user, key, SUBMIT, {}, {}, {})
    assignment.state, assignment.ended_at = Assignment.State.SUBMITTED, timezone.now()
    assignment.save(update_fields=["state", "ended_at"])
    hand_in(annotation, state, planned=assignment.planned)
    recode_submitted(annotation, by=user)
    audit("annotation submitted", annotation, by=user, project=item.project.slug, revision=annotation.revision)
    item_changed(item)
    warnings = [problem for problem in problems if not problem.blocks]
    return Recorded(annotation, annotation.revision, {}, warnings=warnings)


def hand_in(annotation: Annotation, state: State, *, planned: bool) -> Submission:
    """Freeze the annotation and keep the state it has now, with the answers that agreement reads."""
    annotation.state, annotation.submitted_at = Annotation.State.SUBMITTED, timezone.now()
    annotation.save()
    critical = state["failures"].get(state["answers"]["critical"])
    return Submission.objects.create(
        annotation=annotation,
        number=annotation.submissions.count() + 1,
        revision=annotation.revision,
        version=annotation.item.project.taxonomy_version,
        state=state,
        sha256=sha256_of(state),
        planned=planned,
        assisted=annotation.suggestion_events.exists(),
        post_feedback=has_had_feedback(annotation),
        outcome=state["answers"]["outcome"],
        critical_step=critical["first_step"] if critical else None,
        participant=critical["participant"] if critical else "",
        category=category_said(critical) if critical else "",
        failure_steps=failure_steps(state),
    )


def has_had_feedback(annotation: Annotation) -> bool:
    """Its author has opened what became of an earlier label of hers in this project."""
    seen = Exposure.objects.filter(user=annotation.user_id, to=Exposure.FEEDBACK)
    return seen.filter(item__project=annotation.item.project_id).exists()


def sha256_of(state: State) -> str:
    return hashlib.sha256(json.dumps(state, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def item_changed(item: Item) -> None:
    project_changed(item.project)


def project_changed(project: Project) -> None:
    """Agreement and routing live above; they hear of it by a job."""
    enqueue("item_changed", key=f"project:{project.pk}", project=project.slug, payload={"project": project.pk})


def could_compare(annotation: Annotation) -> bool:
    item, author = annotation.item, annotation.user
    sees = Annotation.objects.within_reach_of(author).filter(item=item).exclude(user=author)
    return sees.exists() or Exposure.objects.filter(item=item, user=author).exists()


@transaction.atomic
def reopen(*, annotation: Annotation, by: User, reason: str) -> Annotation:
    """Let its author change a submitted annotation. Agreement keeps resting on the first submission.

    Raises Frozen where the author could have compared it with a colleague's, Conflict where it is a draft already.
    """
    annotation = Annotation.objects.select_for_update().get(pk=annotation.pk)
    if not annotation.is_submitted:
        raise Conflict("this annotation is a draft already", revision=annotation.revision)
    if could_compare(annotation):
        raise Frozen("its author could have seen colleagues' annotations of this run; it stays as it was submitted")
    append(annotation, by, f"reopen-{annotation.revision + 1}", REOPEN, {"reason": reason}, {}, {})
    annotation.state, annotation.submitted_at = Annotation.State.DRAFT, None
    annotation.save()
    carry_over(annotation, annotation.item.project.taxonomy_version, by)
    turn = Assignment.objects.filter(item=annotation.item, user=annotation.user, state=Assignment.State.SUBMITTED)
    until = timezone.now() + timedelta(minutes=annotation.item.project.hold_minutes)
    turn.update(state=Assignment.State.HELD, held_until=until, ended_at=None)
    audit("annotation reopened", annotation, by=by, project=annotation.item.project.slug, reason=reason)
    item_changed(annotation.item)
    return annotation
