"""Acts on a taxonomy's codebook as rows: events, conflicts, frozen versions, proposals and memos."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from people.actions import system_user
from people.models import AuditEvent
from taxonomy.actions import (
    Answered,
    Conflict,
    NothingToFreeze,
    accept,
    act,
    coin,
    create_taxonomy,
    decline,
    freeze_board,
    note,
    propose,
    undo,
)
from taxonomy.codebook import Refused, code_node
from taxonomy.models import CodeEvent, Memo, Proposal
from taxonomy.queries import board_of, content_of, last_event, sha256_of, ways
from tests.breaking import never_changes, turned_down
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def mia():
    return make_user("mia")


@pytest.fixture
def taxonomy(db):
    return create_taxonomy(slug="shop", name="Shop", preset="none", by=system_user()).taxonomy


def node(taxonomy, phrase):
    return code_node(coin(taxonomy=taxonomy, phrase=phrase, definition="", by=make_user("ann")).pk)


def do(taxonomy, op, *, base=None, by=None, reason="", **payload):
    base = last_event(taxonomy) if base is None else base
    return act(taxonomy=taxonomy, op=op, payload=payload, reason=reason, base=base, by=by or make_user("mia"))


def test_an_act_is_an_event_with_actor_and_reason(taxonomy, mia):
    late = node(taxonomy, "too late")
    event = do(taxonomy, "rename", node=late, name="late", reason=" shorter ")

    assert (event.number, event.op, event.payload, event.reason, event.by) == (
        1,
        "rename",
        {"node": late, "name": "late"},
        "shorter",
        mia,
    )
    assert board_of(taxonomy).nodes[late].name == "late"
    assert AuditEvent.objects.filter(verb="codebook: rename", by=mia, project="shop").exists()


def test_undo_takes_an_act_back_and_can_be_undone(taxonomy, mia):
    one, other = node(taxonomy, "one"), node(taxonomy, "other")
    do(taxonomy, "merge", nodes=[one, other], into=one)
    undo(taxonomy=taxonomy, event=1, reason="they differ", base=1, by=mia)
    assert board_of(taxonomy).nodes[other].is_living
    undo(taxonomy=taxonomy, event=2, reason="", base=2, by=mia)
    assert not board_of(taxonomy).nodes[other].is_living
    with pytest.raises(Refused):
        undo(taxonomy=taxonomy, event=2, reason="", base=3, by=mia)


def test_a_second_lead_gets_through_on_other_cards_and_a_conflict_on_the_same(taxonomy):
    one, other, third = (node(taxonomy, each) for each in ("one", "other", "third"))
    noa = make_user("noa")
    do(taxonomy, "merge", nodes=[one, other], into=one, base=0)

    assert do(taxonomy, "rename", node=third, name="3", base=0, by=noa).number == 2
    for op, payload in (
        ("rename", {"node": other, "name": "x"}),
        ("group", {"nodes": [one, third], "name": "g"}),
    ):
        with pytest.raises(Conflict, match="mia") as conflict:
            do(taxonomy, op, base=0, by=noa, **payload)
    assert [event.number for event in conflict.value.since] == [1, 2]
    assert CodeEvent.objects.count() == 2


def test_an_undo_conflicts_with_work_on_the_cards_of_its_target(taxonomy, mia):
    one, other = node(taxonomy, "one"), node(taxonomy, "other")
    do(taxonomy, "merge", nodes=[one, other], into=one)
    do(taxonomy, "rename", node=one, name="both")
    with pytest.raises(Conflict):
        undo(taxonomy=taxonomy, event=1, reason="", base=1, by=make_user("noa"))


@pytest.mark.django_db(transaction=True)
def test_two_leads_at_the_same_moment_lose_nothing(taxonomy):
    nodes = [node(taxonomy, f"code {n}") for n in range(4)]
    users = [make_user(name) for name in ("mia", "noa", "lea", "zoe")]
    start = Barrier(4)

    def worker(n):
        try:
            start.wait()
            return do(taxonomy, "rename", node=nodes[n], name=f"by {n}", base=0, by=users[n]).number
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        numbers = sorted(pool.map(worker, range(4)))
    board = board_of(taxonomy)
    assert numbers == [1, 2, 3, 4]
    assert [board.nodes[each].name for each in nodes] == ["by 0", "by 1", "by 2", "by 3"]


def test_events_and_memos_never_change(taxonomy, mia):
    one = node(taxonomy, "one")
    do(taxonomy, "rename", node=one, name="1")
    never_changes(CodeEvent.objects.get(), reason="another")
    note(taxonomy=taxonomy, subject=one, text=" seen twice today ", by=mia)
    assert Memo.objects.get().text == "seen twice today"
    never_changes(Memo.objects.get(), text="never seen")
    with turned_down("a_memo_says_something"):
        Memo.objects.create(taxonomy=taxonomy, subject=one, text="", by=mia)


def test_a_version_is_frozen_with_its_mapping_and_its_bytes_never_change(taxonomy, mia):
    one, other = node(taxonomy, "one"), node(taxonomy, "other")
    with pytest.raises(NothingToFreeze, match="promote"):
        freeze_board(taxonomy=taxonomy, summary="", by=mia)
    do(taxonomy, "promote", nodes=[one], name="First", key="first")
    do(taxonomy, "promote", nodes=[other], name="Second", key="second")
    v1 = freeze_board(taxonomy=taxonomy, summary="two categories", by=mia)
    before = sha256_of(v1)
    with pytest.raises(NothingToFreeze, match="nothing changed"):
        freeze_board(taxonomy=taxonomy, summary="again", by=mia)

    do(taxonomy, "merge", nodes=["second"], into="first", name="Both")
    v2 = freeze_board(taxonomy=taxonomy, summary="one category", by=mia)
    v1.refresh_from_db()

    assert (v1.number, v1.is_frozen, [each["key"] for each in content_of(v1)]) == (1, True, ["first", "second"])
    assert (v2.number, [each["name"] for each in content_of(v2)]) == (2, ["Both"])
    assert [(each["from"], each["how"], each["to"]) for each in v2.mapping] == [
        ("first", "renamed", ["first"]),
        ("second", "merged", ["first"]),
    ]
    assert content_of(v2)[0]["aliases"] == ["Second"]
    assert (ways(v1, v2), ways(v2, v1)) == ({"first": ("first",), "second": ("first",)}, {"first": ("first", "second")})
    assert sha256_of(v1) == before
    never_changes(v1, mapping=[])


def test_a_preset_in_use_is_frozen_as_people_knew_it_before_the_next_version(mia):
    v1 = create_taxonomy(slug="web", name="Web", preset="agentrx", by=mia)
    as_known = content_of(v1)
    do(v1.taxonomy, "rename", node="system_failure", name="Outage")
    v2 = freeze_board(taxonomy=v1.taxonomy, summary="said shorter", by=mia)
    v1.refresh_from_db()

    assert (v1.is_frozen, content_of(v1)) == (True, as_known)
    assert (v2.number, v2.categories.get(key="system_failure").name) == (2, "Outage")


def test_an_unchanged_preset_is_frozen_as_it_is(mia):
    v1 = create_taxonomy(slug="web", name="Web", preset="agentrx", by=mia)
    assert freeze_board(taxonomy=v1.taxonomy, summary="as published", by=mia) == v1


def test_a_proposal_does_nothing_until_a_lead_accepts_it(taxonomy, mia):
    ann, one, other = make_user("ann"), node(taxonomy, "one"), node(taxonomy, "other")
    payload = {"nodes": [one, other], "into": one}
    with pytest.raises(Refused, match="say why"):
        propose(taxonomy=taxonomy, op="merge", payload=payload, reason=" ", by=ann)
    with pytest.raises(Refused):
        propose(taxonomy=taxonomy, op="merge", payload={"nodes": ["c0"], "into": one}, reason="x", by=ann)
    proposal = propose(taxonomy=taxonomy, op="merge", payload=payload, reason="the same thing", by=ann)
    assert board_of(taxonomy).nodes[other].is_living

    event = accept(proposal=proposal, answer="", by=mia)
    assert (event.by, event.reason, event.payload) == (mia, "the same thing", payload)
    assert not board_of(taxonomy).nodes[other].is_living
    with pytest.raises(Answered, match="mia has accepted"):
        decline(proposal=proposal, answer="no", by=mia)
    never_changes(Proposal.objects.get(), reason="another")


def test_declining_takes_a_reason(taxonomy, mia):
    one = node(taxonomy, "one")
    proposal = propose(
        taxonomy=taxonomy, op="rename", payload={"node": one, "name": "1"}, reason="short", by=make_user("ann")
    )
    with pytest.raises(Refused):
        decline(proposal=proposal, answer="", by=mia)
    assert decline(proposal=proposal, answer="too short", by=mia).state == "declined"
    with turned_down("only_accepted_proposals_have_an_event"):
        event = do(taxonomy, "rename", node=one, name="one!")
        Proposal.objects.update(event=event)
