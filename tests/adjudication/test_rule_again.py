"""A ruling of one's own, opened again with a reason: another is appended, and the earlier one stays."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from adjudication.actions import (
    CannotRuleAgain,
    RulingRefused,
    claim_case,
    look_first,
    release,
    route,
    rule,
    rule_again,
)
from adjudication.case_page import page_of
from adjudication.codebook_evidence import unclear
from adjudication.consensus_error import consensus_error
from adjudication.draft_again import begun_again
from adjudication.feedback import cases_to_learn_from
from adjudication.models import Case, FirstLook, GoldLabel, Ruling
from adjudication.ruling_draft import RulingDraft
from annotate.models import Annotation
from annotate.policy import Forbidden
from exports.actions import create_release
from people.models import AuditEvent
from tests.adjudication.test_cases_page import answer, choice
from tests.adjudication.worlds import RULED, disagree, mark
from tests.factories import join, make_user

pytestmark = pytest.mark.django_db
WHY = "I pressed the wrong key."
CORRECTED = {**RULED, "failures": [mark(2, is_critical=True)], "rationale": "It is step 3."}


@pytest.fixture
def case(project):
    return disagree(project, category="system_failure")


@pytest.fixture
def ruled(case, ada):
    rule(case=case, by=ada, **RULED)
    case.refresh_from_db()
    return case


def gold_step():
    return GoldLabel.objects.get(field="critical_step").value


def test_the_case_goes_back_into_her_hands_and_the_ruling_stands_until_she_rules(ruled, ada):
    case = rule_again(case=ruled, by=ada, why=f" {WHY} ")

    assert (case.state, case.held_by, case.revises, case.why_again) == ("open", ada, ruled.ruling, WHY)
    assert (case.item, case.reasons) == (ruled.item, ruled.reasons)
    assert gold_step() == 1
    (event,) = AuditEvent.objects.filter(verb="case opened to be ruled again", by=ada)
    assert (event.subject, event.facts) == (f"adjudication.case:{case.pk}", {"ruling": ruled.ruling.pk, "why": WHY})


def test_another_ruling_is_appended_and_gold_rests_on_it(ruled, ada):
    second = rule(case=rule_again(case=ruled, by=ada, why=WHY), by=ada, **CORRECTED)

    assert list(Ruling.objects.order_by("pk").values_list("rationale", flat=True)) == [
        RULED["rationale"],
        CORRECTED["rationale"],
    ]
    assert gold_step() == 2
    assert list(GoldLabel.objects.values_list("rests_on", flat=True).distinct()) == [[{"ruling": second.pk}]]
    assert list(Ruling.objects.not_revised()) == [second]


def test_a_ruling_is_revised_as_often_as_it_takes(ruled, ada):
    for _ in range(2):
        ruled = rule_again(case=ruled, by=ada, why=WHY)
        last = rule(case=ruled, by=ada, **CORRECTED)
        ruled.refresh_from_db()

    assert (Ruling.objects.count(), list(Ruling.objects.not_revised())) == (3, [last])


def test_a_reason_is_asked_for(ruled, ada):
    with pytest.raises(RulingRefused) as refused:
        rule_again(case=ruled, by=ada, why="  ")
    assert list(refused.value.errors) == ["why_again"]
    assert Case.objects.count() == 1


def test_the_database_asks_for_the_reason_too(ruled, ada):
    for wrong in ({"revises": ruled.ruling}, {"why_again": WHY}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Case.objects.create(item=ruled.item, **wrong)


def test_only_who_ruled_rules_again(project, ruled, ada):
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    with pytest.raises(CannotRuleAgain, match="another adjudicator"):
        rule_again(case=ruled, by=bea, why=WHY)
    with pytest.raises(Forbidden):
        rule_again(case=ruled, by=make_user("mia"), why=WHY)
    for name in ("ann", "vic", "eve"):
        with pytest.raises(Case.DoesNotExist):
            rule_again(case=ruled, by=make_user(name), why=WHY)


def test_nobody_rules_again_what_they_annotated_since(ruled, ada):
    Annotation.objects.create(item=ruled.item, user=ada)
    with pytest.raises(Case.DoesNotExist):
        rule_again(case=ruled, by=ada, why=WHY)


def test_of_two_at_once_one_wins(ruled, ada):
    rule_again(case=ruled, by=ada, why=WHY)
    with pytest.raises(CannotRuleAgain, match="open again already"):
        rule_again(case=ruled, by=ada, why=WHY)
    assert Case.objects.open().count() == 1


def test_what_was_ruled_again_since_and_what_is_open_are_not_opened(ruled, ada):
    again = rule_again(case=ruled, by=ada, why=WHY)
    with pytest.raises(CannotRuleAgain, match="not ruled"):
        rule_again(case=again, by=ada, why=WHY)
    rule(case=again, by=ada, **CORRECTED)
    with pytest.raises(CannotRuleAgain, match="ruled again since"):
        rule_again(case=ruled, by=ada, why=WHY)


def test_routing_does_not_take_it_out_of_her_hands(project, ruled, ada):
    again = rule_again(case=ruled, by=ada, why=WHY)
    route(project)
    again.refresh_from_db()
    assert (again.state, again.held_by, Case.objects.count()) == ("open", ada, 2)


def test_agreement_reached_meanwhile_does_not_take_it_either(project, ruled, ada):
    again = rule_again(case=ruled, by=ada, why=WHY)
    Annotation.objects.filter(user__username="ben").update(is_current=False)
    route(project)
    again.refresh_from_db()
    assert (again.state, gold_step()) == ("open", 1)


def test_a_release_made_before_stays(project, ruled, ada):
    before = create_release(project=project, name="r1", by=make_user("mia"))
    rule(case=rule_again(case=ruled, by=ada, why=WHY), by=ada, **CORRECTED)
    after = create_release(project=project, name="r2", by=make_user("mia"))

    before.refresh_from_db()
    assert [RULED["rationale"].encode() in each.rows.content for each in (before, after)] == [True, False]
    assert [CORRECTED["rationale"].encode() in each.rows.content for each in (before, after)] == [False, True]


def test_a_first_look_is_kept_with_its_moment_and_not_asked_for_again(project, ada):
    project.routing = {"judge_first_share": 1.0}
    project.save()
    case = disagree(project)
    look = look_first(case=case, by=ada, outcome="no_failure")
    rule(case=case, by=ada, **RULED)

    again = rule_again(case=case, by=ada, why=WHY)
    assert (again.judge_first, Case.objects.closed_to(ada).exists()) == (True, False)
    assert [(each.outcome, each.at) for each in FirstLook.objects.order_by("pk")] == [("no_failure", look.at)] * 2
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    assert list(Case.objects.closed_to(bea)) == [again]


def test_a_check_ruled_again_counts_once_and_as_ruled_last(project, ada):
    project.routing = {"check_share": 1.0}
    project.save()
    case = disagree(project, ann=1, ben=1)
    look_first(case=case, by=ada, outcome="critical", step=1)
    rule(case=case, by=ada, **RULED)
    assert (consensus_error(project).n, consensus_error(project).wrong) == (1, 0)

    rule(case=rule_again(case=case, by=ada, why=WHY), by=ada, **CORRECTED)
    assert (consensus_error(project).n, consensus_error(project).wrong) == (1, 1)


def test_annotators_read_the_latest_ruling_alone(project, ruled, ada, ann):
    again = rule_again(case=ruled, by=ada, why=WHY)
    assert list(cases_to_learn_from(ann, project)) == [ruled]
    rule(case=again, by=ada, **CORRECTED)
    assert list(cases_to_learn_from(ann, project)) == [again]


def test_a_category_found_unclear_by_mistake_is_no_evidence(project, case, ada):
    rule(case=case, by=ada, **{**RULED, "cause": "category_unclear"})
    assert len(list(unclear(ada, project))) == 1
    rule(case=rule_again(case=case, by=ada, why=WHY), by=ada, **CORRECTED)
    assert list(unclear(ada, project)) == []


def drafted(ruling, case, ada) -> RulingDraft:
    alignment = page_of(ada, case).alignment
    return RulingDraft(begun_again(ruling, alignment), alignment)


@pytest.mark.parametrize("changed", ["taken", "merged", "rewritten", "written", "other", "no_failure"])
def test_the_draft_rules_what_she_had_ruled(client, project, case, ada, changed):
    client.force_login(ada)
    page = client.get(reverse("case", args=[case.pk]))
    marks = list(page_of(ada, case).alignment.marks)
    sent = (
        answer(page)
        | {
            "taken": {"keep": marks},
            "merged": {"keep": marks, "merge": ["1"]},
            "rewritten": {
                "w0-from": choice(page, "Step 3, as").removeprefix("mark:"),
                "w0-step": "4",
                "w0-participant": "Assistant",
                "w0-category": "none_fits",
                "w0-effect": "recovered",
            },
            "written": {
                "choice": "other",
                "other_step": "4",
                "w0-step": "4",
                "w0-participant": "User",
                "w0-code": "gives up",
            },
            "other": {"choice": "other", "other_step": "3"},
            "no_failure": {"choice": "no_failure", "keep": []},
        }[changed]
        | {"guideline_note": "Say what a call is.", "failure_summary": "In my own words."}
    )
    assert client.post(reverse("rule", args=[case.pk]), sent).status_code == 302
    case.refresh_from_db()
    again = rule_again(case=case, by=ada, why=WHY)

    page = client.get(reverse("case", args=[again.pk]))
    assert "checked" in page.content.decode()
    draft = drafted(case.ruling, again, ada)
    said = {name: draft.text(name) for name in ("rationale", "cause", "guideline_note")}
    second = rule(
        case=again,
        by=ada,
        outcome=draft.outcome,
        failures=draft.failures(),
        **said,
        **{name: draft.words(name) for name in ("reason_for_root_cause", "failure_summary")},
    )
    assert draft.errors == {}
    own = ("outcome", "failures", "rationale", "cause", "guideline_note", "reason_for_root_cause", "failure_summary")
    assert [getattr(second, name) for name in own] == [getattr(case.ruling, name) for name in own]


def test_the_letters_of_the_annotations_stay(ruled, ada):
    def letters(case):
        return {column.annotation: column.letter for column in page_of(ada, case).alignment.columns}

    first, seen = letters(ruled), []
    for _ in range(6):  # by chance alone they would all stay once in 64 times
        ruled = rule_again(case=ruled, by=ada, why=WHY)
        seen.append(letters(ruled))
        rule(case=ruled, by=ada, **CORRECTED)
        ruled.refresh_from_db()
    assert seen == [first] * 6


def test_another_who_takes_it_over_starts_afresh(client, project, ruled, ada):
    again = rule_again(case=ruled, by=ada, why=WHY)
    release(case=again, by=ada)
    bea = make_user("bea")
    join(project, bea, "adjudicator")
    claim_case(case=again, by=bea)
    client.force_login(bea)
    page = client.get(reverse("case", args=[again.pk])).content.decode()
    assert "</textarea>" in page and f"{RULED['rationale']}</textarea>" not in page


def shown(client, name, case) -> str:
    client.force_login(make_user(name))
    return client.get(reverse("case", args=[case.pk])).content.decode()


def test_the_button_is_hers_alone(client, project, ruled):
    join(project, make_user("bea"), "adjudicator")
    url = reverse("rule_again", args=[ruled.pk])
    assert [name for name in ("ada", "bea", "mia") if url in shown(client, name, ruled)] == ["ada"]


def test_the_page_opens_it_again_with_a_reason(client, ruled):
    client.force_login(make_user("ada"))
    url = reverse("rule_again", args=[ruled.pk])
    refused = client.post(url, {"why_again": " \0"})
    assert (refused.status_code, Case.objects.count()) == (422, 1)
    assert "say why" in refused.content.decode()

    sent = client.post(url, {"why_again": "The <b>wrong</b> key."})
    again = Case.objects.open().get()
    assert (sent.status_code, sent.headers["Location"]) == (302, reverse("case", args=[again.pk]))
    page = shown(client, "ada", again)
    assert f"{RULED['rationale']}</textarea>" in page
    assert "The &lt;b&gt;wrong&lt;/b&gt; key." in page

    told = client.post(url, {"why_again": "Once more."}, follow=True).content.decode()
    assert "Not opened again: " in told and "open again already" in told
    assert Case.objects.open().count() == 1


def test_both_pages_tell_the_history(client, ruled, ada):
    again = rule_again(case=ruled, by=ada, why=WHY)
    assert reverse("case", args=[again.pk]) in shown(client, "ada", ruled)
    assert "superseded" not in shown(client, "ada", ruled)
    rule(case=again, by=ada, **CORRECTED)

    first, second = shown(client, "ada", ruled), shown(client, "mia", again)
    assert "superseded</a>" in first and "superseded</a>" not in second
    assert "superseded" in first and WHY in first and CORRECTED["rationale"] in first
    assert "superseded" in second and WHY in second and RULED["rationale"] in second
    assert reverse("rule_again", args=[ruled.pk]) not in first
    assert "superseded" in client.get("/projects/shop/cases/?state=ruled").content.decode()


def test_who_may_not_know_of_the_case_is_not_told_by_the_url(client, ruled):
    for name, status in (("mia", 403), ("ann", 404), ("vic", 404), ("eve", 404)):
        client.force_login(make_user(name))
        assert client.post(reverse("rule_again", args=[ruled.pk]), {"why_again": "x"}).status_code == status
    assert client.get(reverse("rule_again", args=[ruled.pk])).status_code == 405
