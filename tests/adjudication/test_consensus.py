from datetime import UTC, datetime

import pytest

from adjudication.consensus import DefinitionsDiffer, GoldFailure, GoldValue, NobodyJudged, consensus
from adjudication.differences import Rules
from adjudication.judgements import Mark
from tests.adjudication.builders import item, judged
from tests.adjudication.hand_crafted import hand_crafted

RUN = item("t1", 40)


def _at(hour: int) -> datetime:
    return datetime(2026, 3, 1, hour, tzinfo=UTC)


def _full(name: str, hour: int, *marks: Mark, **more):
    critical = next(mark for mark in marks if mark.is_critical)
    given = {
        "participant": critical.participant,
        "category": critical.category,
        "failures": [mark.position for mark in marks if mark.position is not None],
        "marks": marks,
        "submitted_at": _at(hour),
        "reason": f"why, says {name}",
        "summary": f"what, says {name}",
    }
    return judged("t1", name, critical.position, **(given | more))


def test_agreed_fields_name_what_they_rest_on():
    ann = _full("ann", 11, Mark(3, "WebSurfer", "Tool", is_critical=True))
    ben = _full("ben", 9, Mark(3, "Websurfer", "Tool", is_critical=True))
    gold = consensus(RUN, [ann, ben])
    both = ("ben:t1", "ann:t1")
    assert gold.fields == {
        "outcome": GoldValue("outcome", "critical", "consensus", both, 2, 2),
        "critical_step": GoldValue("critical_step", 3, "consensus", both, 2, 2),
        "participant": GoldValue("participant", "Websurfer", "consensus", both, 2, 2),
        "category": GoldValue("category", "Tool", "consensus", both, 2, 2),
        "reason_for_root_cause": GoldValue("reason_for_root_cause", "why, says ben", "single", ("ben:t1",), 1, 2),
        "failure_summary": GoldValue("failure_summary", "what, says ben", "single", ("ben:t1",), 1, 2),
    }


def test_a_field_in_dispute_is_left_out():
    ann = _full("ann", 9, Mark(3, "A", "Tool", is_critical=True))
    ben = _full("ben", 10, Mark(3, "B", "Tool", is_critical=True))
    assert "participant" not in consensus(RUN, [ann, ben]).fields
    elsewhere = _full("ben", 10, Mark(7, "A", "Tool", is_critical=True))
    fields = consensus(RUN, [ann, elsewhere]).fields
    assert "critical_step" not in fields and "reason_for_root_cause" not in fields
    assert consensus(RUN, [ann, judged("t1", "ben")]).fields.keys() == {"failure_summary"}


def test_failures_that_half_of_the_exhaustive_annotations_mark_stand_with_their_count():
    ann = _full("ann", 9, Mark(3, "A", "Tool", True, "here", "so", "a1"), Mark(5, "A", id="a2"), Mark(8, "A", id="a3"))
    ben = _full("ben", 10, Mark(3, "A", "Tool", is_critical=True, id="b1"), Mark(5, "B", "Plan", id="b2"))
    mia = _full("mia", 11, Mark(3, "A", "Tool", is_critical=True, id="m1"), Mark(5, "b", "Plan", id="m2"))
    eve = _full("eve", 8, Mark(3, "A", "Tool", is_critical=True, id="e1"), exhaustive=False)
    failures = consensus(RUN, [ann, ben, mia, eve]).failures
    three = ("ann:t1", "ben:t1", "mia:t1")
    assert failures == (
        GoldFailure(3, "A", "Tool", "here", "so", True, 3, 3, three, ("a1", "b1", "m1")),
        GoldFailure(5, "B", "Plan", "", "", False, 3, 3, three, ("a2", "b2", "m2")),
    )


def test_one_of_two_is_half():
    ann = _full("ann", 9, Mark(3, "A", "Tool", is_critical=True), Mark(5, "A"))
    ben = _full("ben", 10, Mark(3, "A", "Tool", is_critical=True))
    found = [(failure.position, failure.count, failure.of) for failure in consensus(RUN, [ann, ben]).failures]
    assert found == [(3, 2, 2), (5, 1, 2)]


def test_without_exhaustive_annotations_the_critical_failure_is_the_only_one():
    one, two = (
        _full(name, hour, Mark(3, "A", None, True, name, "", f"{name}1"), exhaustive=False)
        for hour, name in ((9, "ann"), (10, "ben"))
    )
    ids = ("ann:t1", "ben:t1")
    assert consensus(RUN, [one, two]).failures == (
        GoldFailure(3, "A", None, "ann", "", True, 2, 2, ids, ("ann1", "ben1")),
    )
    disputed = _full("ben", 10, Mark(4, "A", is_critical=True), exhaustive=False)
    assert consensus(RUN, [one, disputed]).failures is None


def test_no_failure_is_gold_too():
    gold = consensus(RUN, [judged("t1", "ann"), judged("t1", "ben")])
    assert (gold.fields["outcome"].value, gold.failures) == ("no_failure", ())


def test_different_definitions_are_no_consensus_unless_the_caller_takes_them_as_one():
    found = [judged("t1", "ann", 3), judged("t1", "ben", 3, definition="decisive")]
    with pytest.raises(DefinitionsDiffer, match="decisive, first_unrecoverable"):
        consensus(RUN, found)
    assert consensus(RUN, found, one_definition=True).fields["critical_step"].value == 3
    with pytest.raises(NobodyJudged):
        consensus(RUN, [judged("t1", "bot", 3, process="model")])


def test_steps_within_the_tolerance_take_the_earliest_and_a_majority_its_own():
    ann, ben = judged("t1", "ann", 5, submitted_at=_at(11)), judged("t1", "ben", 4, submitted_at=_at(9))
    assert consensus(RUN, [ann, ben], Rules(tolerance=1)).fields["critical_step"].value == 4
    mia = judged("t1", "mia", 5, submitted_at=_at(12))
    step = consensus(RUN, [ann, ben, mia], Rules(majority=True)).fields["critical_step"]
    assert (step.value, step.count, step.of) == (5, 2, 3)
    assert "critical_step" not in consensus(RUN, [ann, ben, mia]).fields


def test_two_published_label_sources_make_16_critical_steps():
    study = [(facts, found) for facts, found in hand_crafted().judged if len(found) > 1]
    gold = [consensus(facts, found, one_definition=True) for facts, found in study]
    agreed = [label for label in gold if "critical_step" in label.fields]
    assert len(agreed) == 16
    assert all(label.fields["category"].basis == "single" for label in agreed)
    assert all(sum(failure.is_critical for failure in label.failures) == 1 for label in agreed)
