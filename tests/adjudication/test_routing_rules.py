from collections import Counter

import pytest

from adjudication.differences import differences
from adjudication.routing import Decision, Reason, Rules, decide, reasons
from tests.adjudication.builders import item, judged
from tests.adjudication.hand_crafted import hand_crafted

RUN = item("t1", 40)
RULES = Rules()


def test_two_published_label_sources_route_as_known():
    decided = [decide(facts, found, RULES, 2) for facts, found in hand_crafted().judged]
    assert Counter(d.decision for d in decided) == {"accept": 16, "waiting": 14, "adjudicate": 28}
    kinds = Counter(tuple(reason.kind for reason in d.reasons) for d in decided if d.decision == "adjudicate")
    assert kinds == {("critical_step", "agent"): 17, ("critical_step",): 11}


def test_a_step_difference_says_how_far_and_where():
    found = [judged("t1", "ann", 32), judged("t1", "ben", 16)]
    assert reasons(RUN, found, RULES) == (Reason("critical_step", 16, "critical step differs by 16 steps: 17 and 33"),)
    assert reasons(RUN, found, Rules(tolerance=16)) == ()
    shown = reasons(RUN, found, Rules(first_step=0))[0]
    assert shown.as_json() == {
        "kind": "critical_step",
        "size": 16,
        "text": "critical step differs by 16 steps: 16 and 32",
    }


def test_a_step_difference_names_the_numbers_of_a_run_that_skips_some():
    found = [judged("t1", "ann", 2), judged("t1", "ben", 5)]
    shown = reasons(RUN, found, Rules(numbers={2: 10, 5: 40}))[0]
    assert shown.text == "critical step differs by 3 steps: 10 and 40"


def test_no_sentence_depends_on_who_said_what():
    ann, ben = {"participant": "Planner", "category": "Plan"}, {"participant": "Verifier", "category": "Tool"}
    one = [judged("t1", "ann", 3, **ann), judged("t1", "ben", 9, **ben)]
    other = [judged("t1", "ann", 9, **ben), judged("t1", "ben", 3, **ann)]
    assert differences(RUN, one, RULES) == differences(RUN, other, RULES)
    assert [reason.text for reason in reasons(RUN, one, RULES)] == [
        "critical step differs by 6 steps: 4 and 10",
        "agent differs: Planner and Verifier",
        "category differs: Plan and Tool",
    ]


def test_a_critical_failure_against_none_differs_in_the_outcome_only():
    found = [judged("t1", "ann", 3, participant="Planner"), judged("t1", "ben")]
    text = "outcome differs: critical failure and no failure found"
    assert reasons(RUN, found, RULES) == (Reason("outcome", 1, text),)


def test_a_critical_failure_off_the_steps_differs_from_one_at_a_step():
    found = [judged("t1", "ann", 3), judged("t1", "ben", None, outcome="critical")]
    text = "critical failure is at no step for some and at 4 for others"
    assert reasons(RUN, found, RULES) == (Reason("critical_step", 40, text),)
    assert reasons(RUN, [judged("t1", name, None, outcome="critical") for name in ("ann", "ben")], RULES) == ()


def test_what_one_side_was_not_asked_is_no_difference():
    found = [
        judged("t1", "ann", 3, participant="Websurfer", category="Tool", failures=(1, 3)),
        judged("t1", "ben", 3, participant="WebSurfer", exhaustive=False),
    ]
    assert differences(RUN, found, RULES) == ()


def test_failure_steps_route_only_where_the_rules_say_so():
    found = [judged("t1", "ann", 3, failures=(1, 3)), judged("t1", "ben", 3, failures=(3, 5))]
    reason = Reason("failure_set", 2, "2 steps marked by some only: 2 and 6")
    assert reasons(RUN, found, RULES) == ()
    assert reasons(RUN, found, Rules(kinds=frozenset({"failure_set"}))) == (reason,)
    empty = [judged("t1", "ann"), judged("t1", "ben", failures=(0,))]
    assert differences(RUN, empty, RULES)[0].text == "1 step marked by some only: 1"


def test_long_lists_are_cut():
    found = [judged("t1", "ann", failures=range(12)), judged("t1", "ben")]
    text = "12 steps marked by some only: 1, 2, 3, 4, 5, 6, 7, 8 and 4 more"
    assert differences(RUN, found, RULES)[0].text == text


def test_uncertain_answers_route_where_the_rules_say_so():
    rules = Rules(kinds=frozenset({"uncertain"}), min_confidence=0.5)
    cannot = [judged("t1", name, None, outcome="cannot_tell") for name in ("ann", "ben")]
    assert decide(RUN, cannot, rules, 2).decision == "adjudicate"
    assert decide(RUN, cannot, RULES, 2).decision == "accept"
    unsure = [judged("t1", "ann", 3, confidence=0.25), judged("t1", "ben", 3)]
    expected = Reason("uncertain", 0.75, "confidence is 25%, below the 50% asked for")
    assert reasons(RUN, unsure, rules) == (expected,)


def test_overlap_counts_people():
    twice = [judged("t1", "ann", 3), judged("t1", "ann", 9), judged("t1", "bot", 3, process="model")]
    assert decide(RUN, twice, RULES, 2) == Decision("waiting", (), "1 of 2 people has submitted")
    assert decide(RUN, [], RULES, 1).decision == "waiting"
    assert decide(RUN, twice, RULES, 1) == Decision("accept", (), "1 person has submitted, as planned")


def test_every_decision_is_explained():
    agree = [judged("t1", "ann", 3, participant="A"), judged("t1", "ben", 3, participant="a")]
    assert decide(RUN, agree, RULES, 2).explanation == "2 people: they agree on outcome, critical step and agent"
    differ = [judged("t1", "ann", 3), judged("t1", "ben", 4)]
    asks = decide(RUN, differ, Rules(max_people=3), 2)
    assert (asks.decision, asks.explanation) == (
        "annotate",
        "2 people: reasons to look again are critical step; one more annotator is asked, of at most 3",
    )
    assert decide(RUN, differ, RULES, 2).explanation.endswith("a case for adjudication")


@pytest.mark.parametrize(("majority", "decision"), [(True, "accept"), (False, "adjudicate")])
def test_a_majority_settles_where_the_rules_say_so(majority, decision):
    found = [judged("t1", "ann", 3), judged("t1", "ben", 3), judged("t1", "mia", 9)]
    assert decide(RUN, found, Rules(majority=majority, max_people=3), 2).decision == decision
    tied = [*found, judged("t1", "ada", 9)]
    assert decide(RUN, tied, Rules(majority=majority), 2).decision == "adjudicate"
