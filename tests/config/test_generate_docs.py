from config.management.commands import generate_docs
from jobs.states import Moves

DOOR = Moves("door", {"open": {"shut": "closed"}, "closed": {"open": "open"}, "walled up": {}})


def test_a_table_of_moves_becomes_a_diagram_in_its_own_order():
    assert generate_docs.diagram(DOOR).splitlines() == [
        "## Door",
        "",
        "```mermaid",
        "stateDiagram-v2",
        "    [*] --> open",
        "    open --> closed: shut",
        "    closed --> open: open",
        "    walled up --> [*]",
        "```",
    ]


def test_every_table_of_the_house_is_found():
    assert {moves.of for moves in generate_docs.tables()} >= {"job", "assignment", "annotation", "case"}
