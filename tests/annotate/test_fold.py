"""Random logs of operations: the rows equal the fold, in memory and in the database."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.fold import apply, empty_state, fold
from annotate.operations import Facts, Refused, patch_of
from annotate.protocols import protocol_of
from annotate.protocols.base import Given
from annotate.rows import state_of
from tests.factories import do, make_project, make_trajectory, make_user

FACTS = Facts(6, frozenset({"invalid_invocation", "system_failure"}))
keys = st.sampled_from(["a", "b", "c", "d"])
steps = st.integers(0, 5)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "anchor": st.sampled_from(["step", "range", "task"]),
        "first_step": steps,
        "last_step": steps,
        "participant": st.sampled_from(["User", "Assistant", ""]),
        "codes": st.lists(st.sampled_from(["x", "X", "y", "straße", "STRASSE"]), max_size=3),
        "category": st.sampled_from([None, *sorted(FACTS.categories)]),
        "none_fits": st.booleans(),
        "step_reason": st.text(max_size=5),
        "is_omission": st.booleans(),
        "cause": st.none() | keys,
        "repeats": st.none() | keys,
        "effect": st.sampled_from(["", "recovered", "harmless", "persists", "unknown"]),
        "recovered_at": st.none() | steps,
    },
)
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        "outcome": st.sampled_from(["", "critical", "no_failure", "cannot_tell"]),
        "critical": st.none() | keys,
        "confidence": st.none() | st.floats(0, 1),
        "failure_summary": st.text(max_size=5),
    },
)
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("mark"), st.fixed_dictionaries({"failure": keys, "fields": FIELDS})),
        st.tuples(st.just("change"), st.fixed_dictionaries({"failures": st.lists(keys, max_size=2), "fields": FIELDS})),
        st.tuples(st.just("remove"), st.fixed_dictionaries({"failure": keys})),
        st.tuples(st.just("conclude"), st.fixed_dictionaries({"fields": ANSWERS})),
        st.tuples(st.sampled_from(["undo", "undo", "redo"]), st.just({})),
    ),
    max_size=25,
)


@given(OPERATIONS)
@settings(deadline=None)
def test_every_patch_is_taken_back_by_its_inverse(operations):
    state = empty_state()
    for op, payload in operations:
        if op in {"undo", "redo"}:
            continue
        try:
            patch = patch_of(state, op, payload, FACTS)
        except Refused:
            continue
        after, inverse = apply(state, patch)
        assert apply(after, inverse)[0] == state
        assert apply(state, patch)[0] == after
        state = after


@pytest.fixture
def world(db):
    project = make_project(runs=0)
    make_trajectory(project, "run", steps=6)
    return project, make_user("ann")


@given(operations=OPERATIONS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_equal_the_fold_of_any_log(world, operations):
    project, ann = world
    from django.db import transaction

    with transaction.atomic():
        item = project.items.get()
        kept = 0
        for op, payload in operations:
            try:
                do(item, ann, op, payload)
                kept += 1
            except Refused:
                continue
        if kept:
            check(item, kept)
        transaction.set_rollback(True)


def check(item, kept):
    annotation = item.annotations.get()
    folded = fold(annotation.revisions.all())
    rows = state_of(annotation, item.project.taxonomy_version)
    assert rows == folded.state
    assert (annotation.undoable, annotation.redoable) == (folded.undoable, folded.redoable)
    assert annotation.revision == kept
    answers = annotation.answers.all()
    stored = [Given(row.unit, row.question, row.value, row.confidence, row.rationale) for row in answers]
    wanted = protocol_of("attribution").answers(rows)
    assert sorted(stored, key=repr) == sorted(wanted, key=repr)
