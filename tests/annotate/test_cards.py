import json

from hypothesis import given
from hypothesis import strategies as st

from annotate.cards import folded, members, pairs, printable
from traces.models import Step

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.booleans(), st.sampled_from([None, 2]))
def test_members_stand_where_they_say(value, ascii_only, indent):
    words = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = members(words)
    assert {each.name: json.loads(each.spelling) for each in found} == {printable(name): value[name] for name in value}
    for each in found:
        assert words[each.offset : each.offset + len(each.spelling)] == each.spelling


@given(st.text() | VALUES.map(json.dumps))
def test_words_that_are_no_object_are_left_as_they_are(words):
    try:
        is_object = isinstance(json.loads(words), dict)
    except ValueError:
        is_object = False
    assert (members(words) is not None) == is_object


def test_a_call_whose_arguments_nest_too_deeply_is_shown_raw():
    assert members('{"a": ' + "[" * 100_000) is None


def test_folding_keeps_a_beginning_of_the_very_words():
    words = "\r\n".join(f"line {n}" for n in range(500))
    shown = folded(words, 2400, 30)
    assert words.startswith(shown)
    assert shown.count("\n") == 30
    assert folded("x" * 2900, 2400, 30) == "x" * 2900


def step(position, *blocks):
    return Step(position=position, blocks=[{"kind": kind, "call_id": call_id} for kind, call_id in blocks])


def test_a_result_belongs_to_the_nearest_call_before_it_that_has_none():
    steps = [
        step(0, ("tool_call", "a"), ("tool_call", "b")),
        step(1, ("tool_result", "b")),
        step(2, ("tool_result", "a")),
        step(3, ("tool_result", "a")),
        step(4, ("tool_call", "a")),
        step(5, ("tool_result", "a")),
    ]
    assert pairs(steps) == {(0, 1): 2, (1, 0): 1, (0, 0): 3, (2, 0): 1, (4, 0): 6, (5, 0): 5}
