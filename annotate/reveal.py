"""When an annotator may see suggestions: the project's rule, asked here and nowhere else."""

import hashlib

from annotate.models import Annotation, Item, Project

REVEAL = "reveal"  # the operation by which an annotator asks for them after phase 1


def is_revealed(annotation: Annotation) -> bool:
    """Under `never` nobody sees them in the workbench, not after submitting either: reopened work would not be blind."""
    item = annotation.item
    rule = item.project.reveal
    if rule == Project.Reveal.ALWAYS:
        return True
    if rule == Project.Reveal.RANDOMISED:
        return is_drawn(item, annotation.user_id)
    if rule == Project.Reveal.AFTER_PHASE_1:
        return annotation.revisions.filter(op=REVEAL).exists()
    return False


def may_ask(annotation: Annotation) -> bool:
    """Whether this annotator has suggestions to ask for, and has not done so."""
    return (
        annotation.item.project.reveal == Project.Reveal.AFTER_PHASE_1
        and not annotation.is_submitted
        and not is_revealed(annotation)
    )


def is_drawn(item: Item, user_id: int) -> bool:
    """The arm that shows suggestions, for the project's share of runs or of assignments; the same however often asked,
    and under a larger share still drawn.

    By run, its annotators are in one arm, so that they can be compared with each other; by assignment, each by itself.
    """
    project, run = item.project, item.trajectory
    told = f"{project.salt}\nreveal\n{run.source}\n{run.external_id}"
    if project.reveal_unit == Project.RevealUnit.ASSIGNMENT:
        told += f"\n{user_id}"
    return 100 * lot(told) < project.reveal_share


def lot(told: str) -> float:
    """From 0 to below 1, evenly. The first byte's last bit decides the half, so that a share of 50 is a coin."""
    drawn = hashlib.sha256(told.encode()).digest()
    return (drawn[0] % 2 + int.from_bytes(drawn[1:5], "big") / 2**32) / 2
