"""The codebook's pages: who sees what, and what leads do there."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.codebook.board import page_for
from annotate.models import Coding, Example, Exposure, Failure, Item
from taxonomy.actions import coin, note, propose
from taxonomy.codebook import code_node
from taxonomy.models import Code, CodeEvent, Memo, Proposal
from taxonomy.queries import board_of, last_event
from tests.factories import annotate_and_submit, join, make_project, make_trajectory, make_user, only_item

pytestmark = pytest.mark.django_db
PAGES = (
    "codebook",
    "codebook_proposals",
    "codebook_versions",
    "codebook_recode",
    "codebook_statistics",
    "codebook_history",
    "codebook_print",
)
SEES = {
    "mia": set(PAGES),
    "ann": {"codebook", "codebook_proposals", "codebook_versions", "codebook_recode", "codebook_print"},
    "ada": {"codebook", "codebook_proposals", "codebook_versions", "codebook_print"},
    "vic": {"codebook", "codebook_proposals", "codebook_versions", "codebook_statistics", "codebook_print"},
}


@pytest.fixture
def shop(db):
    """Ann marked “asks twice” on shop-0 and “wrong id” on shop-1; Ben marked “asks twice” on shop-0 too."""
    project = make_project(runs=3, taxonomy="agentrx")
    first, second, _ = project.items.order_by("trajectory__external_id")
    annotate_and_submit(first, make_user("ann"), codes=["asks twice"], step_reason="the number had been given")
    annotate_and_submit(first, make_user("ben"), codes=["asks twice"], category="system_failure")
    annotate_and_submit(second, make_user("ann"), codes=["wrong id"], step_reason="another order's id")
    return project


def node(project, phrase):
    return code_node(Code.objects.get(taxonomy=project.taxonomy, phrase=phrase).pk)


def act(client, project, op, **fields):
    data = {"op": op, "base": last_event(project.taxonomy), **fields}
    return client.post(reverse("codebook_act", args=[project.slug]), data, follow=True)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("who", SEES)
def test_every_role_gets_its_pages_and_no_other(client, shop, who, name):
    client.force_login(make_user(who))
    response = client.get(reverse(name, args=[shop.slug]))
    assert response.status_code == (200 if name in SEES[who] else 403)


@pytest.mark.parametrize("name", PAGES)
def test_strangers_superusers_and_visitors_get_nothing(client, shop, name):
    url = reverse(name, args=[shop.slug])
    assert client.get(url).status_code == 302
    client.force_login(make_user("eve", is_superuser=True))
    assert client.get(url).status_code == 404


def test_the_board_counts_for_leads_the_failures_on_each_card(shop):
    page = page_for(make_user("mia"), shop, counts=True)
    assert [(card.node.name, card.failures, card.runs) for card in page.codes] == [
        ("asks twice", 2, 1),
        ("wrong id", 1, 1),
    ]
    counts = {card.node.id: card.failures for card in page.categories}
    assert (counts["invalid_invocation"], counts["system_failure"]) == (2, 1)


def test_an_annotator_sees_others_codes_by_name_and_only_of_runs_that_are_closed_to_her(client, shop):
    third = shop.items.order_by("trajectory__external_id")[2]
    annotate_and_submit(third, make_user("ann"), codes=["only on the third"])
    client.force_login(make_user("ben"))
    page = client.get(reverse("codebook", args=[shop.slug])).content.decode()
    assert "asks twice" in page
    assert "only on the third" not in page and "wrong id" not in page  # Ben may still get these runs
    assert client.get(reverse("codebook_card", args=[shop.slug, node(shop, "wrong id")])).status_code == 404
    assert [card.failures for card in page_for(make_user("ben"), shop, counts=False).codes] == [None]


def test_a_lead_who_annotates_is_no_exception(client, shop):
    noa = make_user("noa")
    for role in ("annotator", "lead", "adjudicator"):
        join(shop, noa, role)
    client.force_login(noa)
    page = client.get(reverse("codebook", args=[shop.slug])).content.decode()
    assert "asks twice" not in page and "wrong id" not in page
    response = act(client, shop, "rename", nodes=[node(shop, "wrong id")], name="guessed")
    assert response.status_code == 422
    assert not CodeEvent.objects.filter(op="rename").exists()


def test_leads_act_and_undo_on_the_page(client, shop):
    client.force_login(make_user("mia"))
    asks, wrong = node(shop, "asks twice"), node(shop, "wrong id")
    response = act(client, shop, "promote", nodes=[asks, wrong], name="Careless", reason="both are slips")
    assert response.redirect_chain and "Promoted." in response.content.decode()
    board = board_of(shop.taxonomy)
    assert [each.id for each in board.children("careless")] == [asks, wrong]

    event = CodeEvent.objects.get(op="promote")
    assert "both are slips" in client.get(reverse("codebook_history", args=[shop.slug])).content.decode()
    act(client, shop, "undo", event=event.number)
    assert "careless" not in board_of(shop.taxonomy).nodes


def test_the_board_offers_to_undo_what_one_did_last_and_nobody_elses(client, shop):
    mia, noa, asks, wrong = make_user("mia"), make_user("noa"), node(shop, "asks twice"), node(shop, "wrong id")
    join(shop, noa, "lead")
    board = reverse("codebook", args=[shop.slug])
    client.force_login(mia)
    act(client, shop, "rename", nodes=[asks], name="asks again")
    act(client, shop, "rename", nodes=[wrong], name="guesses an id")
    client.force_login(noa)
    assert client.get(board).context["last_act"] is None
    act(client, shop, "retire", nodes=[wrong])

    client.force_login(mia)
    offered = []
    for _ in range(2):
        last = client.get(board).context["last_act"].event
        offered.append(last.payload["name"])
        back = act(client, shop, "undo", event=last.number, on_board="1")
        assert back.redirect_chain[-1][0] == board
    assert offered == ["guesses an id", "asks again"]
    assert client.get(board).context["last_act"] is None


def test_an_empty_board_says_where_codes_come_from(client):
    empty = make_project("empty", taxonomy="none")
    client.force_login(make_user("mia"))
    page = client.get(reverse("codebook", args=[empty.slug])).content.decode()
    assert "Annotators coin them while they mark" in page and "data-board" not in page


@pytest.mark.parametrize(
    ("op", "fields", "message"),
    [
        ("group", {"nodes": []}, "choose one or more"),
        ("group", {"nodes": ["c0"], "name": "x"}, "not on the board"),
        ("rename", {"nodes": [], "name": "x"}, "exactly one"),
        ("dance", {}, "choose what to do"),
        ("undo", {"event": 1}, "no such act"),
    ],
)
def test_what_makes_no_sense_comes_back_with_a_sentence(client, shop, op, fields, message):
    client.force_login(make_user("mia"))
    response = act(client, shop, op, **fields)
    assert response.status_code == 422
    assert message in response.content.decode()


def test_the_second_lead_sees_what_the_first_did_and_a_conflict_on_the_same_card(client, shop):
    noa, asks, wrong = make_user("noa"), node(shop, "asks twice"), node(shop, "wrong id")
    join(shop, noa, "lead")
    base = last_event(shop.taxonomy)
    client.force_login(make_user("mia"))
    act(client, shop, "rename", nodes=[asks], name="asks again", base=base)

    client.force_login(noa)
    through = act(client, shop, "rename", nodes=[wrong], name="guesses an id", base=base)
    assert "Meanwhile mia: Renamed a card to “asks again”." in through.content.decode()
    clash = act(client, shop, "group", nodes=[asks, wrong], name="both", reason="kept?", base=base)
    page = clash.content.decode()
    assert clash.status_code == 409
    assert "mia and noa changed this meanwhile" in page and "asks again" in page and "kept?" in page
    assert CodeEvent.objects.filter(op="group").count() == 0


def test_annotators_propose_and_leads_decide(client, shop):
    ann, asks = make_user("ann"), node(shop, "asks twice")
    client.force_login(ann)
    assert act(client, shop, "rename", nodes=[asks], name="asks again").status_code == 422  # no reason
    act(client, shop, "rename", nodes=[asks], name="asks again", reason="shorter")
    proposal = Proposal.objects.get()
    assert board_of(shop.taxonomy).nodes[asks].name == "asks twice"
    answer = reverse("codebook_answer", args=[shop.slug, proposal.pk])
    assert client.post(answer, {"decision": "accept"}).status_code == 403

    client.force_login(make_user("mia"))
    client.post(reverse("codebook_discuss", args=[shop.slug, proposal.pk]), {"text": "is it always the number?"})
    client.post(answer, {"decision": "accept", "answer": "yes"})
    assert board_of(shop.taxonomy).nodes[asks].name == "asks again"
    page = client.get(reverse("codebook_proposals", args=[shop.slug])).content.decode()
    assert "is it always the number?" in page and "accepted" in page


def test_a_proposal_lists_every_card_and_is_accepted_in_the_leads_words(client, shop):
    mia, cards = make_user("mia"), [node(shop, "asks twice"), node(shop, "wrong id")]
    asked = {"taxonomy": shop.taxonomy, "op": "group", "reason": "both are slips", "by": make_user("ann")}
    proposal = propose(payload={"nodes": cards, "name": "slip twice", "definition": "A slip."}, **asked)
    client.force_login(mia)
    response = client.get(reverse("codebook_proposals", args=[shop.slug]))
    (row,) = response.context["rows"]
    assert row["sentence"] == "Group “asks twice” and “wrong id” as “slip twice”."
    assert [(card.id, failures) for card, failures in row["cards"]] == [(cards[0], 2), (cards[1], 1)]
    client.force_login(make_user("ann"))
    assert client.get(reverse("codebook_proposals", args=[shop.slug])).context["rows"][0]["cards"][0][1] is None

    client.force_login(mia)
    url = reverse("codebook_answer", args=[shop.slug, proposal.pk])
    client.post(url, {"decision": "accept", "name": "Slips", "definition": "A slip of the pen.", "nodes": "c0"})
    event = CodeEvent.objects.get(op="group")
    assert event.payload == {"nodes": cards, "name": "Slips", "definition": "A slip of the pen."}
    proposal.refresh_from_db()
    assert (proposal.payload["name"], proposal.event) == ("slip twice", event)


def test_a_card_is_described_and_two_leads_do_not_overwrite_each_other(client, shop):
    client.force_login(make_user("mia"))
    url = reverse("codebook_card", args=[shop.slug, "system_failure"])
    base = last_event(shop.taxonomy)
    words = {"definition": "A service is down.", "checklist": "Is it down?\n\nWas the call right?", "colour": "3"}
    assert client.post(url, {**words, "base": base}).status_code == 302
    card = board_of(shop.taxonomy).nodes["system_failure"]
    assert (card.definition, card.words["checklist"]) == ("A service is down.", ["Is it down?", "Was the call right?"])
    late = client.post(url, {"definition": "Something else.", "base": base})
    assert late.status_code == 409
    assert client.post(url, {"colour": "9", "base": last_event(shop.taxonomy)}).status_code == 422


def test_a_split_sorts_marks_by_rule_and_by_hand(client, shop):
    client.force_login(make_user("mia"))
    asks = node(shop, "asks twice")
    failures = {f.annotation.user.username: f for f in Failure.objects.filter(codes__phrase="asks twice")}
    mark = f"mark-{failures['ben'].annotation_id}/{failures['ben'].key}"
    url = reverse("codebook_split", args=[shop.slug, asks])
    assert client.get(url).status_code == 200
    data = {"name0": "forgot", "name1": "unsure", "words": "number", "rest": "0", mark: "0"}
    assert client.post(url, {**data, "base": last_event(shop.taxonomy)}).status_code == 302
    page = page_for(make_user("mia"), shop, counts=True)
    assert {card.node.name: card.failures for card in page.codes} == {"forgot": 1, "unsure": 1, "wrong id": 1}


def test_a_rule_is_tried_and_a_refused_split_keeps_what_was_chosen(client, shop):
    client.force_login(make_user("mia"))
    asks = node(shop, "asks twice")
    ben = Failure.objects.get(annotation__user__username="ben", codes__phrase="asks twice")
    mark = f"mark-{ben.annotation_id}/{ben.key}"
    url, base = reverse("codebook_split", args=[shop.slug, asks]), last_event(shop.taxonomy)
    data = {"name0": "forgot", "name1": "", "words": "number", "rest": "1", mark: "0", "base": base}
    for more, status in (({"try": "1"}, 200), ({}, 422)):
        response = client.post(url, data | more)
        rows = {row["shown"].failure.annotation.user.username: row for row in response.context["failures"]}
        assert response.status_code == status
        assert (response.context["taken"], response.context["total"], response.context["rest"]) == (1, 2, "1")
        assert {who: (row["part"], row["by_rule"]) for who, row in rows.items()} == {
            "ann": ("", True),
            "ben": ("0", False),
        }
        assert f'name="{mark}" value="0" checked' in response.content.decode()
    assert not CodeEvent.objects.filter(op="split").exists()


def test_examples_are_shown_to_who_has_that_run_behind_her_and_close_it_for_reopening(client, shop):
    client.force_login(make_user("mia"))
    failure = Failure.objects.get(annotation__user__username="ann", codes__phrase="asks twice")
    client.post(reverse("codebook_example", args=[shop.slug, "invalid_invocation"]), {"failure": failure.pk})
    assert Example.objects.get().failure == failure
    url, said = reverse("codebook_print", args=[shop.slug]), "the number had been given"

    late = make_user("late")
    join(shop, late)
    client.force_login(late)
    assert said not in client.get(url).content.decode()  # may still get the run
    client.force_login(make_user("ben"))
    assert said in client.get(url).content.decode()
    assert Exposure.objects.filter(user__username="ben", item=failure.annotation.item, to="example").exists()


def test_memos_of_annotators_stay_closed_to_who_still_annotates(client, shop):
    asks = node(shop, "asks twice")
    for who, text in (("ann", "it always concerns the number"), ("mia", "look for the number")):
        client.force_login(make_user(who))
        client.post(reverse("codebook_note", args=[shop.slug, asks]), {"text": text})
    assert Memo.objects.count() == 2
    client.force_login(make_user("ben"))
    page = client.get(reverse("codebook_card", args=[shop.slug, asks])).content.decode()
    assert "look for the number" in page and "it always concerns" not in page
    client.force_login(make_user("vic"))
    page = client.get(reverse("codebook_card", args=[shop.slug, asks])).content.decode()
    assert "it always concerns" in page


def test_freezing_taking_up_and_recoding_on_the_pages(client, shop):
    client.force_login(make_user("mia"))
    act(client, shop, "merge", nodes=["system_failure", "guardrails_triggered"], target="system_failure")
    act(client, shop, "retire", nodes=["invalid_invocation"])
    page = client.get(reverse("codebook_versions", args=[shop.slug])).content.decode()
    assert "“Guardrails Triggered” went into “System Failure”." in page
    client.post(reverse("codebook_versions", args=[shop.slug]), {"summary": "fewer"})
    client.post(reverse("codebook_adopt", args=[shop.slug, 2]))
    shop.refresh_from_db()
    assert (shop.taxonomy_version.number, shop.coding) == (2, "closed")
    diff = client.get(reverse("codebook_version", args=[shop.slug, 2])).content.decode()
    assert "“Invalid Invocation” is no category any more." in diff
    assert [coding.category.key for coding in Coding.objects.filter(version__number=2)] == ["system_failure"]

    url = reverse("codebook_recode", args=[shop.slug])
    listed = client.get(url).content.decode()
    assert "the number had been given" in listed and "another order" in listed
    client.force_login(make_user("ann"))
    own = Failure.objects.filter(annotation__user__username="ann")
    client.post(url, {"failure": [each.pk for each in own], "category": "none_fits", "reason": "nothing fits"})
    assert {each.category for each in Coding.objects.filter(failure__in=own, version__number=2)} == {None}
    other = Failure.objects.get(annotation__user__username="ben")
    client.post(url, {"failure": [other.pk], "category": "system_failure"})
    assert Coding.objects.get(failure=other, version__number=2).by.username == "mia"  # not hers to recode

    join(shop, make_user("ada"), "annotator")
    first = other.annotation.item
    Item.objects.filter(pk=first.pk).update(settled_at=timezone.now())  # as an adjudicator she may read it
    client.force_login(make_user("ada"))
    client.post(url, {"failure": [other.pk], "category": "none_fits"})
    assert Coding.objects.get(failure=other, version__number=2).by.username == "mia"


def test_leads_recode_all_that_a_list_holds_and_annotators_all_their_own(client, shop):
    client.force_login(make_user("mia"))
    act(client, shop, "retire", nodes=["invalid_invocation"])
    client.post(reverse("codebook_versions", args=[shop.slug]), {"summary": "fewer"})
    base = reverse("codebook_recode", args=[shop.slug])
    twice = f"{base}?version=2&find=asks+TWICE"
    listed = client.get(twice)
    assert [(row["was"], row["choices"]) for row in listed.context["rows"]] == [("Invalid Invocation", [])]
    assert "another order" not in listed.content.decode()
    response = client.post(twice, {"every": "1", "category": "system_failure"})
    assert (response.status_code, response.url.split("?")[1]) == (302, "version=2&find=asks+TWICE")
    by_phrase = {coding.failure.codes.get().phrase for coding in Coding.objects.filter(event__startswith="by hand")}
    assert by_phrase == {"asks twice"}

    client.force_login(make_user("ben"))
    client.post(base, {"every": "1", "category": "system_failure"})  # none of his waits
    client.force_login(make_user("ann"))
    client.post(base, {"every": "1", "category": "none_fits"})
    mine = Coding.objects.filter(event__startswith="by hand", version__number=2)
    assert sorted((each.by.username, each.category and each.category.key) for each in mine) == [
        ("ann", None),
        ("mia", "system_failure"),
    ]
    assert client.get(f"{base}?find=%00").status_code == 200


def test_drafts_go_on_in_the_words_of_the_version_taken_up(client, shop):
    from annotate.fold import fold
    from annotate.rows import state_of
    from tests.factories import do

    third, ben = shop.items.order_by("trajectory__external_id")[2], make_user("ben")
    for key, category in (("a", "guardrails_triggered"), ("b", "invalid_invocation"), ("c", "system_failure")):
        do(third, ben, "mark", {"failure": key, "fields": {"first_step": 1, "category": category}})
    client.force_login(make_user("mia"))
    act(client, shop, "merge", nodes=["system_failure", "guardrails_triggered"], target="system_failure")
    act(client, shop, "retire", nodes=["invalid_invocation"])
    client.post(reverse("codebook_versions", args=[shop.slug]), {"summary": "fewer"})
    client.post(reverse("codebook_adopt", args=[shop.slug, 2]))

    shop.refresh_from_db()
    draft = third.annotations.get(user=ben)
    state = state_of(draft, shop.taxonomy_version)
    categories = {key: failure["category"] for key, failure in state["failures"].items()}
    assert categories == {"a": "system_failure", "b": None, "c": "system_failure"}
    assert fold(draft.revisions.all()).state == state
    third.refresh_from_db()
    do(
        type(third).objects.get(pk=third.pk),
        ben,
        "change",
        {"failures": ["b"], "fields": {"category": "system_failure"}},
    )


@pytest.mark.parametrize("op", ["undo", "redo"])
def test_nothing_leads_back_into_the_version_before(client, shop, op):
    from annotate.operations import Refused
    from tests.factories import do

    third, ben = shop.items.order_by("trajectory__external_id")[2], make_user("ben")
    do(third, ben, "mark", {"failure": "a", "fields": {"first_step": 1, "category": "system_failure"}})
    if op == "undo":
        do(third, ben, "change", {"failures": ["a"], "fields": {"category": None}})
    else:
        do(third, ben, "undo")
    client.force_login(make_user("mia"))
    act(client, shop, "retire", nodes=["system_failure"])
    client.post(reverse("codebook_versions", args=[shop.slug]), {"summary": "fewer"})
    client.post(reverse("codebook_adopt", args=[shop.slug, 2]))

    with pytest.raises(Refused, match=f"nothing to {op}"):
        do(third, ben, op)


def test_the_number_of_queries_does_not_grow_with_the_codes(client, shop):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.force_login(make_user("mia"))
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse("codebook", args=[shop.slug]))
            client.get(reverse("codebook_card", args=[shop.slug, "invalid_invocation"]))
        counts.append(len(asked))
        make_trajectory(shop, f"more-{len(counts)}")
        for n in range(3):
            coin(taxonomy=shop.taxonomy, phrase=f"code {n}", definition="", by=make_user("mia"))
        item = shop.items.get(trajectory__external_id=f"more-{len(counts)}")
        annotate_and_submit(item, make_user("ann"), codes=["code 1"])
    assert counts[0] == counts[1]


def test_the_number_of_queries_does_not_grow_with_proposals_and_examples(client, shop):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    mia = make_user("mia")
    client.force_login(mia)
    failures = list(Failure.objects.order_by("pk"))
    cards = [node(shop, "asks twice"), node(shop, "wrong id")]
    counts = []
    for n, category in enumerate(("invalid_invocation", "system_failure", "guardrails_triggered")):
        asked = {"taxonomy": shop.taxonomy, "op": "group", "reason": "near", "by": mia}
        proposal = propose(payload={"nodes": cards, "name": f"slips {n}"}, **asked)
        note(taxonomy=shop.taxonomy, subject=f"proposal:{proposal.pk}", text=f"thought {n}", by=mia)
        Example.objects.create(project=shop, category=category, failure=failures[n], by=mia)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("codebook_proposals", args=[shop.slug])).content.decode()
            printed = client.get(reverse("codebook_print", args=[shop.slug])).content.decode()
        counts.append(len(queries))
        assert page.count("thought ") == printed.count("a case of it") == n + 1
    assert counts[0] == counts[1] == counts[2]


def test_files_hold_what_is_on_the_readers_board(client, shop):
    client.force_login(make_user("ben"))
    for format in ("qdc", "json", "csv"):
        content = client.get(reverse("codebook_file", args=[shop.slug, format])).content.decode()
        assert "asks twice" in content and "wrong id" not in content
    assert client.get(reverse("codebook_file", args=[shop.slug, "xls"])).status_code == 404


def test_a_group_that_no_version_could_keep_is_refused_on_the_card(client, shop):
    client.force_login(make_user("mia"))
    url = reverse("codebook_card", args=[shop.slug, "system_failure"])
    said = {"base": last_event(shop.taxonomy), "group": "g" * 201}
    assert client.post(url, said).status_code == 422
    assert client.post(url, said | {"group": "g" * 200}).status_code == 302
    client.post(reverse("codebook_versions", args=[shop.slug]), {"summary": "with a group"})
    assert shop.taxonomy.versions.get(number=2).categories.get(key="system_failure").group == "g" * 200


@pytest.mark.parametrize("since", ["9" * 5000, "9" * 30, "١", "x", "-1", "%00"])
def test_a_version_since_none_that_there_is_shows_the_one_before(client, shop, since):
    client.force_login(make_user("mia"))
    assert client.get(reverse("codebook_version", args=[shop.slug, 1]) + f"?since={since}").status_code == 200


def test_a_file_is_taken_in_on_the_page(client, shop):
    from django.core.files.uploadedfile import SimpleUploadedFile

    client.force_login(make_user("mia"))
    url = reverse("codebook_import", args=[shop.slug])
    file = SimpleUploadedFile("codes.csv", b"name,definition\nforgets the policy,=1+1\n")
    page = client.post(url, {"file": file}, follow=True).content.decode()
    assert "1 codes taken in" in page and "forgets the policy" in page
    large = SimpleUploadedFile("codes.csv", b"name\n" + b"x" * 5_000_001)
    assert "larger than 5 MB" in client.post(url, {"file": large}, follow=True).content.decode()
    bad = SimpleUploadedFile("codes.csv", b"a\n1\n")
    assert "Nothing was taken in: line 1" in client.post(url, {"file": bad}, follow=True).content.decode()


def test_comparing_proposes_groups_of_codes_that_share_words(shop):
    from annotate.actions.comparing import propose_groups

    item = only_item(shop)
    make_trajectory(shop, "shop-8")
    item = shop.items.get(trajectory__external_id="shop-8")
    reason = "the refund policy forbids a refund after thirty days"
    annotate_and_submit(
        item, make_user("ann"), codes=["refund against policy", "policy on refund ignored"], step_reason=reason
    )
    made = propose_groups(project=shop, by=make_user("mia"))
    pair = {node(shop, "refund against policy"), node(shop, "policy on refund ignored")}
    assert pair in [set(each.payload["nodes"]) for each in made]
    assert all(each.source == "clustering" and each.state == "open" and each.reason for each in made)
    assert propose_groups(project=shop, by=make_user("mia")) == []


def test_comparing_reads_only_what_the_lead_who_asked_may_see(client, shop):
    from annotate.actions.comparing import propose_groups

    noa = make_user("noa")
    for role in ("annotator", "lead"):
        join(shop, noa, role)
    make_trajectory(shop, "shop-8")
    item = shop.items.get(trajectory__external_id="shop-8")
    codes = ["refund against policy", "policy on refund ignored"]
    annotate_and_submit(item, make_user("ann"), codes=codes, step_reason="a refund after thirty days")
    assert propose_groups(project=shop, by=noa) == []  # she may still get that run
    client.force_login(noa)
    assert "refund" not in client.get(reverse("codebook_proposals", args=[shop.slug])).content.decode()
    made = propose_groups(project=shop, by=make_user("mia"))
    assert {node(shop, code) for code in codes} in [set(each.payload["nodes"]) for each in made]
