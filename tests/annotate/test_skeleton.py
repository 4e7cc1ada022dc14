from annotate.skeleton import columns, fields, magnitude


def row(position, **values):
    whole = {"native_index": None, "agent": "Coder", "kinds": ["text"], "characters": 3, "has_error": False}
    return {"position": position, **whole, **values}


def test_columns_of_a_short_run():
    rows = [
        row(0, agent="User", preview="hello"),
        row(1, kinds=["thought", "tool_call"], characters=255, preview="p" * 200),
        row(2, has_error=True, preview=""),
    ]
    assert columns(rows) == {
        "first_number": 1,
        "number": None,
        "agent": "011",
        "agents": ["User", "Coder"],
        "kind": "010",
        "kinds": ["message", "thought, tool call"],
        "size": "8w8",
        "errors": [2],
        "preview": ["hello", "p" * 90, ""],
    }


def test_numbers_stand_there_only_where_they_skip():
    assert columns([row(0, native_index=0), row(1, native_index=1)])["number"] is None
    assert columns([row(0, native_index=1), row(1, native_index=3)])["number"] == [1, 3]


def test_more_agents_than_signs_become_numbers():
    assert columns([row(n, agent=f"a{n}") for n in range(70)])["agent"] == list(range(70))


def test_long_runs_do_without_previews():
    assert "preview" in fields(300)
    assert "preview" not in fields(301)
    assert columns([row(n) for n in range(301)])["preview"] is None


def test_magnitudes_grow_and_end():
    sizes = [magnitude(n) for n in (0, 1, 10, 100, 1000, 10**4, 10**9)]
    assert sizes == sorted(sizes) and sizes[0] == 0 and sizes[-1] == 61
