"""A draft and what decides whether it may be changed, in the one query that every save begins with."""

from typing import Any, TypeVar

from django.db import models

from annotate.errors import NotYours
from annotate.models import Annotation, Assignment, Item, Project
from annotate.models.annotations import WORDS
from annotate.policy import ANNOTATOR
from people.models import User
from taxonomy.models import TaxonomyVersion
from traces.models import Trajectory

M = TypeVar("M", bound=models.Model)
COUNTERS = ["revision", "undoable", "redoable"]
# Written out, it costs the server a tenth of what composing it would, and with it everything around the draft.
DRAFT = f"""
    SELECT a.id, a.item_id, a.user_id, a.state, {", ".join(f"a.{name}" for name in COUNTERS + WORDS)},
        EXISTS (SELECT FROM annotate_revision r WHERE r.annotation_id = a.id AND r.key = %(key)s) AS is_known_key,
        EXISTS (
            SELECT FROM annotate_membership m
            WHERE m.project_id = i.project_id AND m.user_id = a.user_id AND m.role = '{ANNOTATOR}'
        ) AS is_by_annotator,
        (
            SELECT held_until FROM annotate_assignment turn
            WHERE turn.item_id = a.item_id AND turn.user_id = a.user_id AND turn.state = '{Assignment.State.HELD}'
        ) AS held_until,
        i.project_id, i.trajectory_id, t.n_steps, p.protocol, p.coding, p.closed_at, p.reveal, p.taxonomy_version_id, v.taxonomy_id
    FROM annotate_annotation a
    JOIN annotate_item i ON i.id = a.item_id
    JOIN annotate_project p ON p.id = i.project_id
    JOIN taxonomy_taxonomyversion v ON v.id = p.taxonomy_version_id
    JOIN traces_trajectory t ON t.id = i.trajectory_id
    WHERE a.item_id = %(item)s AND a.user_id = %(user)s AND a.is_current
    FOR UPDATE OF a
"""


def draft_of(item: Item | int, user: User, key: str) -> Annotation:
    """The user's current annotation of the item, locked: operations on one draft come one after the other.

    Its item, project, version and run hold what every save asks of them; the rest of their fields is read when asked for.
    """
    item_id = item.pk if isinstance(item, Item) else item
    found = next(iter(Annotation.objects.raw(DRAFT, {"item": item_id, "user": user.pk, "key": key})), None)
    if found is None:
        raise NotYours("you have not been given this run")
    project = partly(
        Project,
        id=found.project_id,
        protocol=found.protocol,
        coding=found.coding,
        closed_at=found.closed_at,
        reveal=found.reveal,
        taxonomy_version_id=found.taxonomy_version_id,
    )
    project.taxonomy_version = partly(TaxonomyVersion, id=found.taxonomy_version_id, taxonomy_id=found.taxonomy_id)
    found.item = partly(Item, id=item_id, project_id=project.pk, trajectory_id=found.trajectory_id)
    found.item.project = project
    found.item.trajectory = partly(Trajectory, id=found.trajectory_id, n_steps=found.n_steps)
    return found


def partly(model: type[M], **known: Any) -> M:
    """A row of which some fields are known; the others are read from the database when somebody asks."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname in known]
    return model.from_db("default", names, [known[name] for name in names])
