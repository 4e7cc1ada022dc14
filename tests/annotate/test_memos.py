import json

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotate.models import ItemMemo
from annotate.my_work import my_work
from tests.factories import annotate_and_submit, do, hold, join, make_user

pytestmark = pytest.mark.django_db


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def write(user, item, /, **body):
    body = {"key": "k1", "kind": "memo", "text": "zebrafinch", "step": 2} | body
    return client_of(user).post(reverse("item_memos", args=[item.pk]), json.dumps(body), "application/json")


def answer(user, memo, /, **form):
    return client_of(user).post(reverse("answer_memo", args=[memo.pk]), {"reply": "Look at it again."} | form)


def seen_by(user, item):
    return [memo.text for memo in ItemMemo.objects.visible_to(user).filter(item=item)]


def test_a_memo_is_written_once_however_often_it_is_sent(item, ann):
    hold(item, ann)
    first, again = write(ann, item), write(ann, item, text="another text under the same key")
    assert (first.status_code, again.json()["text"]) == (200, "zebrafinch")
    mine = client_of(ann).get(reverse("item_memos", args=[item.pk])).json()
    assert [(memo["kind"], memo["step"], memo["text"]) for memo in mine] == [("memo", 2, "zebrafinch")]


@pytest.mark.parametrize(
    "body",
    [
        {"key": ""},
        {"key": 5},
        {"kind": "shout"},
        {"kind": ["memo"]},
        {"text": " "},
        {"text": None},
        {"text": "x" * 20_001},
        {"step": 4},
        {"step": "1"},
        {"step": True},
        {"failure": "f" * 65},
        {"failure": None},
    ],
)
def test_a_wrong_memo_is_refused(item, ann, body):
    hold(item, ann)
    assert write(ann, item, **body).status_code == 422
    assert not ItemMemo.objects.exists()


def test_memos_are_written_by_who_was_given_the_run(item, ben, mia, eve):
    for who in (ben, mia, eve):
        assert write(who, item).status_code == 404
        assert client_of(who).get(reverse("item_memos", args=[item.pk])).status_code == 404


def test_a_memo_is_its_authors_until_her_annotation_may_be_seen(item, ann, ben, ada, mia, vic):
    root = make_user("root", is_superuser=True)
    do(item, ann, "conclude", {"fields": {"outcome": "no_failure"}})
    write(ann, item)
    assert [seen_by(who, item) for who in (ann, ben, ada, mia, vic, root)] == [["zebrafinch"], [], [], [], [], []]
    do(item, ann, "submit")
    assert [seen_by(who, item) for who in (ann, ben, ada, mia, vic, root)] == [
        ["zebrafinch"],
        [],
        [],
        ["zebrafinch"],
        [],
        [],
    ]


@pytest.mark.parametrize("kind", ["comment", "guideline", "reopen"])
def test_what_is_said_to_the_lead_is_for_leads_who_may_not_get_the_run(project, item, ann, ben, mia, kind):
    hold(item, ann)
    write(ann, item, kind=kind)
    page = client_of(mia).get(reverse("memos", args=[project.slug])).content.decode()
    assert "zebrafinch" in page and "step 3" in page
    join(project, mia, "annotator")
    assert "zebrafinch" not in client_of(mia).get(reverse("memos", args=[project.slug])).content.decode()
    assert seen_by(ben, item) == []


def test_the_page_of_leads_is_for_leads(project, ann, vic, eve):
    address = reverse("memos", args=[project.slug])
    assert [client_of(who).get(address).status_code for who in (ann, vic, eve)] == [403, 403, 404]


def test_a_reply_is_read_beside_the_run(project, item, ann, mia, ben):
    hold(item, ann)
    write(ann, item, kind="guideline")
    memo = ItemMemo.objects.get()
    assert [line.text for work in my_work(mia) for line in work.waiting] == ["One annotator's note to the lead waits."]
    assert answer(ben, memo).status_code == 404
    assert answer(mia, memo).url == reverse("memos", args=[project.slug])
    (mine,) = client_of(ann).get(reverse("item_memos", args=[item.pk])).json()
    assert (mine["reply"], mine["closed"]) == ("Look at it again.", True)
    answer(mia, memo, reply="Changed my mind.")
    memo.refresh_from_db()
    assert (memo.reply, memo.closed_by) == ("Look at it again.", mia)
    assert [line for work in my_work(mia) for line in work.waiting] == []


@pytest.mark.parametrize("more", [{}, {"open": "1"}])
def test_a_reply_is_kept_without_what_the_database_could_not_hold(item, ann, mia, more):
    annotate_and_submit(item, ann)
    write(ann, item, kind="reopen")
    assert answer(mia, ItemMemo.objects.get(), reply="Look\0again.", **more).status_code == 302
    assert ItemMemo.objects.get().reply == "Look\ufffdagain."


def test_the_author_cannot_answer_herself(item, ann):
    hold(item, ann)
    write(ann, item, kind="comment")
    assert answer(ann, ItemMemo.objects.get()).status_code == 403


def test_a_wish_to_open_again_is_granted_by_the_lead(item, ann, mia):
    annotate_and_submit(item, ann)
    write(ann, item, kind="reopen", text="I took the wrong step.")
    memo = ItemMemo.objects.get()
    answer(mia, memo, open="1")
    annotation = item.annotations.get(user=ann)
    memo.refresh_from_db()
    assert (annotation.state, memo.closed_by, annotation.submissions.count()) == ("draft", mia, 1)


def test_what_its_author_could_have_compared_is_not_opened_again(project, item, ann, mia):
    annotate_and_submit(item, ann)
    item.exposures.create(user=ann, to="ruling")
    write(ann, item, kind="reopen")
    response = client_of(mia).post(
        reverse("answer_memo", args=[ItemMemo.objects.get().pk]), {"reply": "", "open": "1"}, follow=True
    )
    assert "Not done" in response.content.decode()
    assert (item.annotations.get(user=ann).state, ItemMemo.objects.get().closed_at) == ("submitted", None)


def test_the_database_wants_words_and_one_memo_per_key(item, ann):
    ItemMemo.objects.create(item=item, by=ann, key="k", text="something")
    for wrong in ({"key": "k", "text": "again"}, {"key": "l", "text": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ItemMemo.objects.create(item=item, by=ann, **wrong)
