"""The fold of codebook events, held to its promises by random sequences of acts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taxonomy.codebook import CATEGORY, CODE, Event, Lost, Refused, code_node, effective, fold
from taxonomy.codebook.acts import OF_PEOPLE
from taxonomy.codebook.log import UNDO, apply, check_undo
from taxonomy.codebook.mapping import changes, compose, in_words

CODES = {n: (f"code {n}", "") for n in range(1, 6)}
MARKS = [(f"1/m{n}", code) for n, code in enumerate([1, 1, 2, 2, 3, 4, 5, 5, 1])]


def log(*acts) -> list[Event]:
    return [Event(number, op, payload) for number, (op, payload) in enumerate(acts, start=1)]


def where(events, marks=MARKS) -> list:
    board = fold(CODES, events)
    return [board.follow(code_node(code), mark) for mark, code in marks]


def test_codes_stay_where_they_are_until_somebody_moves_them():
    assert where([]) == ["c1", "c1", "c2", "c2", "c3", "c4", "c5", "c5", "c1"]


def test_merge_split_group_and_promote_take_the_marks_along():
    parts = [{"name": "too early"}, {"name": "too late"}]
    events = log(
        ("merge", {"nodes": ["c1", "c2"], "into": "c1", "name": "timing"}),
        ("split", {"node": "c1", "parts": parts, "assign": {"1/m1": 1, "1/m2": 1}, "rest": 0}),
        ("group", {"nodes": ["s2.1", "c3"], "name": "haste"}),
        ("promote", {"nodes": ["g3"], "name": "Acted too soon", "key": "too_soon"}),
    )
    board = fold(CODES, events)
    assert where(events) == ["s2.1", "s2.2", "s2.2", "s2.1", "c3", "c4", "c5", "c5", "s2.1"]
    assert [board.category_of(code, mark) for mark, code in MARKS[:5]] == [
        "too_soon",
        None,
        None,
        "too_soon",
        "too_soon",
    ]


def test_undo_takes_out_one_act_and_leaves_later_ones():
    acts = log(
        ("merge", {"nodes": ["c2"], "into": "c1"}),
        ("rename", {"node": "c3", "name": "third"}),
        (UNDO, {"event": 1}),
    )
    assert where(acts)[2] == "c2"
    assert fold(CODES, acts).nodes["c3"].name == "third"
    assert where([*acts, Event(4, UNDO, {"event": 3})])[2] == "c1"


def test_undo_is_refused_where_a_later_act_builds_on_it():
    acts = log(("group", {"nodes": ["c1", "c2"], "name": "g"}), ("rename", {"node": "g1", "name": "better"}))
    with pytest.raises(Refused, match="act 2"):
        check_undo(CODES, acts, 1)
    assert check_undo(CODES, acts, 2).op == "rename"


@pytest.mark.parametrize(
    ("op", "payload", "field"),
    [
        ("merge", {"nodes": ["c1"], "into": "c9"}, "into"),
        ("merge", {"nodes": ["c1"], "into": "c1"}, "nodes"),
        ("merge", {"nodes": ["c2"], "into": "k"}, "nodes"),
        ("split", {"node": "c1", "parts": [{"name": "a"}], "rest": 0}, "parts"),
        ("split", {"node": "c1", "parts": [{"name": "a"}, {"name": "b"}]}, "rest"),
        ("split", {"node": "c1", "parts": [{"name": "a"}, {"name": "b"}], "rest": 2}, "rest"),
        ("rename", {"node": "c1", "name": " "}, "name"),
        ("promote", {"nodes": ["c1"], "name": "K again", "key": "k"}, "key"),
        ("promote", {"nodes": ["c1"], "name": "clash", "key": "c77"}, "key"),
        ("promote", {"nodes": ["c1"], "name": "none", "key": "none_fits"}, "key"),
        ("promote", {"nodes": ["k"], "name": "x"}, "nodes"),
        ("move", {"nodes": ["c1"], "to": "c2"}, "to"),
        ("describe", {"node": "c1", "fields": {"checklist": []}}, "checklist"),
        ("describe", {"node": "k", "fields": {"checklist": "one"}}, "checklist"),
        ("demote", {"node": "c1"}, "node"),
        ("dance", {}, "op"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(op, payload, field):
    board = fold(CODES, log(("start", {"categories": [{"key": "k", "name": "K"}]})))
    before = repr(board)
    with pytest.raises(Refused) as refusal:
        apply(board, Event(2, op, payload))
    assert refusal.value.field == field
    assert repr(board) == before


def test_the_way_of_categories_between_two_versions_in_words():
    start = ("start", {"categories": [{"key": key, "name": key.upper()} for key in "abcdef"]})
    old = log(start)
    new = [
        *old,
        *(
            Event(n, op, payload)
            for n, (op, payload) in enumerate(
                [
                    ("rename", {"node": "a", "name": "Alpha"}),
                    ("merge", {"nodes": ["b"], "into": "c"}),
                    ("split", {"node": "d", "parts": [{"name": "D one"}, {"name": "D two"}], "rule": "by who acts"}),
                    ("retire", {"nodes": ["e"]}),
                    ("describe", {"node": "f", "fields": {"definition": "sharper"}}),
                    ("promote", {"nodes": ["c1"], "name": "Fresh"}),
                ],
                start=2,
            )
        ),
    ]
    found = changes(fold(CODES, old), fold(CODES, new))
    assert {each.key: (each.how, each.to) for each in found} == {
        "a": ("renamed", ("a",)),
        "b": ("merged", ("c",)),
        "c": ("kept", ("c",)),
        "d": ("split", ("d_one", "d_two")),
        "e": ("retired", ()),
        "f": ("kept", ("f",)),
        "fresh": ("new", ("fresh",)),
    }
    assert [in_words(each) for each in found] == [
        "“A” is now called “Alpha”.",
        "“B” went into “C”.",
        "“C” stays as it is.",
        "“D” was split into “D one” and “D two”: by who acts.",
        "“E” is no category any more.",
        "“F” stays; definition changed.",
        "“Fresh” is new.",
    ]


def test_two_steps_compose_and_a_lost_way_stays_lost():
    first = {"a": ("b", "c"), "x": (), "y": ("z",)}
    assert compose(first, {"b": ("d",), "c": ("d",), "z": ()}) == {"a": ("d",), "x": (), "y": ()}


# Random sequences: each act draws its cards from what may or may not be there; what is refused is left out.
ID = st.integers(0, 40)
ACT = st.tuples(
    st.sampled_from([*sorted(OF_PEOPLE), "merge", "split", "promote", UNDO]),
    st.lists(ID, min_size=1, max_size=3),
    ID,
    st.dictionaries(st.sampled_from([mark for mark, _ in MARKS]), st.integers(0, 1), max_size=4),
    st.sampled_from([0, 1, None]),
)


def performed(acts) -> list[Event]:
    events = log(("start", {"categories": [{"key": "k1", "name": "One"}, {"key": "k2", "name": "Two"}]}))
    for op, some, one, assign, rest in acts:
        number, living = len(events) + 1, [node.id for node in fold(CODES, events).nodes.values()]
        nodes, node = [living[n % len(living)] for n in some], living[one % len(living)]
        payload = {
            "nodes": nodes,
            "node": node,
            "into": node if op == "merge" or one % 2 else None,
            "to": node if one % 3 else None,
            "name": f"name {number}",
            "parts": [{"name": f"first of {number}"}, {"name": f"second of {number}"}],
            "assign": assign,
            "codes": {each: n % 2 for n, each in enumerate(nodes)},
            "rest": rest,
            "fields": {"definition": f"said in {number}"},
        }
        event = Event(number, op, {"event": 1 + one % number} if op == UNDO else payload)
        try:
            if op == UNDO:
                check_undo(CODES, events, event.payload["event"])
            else:
                apply(fold(CODES, events), event)
        except Refused:
            continue
        events.append(event)
    return events


@settings(max_examples=150, deadline=None)
@given(st.lists(ACT, max_size=25))
def test_every_mark_is_in_exactly_one_living_code_and_replays_are_equal(acts):
    events = performed(acts)
    board = fold(CODES, events)
    for mark, code in MARKS:
        home = board.follow(code_node(code), mark)
        assert not isinstance(home, Lost)
        assert board.nodes[home].is_living and board.nodes[home].kind == CODE
        category = board.category_of(code, mark)
        assert category is None or board.nodes[category].is_living and board.nodes[category].kind == CATEGORY
    assert fold(CODES, events) == board
    assert fold(CODES, effective(events)) == board  # undone acts leave no trace


@settings(max_examples=100, deadline=None)
@given(st.lists(ACT, max_size=15))
def test_undoing_everything_leads_back_to_the_start(acts):
    events = performed(acts)
    while len(effective(events)) > 1:
        last = effective(events)[-1]
        check_undo(CODES, events, last.number)
        events.append(Event(len(events) + 1, UNDO, {"event": last.number}))
    assert fold(CODES, events) == fold(CODES, events[:1])


@settings(max_examples=100, deadline=None)
@given(st.lists(ACT, max_size=20), st.integers(0, 20))
def test_every_category_of_an_earlier_board_has_one_way_in_a_later_one(acts, cut):
    events = performed(acts)
    old, new = fold(CODES, events[: 1 + cut]), fold(CODES, events)
    found = {each.key: each for each in changes(old, new)}
    living = {node.id for node in new.categories()}
    assert {node.id for node in old.categories()} <= set(found)
    assert all(set(each.to) <= living for each in found.values())
    for node in old.categories():
        goes = new.follow(node.id, "9/unknown") if node.id in new.nodes else Lost("unknown")
        if found[node.id].is_clear and not isinstance(goes, Lost):
            assert (goes,) == found[node.id].to
