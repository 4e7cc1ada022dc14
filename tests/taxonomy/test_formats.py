from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrefiqda import RefiCodebook

from people.actions import system_user
from taxonomy.actions import create_taxonomy, take_in
from taxonomy.codebook import CATEGORY, CODE, GROUP
from taxonomy.formats import FORMATS, BadCodebook, NodeDraft, read
from taxonomy.formats.comma_separated import CommaSeparated
from taxonomy.formats.drafts import drafts_of
from taxonomy.formats.plain_json import PlainJson
from taxonomy.formats.qdc import Qdc
from taxonomy.models import Code
from taxonomy.queries import board_of
from tests.factories import make_user

BOOK = [
    NodeDraft(
        "too_soon", CATEGORY, "Acted too soon", "before it\ncould know", None, 2, {"checklist": ["Was it early?"]}
    ),
    NodeDraft("g3", GROUP, "haste & <speed>", "", "too_soon"),
    NodeDraft("c1", CODE, "=SUM(A1)", "a “quoted” definition", "g3"),
    NodeDraft("c2", CODE, "late, again", "", "too_soon"),
    NodeDraft("empty", CATEGORY, "Nothing yet", "no code so far"),
    NodeDraft("c3", CODE, "'-loose", "+1"),
]
TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=30)
NAME = TEXT.filter(str.strip)


@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_what_is_written_is_read_again(format):
    again = read(format.write("shop", BOOK))
    assert shape(again) == shape(BOOK)
    assert format.write("shop", BOOK) == format.write("shop", BOOK)


def shape(nodes) -> list:
    names = {node.id: node.name for node in nodes}
    return [(n.kind, n.name, n.definition, names.get(n.parent), n.colour) for n in nodes]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAME, TEXT, st.integers(0, 8)), min_size=1, max_size=6))
def test_any_words_come_through_every_format(words):
    nodes = [NodeDraft("k", CATEGORY, "top", "", None, 1)]
    nodes += [NodeDraft(f"c{n}", CODE, name, text, "k", colour) for n, (name, text, colour) in enumerate(words)]
    for format in FORMATS:
        again = read(format.write("shop", nodes))
        wanted = nodes if format is not PlainJson else [replace(node, colour=0) for node in nodes]
        assert shape([replace(n, colour=0) for n in again]) == shape([replace(n, colour=0) for n in wanted])


def test_an_independent_reader_reads_our_qdc(tmp_path):
    path = tmp_path / "book.qdc"
    path.write_bytes(Qdc.write("shop", BOOK))
    book = RefiCodebook.load(path)

    top = book.codes.code
    assert [code.name for code in top] == ["Acted too soon", "Nothing yet", "'-loose"]
    assert (top[0].description, top[0].color, top[0].is_codable) == ("before it\ncould know", "#0d7482", True)
    group, late = top[0].code
    assert (group.name, group.is_codable, late.name) == ("haste & <speed>", False, "late, again")
    assert group.code[0].name == "=SUM(A1)"
    (categories,) = book.sets.set
    assert {member.guid for member in categories.member_code} == {top[0].guid, top[1].guid}


def test_we_read_what_the_independent_reader_writes(tmp_path):
    ours, theirs = tmp_path / "ours.qdc", tmp_path / "theirs.qdc"
    ours.write_bytes(Qdc.write("shop", BOOK))
    RefiCodebook.save(RefiCodebook.load(ours), theirs)
    assert shape(read(theirs.read_bytes())) == shape(BOOK)


def test_in_another_tools_file_what_has_codes_in_it_is_a_category():
    content = b"""<CodeBook xmlns="urn:QDA-XML:codebook:1.0"><Codes>
      <Code guid="A1" name="Top" isCodable="true"><Code guid="b2" name="Leaf" isCodable="true"/></Code>
      <Code guid="c3" name="Alone" isCodable="true"/></Codes></CodeBook>"""
    assert [(node.kind, node.name) for node in read(content)] == [
        (CATEGORY, "Top"),
        (CODE, "Leaf"),
        (CODE, "Alone"),
    ]


def test_no_cell_of_a_csv_begins_a_formula():
    text = CommaSeparated.write("shop", [*BOOK, NodeDraft("c9", CODE, "@cmd", "-2+3", None)]).decode()
    assert "'=SUM(A1)" in text and "'@cmd,'-2+3" in text and "''-loose" in text


@pytest.mark.parametrize("cell", [" =1+1", "\u3000=1", "＝1+1", "＠cmd", "\n=1"])
def test_nor_a_formula_behind_blanks_or_in_wide_signs(cell):
    node = NodeDraft("c1", CODE, "x", cell)
    assert f"'{cell}" in CommaSeparated.write("shop", [node]).decode()
    assert read(CommaSeparated.write("shop", [node])) == [node]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "content",
    [rb'{"cards": [{"id": "a", "kind": "code", "name": "x\u0000y\ud800z", "definition": "\u0000"}]}', b"name\nx\0y\n"],
)
def test_what_the_database_could_not_keep_is_replaced(content):
    taxonomy = create_taxonomy(slug="in", name="In", preset="none", by=system_user()).taxonomy
    take_in(taxonomy=taxonomy, nodes=read(content), reason="from a file", by=make_user("mia"))
    assert Code.objects.get().phrase.startswith("x\ufffdy")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<CodeBook><Codes>", "line 1"),
        (b"<Other/>", "expected a CodeBook"),
        (b"<CodeBook/>", "no codes"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><CodeBook/>', "no DOCTYPE"),
        ('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x><CodeBook/>'.encode("utf-16"), "no DOCTYPE"),
        (b"<CodeBook><Codes>" + b'<Code guid="a" name="x">' * 60, "too deeply"),
        (b'{"cards": 3}', "list"),
        (b'{"cards": [{"kind": "code"}]}', "card 1"),
        (b'{"cards": [{"id": "a", "kind": "idea", "name": "x"}]}', "no kind"),
        (b'{"cards": [{"id": "a", "kind": "code", "name": "x", "parent": "b"}]}', "stand before"),
        (b"a,b\n1,2\n", "column"),
        (b"name\n" + b"x" * 300 + b"\n", "200 characters"),
        (b"\x80\x81", "UTF-8"),
        (b'<?xml version="1.0" encoding="gb2312"?><CodeBook/>', "encoding"),
        (b'<?xml version="1.0" encoding="klingon"?><CodeBook/>', "encoding"),
        (b'{"cards": [{"id": "a", "kind": "category", "name": "x", "colour": 9}]}', "1 to 8"),
        (b'{"cards": [{"id": "a", "kind": "category", "name": "x", "colour": -1}]}', "1 to 8"),
        (b'{"cards": [{"id": "a", "kind": "category", "name": "x", "hotkey": "xy"}]}', "hotkey one"),
        (b'{"cards": [{"id": "a", "kind": "category", "name": "x", "group": "%s"}]}' % (b"g" * 201), "200 characters"),
    ],
)
def test_what_is_no_codebook_is_refused_with_the_place(content, message):
    with pytest.raises(BadCodebook, match=message):
        read(content)


@pytest.mark.django_db
@pytest.mark.parametrize("format", FORMATS, ids=lambda each: each.name)
def test_a_codebook_is_taken_in_once_and_comes_out_again(format):
    mia, taxonomy = make_user("mia"), create_taxonomy(slug="in", name="In", preset="none", by=system_user()).taxonomy
    nodes = read(format.write("shop", BOOK))
    done = take_in(taxonomy=taxonomy, nodes=nodes, reason="from a file", by=mia)
    assert (done.codes, done.known) == (3, 0)

    board = board_of(taxonomy)
    out = drafts_of(board, board.nodes)
    found = [each for each in shape(out) if each[1] != "Nothing yet" or each[0] == CATEGORY]
    assert sorted(found, key=repr) == sorted(shape(BOOK), key=repr)

    again = take_in(taxonomy=taxonomy, nodes=nodes, reason="twice", by=mia)
    assert (again.codes, again.known, again.acts) == (0, 3, 0)
    assert Code.objects.count() == 4  # a category without codes begins with one of its own name
