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
    """The arm that shows suggestions, for half of the runs or half of the assignments; the same however often asked.

    By run, its annotators are in one arm, so that they can be compared with each other; by assignment, each by itself.
    """
    project, run = item.project, item.trajectory
    told = f"{project.salt}\nreveal\n{run.source}\n{run.external_id}"
    if project.reveal_unit == Project.RevealUnit.ASSIGNMENT:
        told += f"\n{user_id}"
    return hashlib.sha256(told.encode()).digest()[0] % 2 == 0
