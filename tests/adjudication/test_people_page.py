import pytest
from django.urls import reverse
from django.utils import timezone

from adjudication.actions import open_feedback, route, rule
from adjudication.feedback import compared
from adjudication.models import Case
from adjudication.pseudonyms import key_of
from annotate.actions import reopen
from annotate.errors import Frozen
from annotate.models import Exposure, Item, Membership, Submission
from tests.adjudication.worlds import RULED, disagree
from tests.factories import annotate_and_submit, join, make_project, make_step, make_trajectory, make_user

pytestmark = pytest.mark.django_db


def get(client, user, name, *args):
    client.force_login(make_user(user))
    return client.get(reverse(name, args=args))


def body(response) -> str:
    return response.content.decode()


@pytest.fixture
def ruled(project, ada):
    """Ann and Ben disagreed; Ada ruled."""
    case = disagree(project)
    rule(case=case, by=ada, **RULED)
    return case


@pytest.mark.parametrize(("user", "status"), [("mia", 200), ("vic", 403), ("ada", 403), ("ann", 403), ("eve", 404)])
def test_only_leads_see_people(client, ruled, user, status):
    project = ruled.item.project
    assert get(client, user, "people", project.slug).status_code == status
    assert get(client, user, "person", project.slug, key_of(project, "ann")).status_code == status


def test_a_lead_sees_agreement_with_others_and_with_rulings(client, ruled):
    project = ruled.item.project
    page = body(get(client, "mia", "people", project.slug))
    assert ">ann<" in page and ">ben<" in page
    assert "0.00 <span" in page and "1.00 <span" in page
    person = body(get(client, "mia", "person", project.slug, key_of(project, "ann")))
    assert "with rulings" in person and "runs 1–1" in person
    assert get(client, "mia", "person", project.slug, "nobody").status_code == 404


def test_categories_of_a_person_stand_under_their_names(client, ruled):
    project = ruled.item.project
    page = body(get(client, "mia", "person", project.slug, key_of(project, "ann")))
    assert "<bdi>Invalid Invocation</bdi>" in page


def test_a_category_that_nobody_else_could_name_is_not_listed(client, project):
    make_trajectory(project, "alone")
    item = project.items.get(trajectory__external_id="alone")
    annotate_and_submit(item, make_user("ann"))
    annotate_and_submit(item, make_user("ben"), category=None)
    page = body(get(client, "mia", "person", project.slug, key_of(project, "ann")))
    assert "No category of theirs can be compared yet" in page


def test_an_empty_project_has_a_sentence(client, project):
    assert "Nobody has submitted" in body(get(client, "mia", "people", project.slug))


def test_no_figure_of_a_person_counts_a_run_that_the_reader_may_still_annotate(client, ruled):
    """Max leads and annotates; the one run on which Ann and Ben were compared beside the ruled one is open to him."""
    project = ruled.item.project
    Item.objects.filter(pk=ruled.item.pk).update(settled_at=timezone.now())
    max_ = make_user("max")
    join(project, max_, Membership.Role.ANNOTATOR)
    join(project, max_, Membership.Role.LEAD)
    make_trajectory(project, "open")
    item = project.items.get(trajectory__external_id="open")
    Item.objects.filter(pk=item.pk).update(wanted=3)
    item.refresh_from_db()
    annotate_and_submit(item, make_user("ann"), step=3)
    annotate_and_submit(item, make_user("ben"), step=3)
    page = body(get(client, "max", "people", project.slug))
    assert "closed for you" in page and ">ann<" not in page
    assert get(client, "max", "person", project.slug, key_of(project, "ann")).status_code == 404


def test_an_annotator_learns_of_a_ruling_only_by_asking(client, ruled, ann):
    project = ruled.item.project
    listed = body(get(client, "ann", "my_feedback", project.slug))
    assert "Read the ruling" in listed and RULED["rationale"] not in listed
    assert get(client, "ann", "feedback", project.slug, ruled.pk).status_code == 404
    opened = client.post(reverse("open_feedback", args=[project.slug, ruled.pk]))
    assert opened.url == reverse("feedback", args=[project.slug, ruled.pk])
    page = body(client.get(opened.url))
    assert RULED["rationale"] in page and "Your first submission beside the ruling" in page
    assert "ben" not in page and "ada" not in page


def test_a_ruling_is_told_in_the_numbers_of_the_source(client, project, ann, ada):
    steps = [make_step(at, "Assistant", native_index=10 * at) for at in range(6)]
    make_trajectory(project, "numbered", steps=steps)
    case = disagree(project, project.items.get(trajectory__external_id="numbered"))
    rule(case=case, by=ada, **RULED)
    open_feedback(case=case, by=ann)
    rows = {row.what: (row.own, row.ruled) for row in compared(ann, case)}
    critical = next(each for each in RULED["failures"] if each.get("is_critical"))
    assert rows["critical step"][1] == str(10 * critical["first_step"])
    assert "Steps as made numbers them." in body(get(client, "ann", "feedback", project.slug, case.pk))


@pytest.mark.parametrize(("user", "status"), [("mia", 403), ("vic", 403), ("ada", 403), ("eve", 404)])
def test_rulings_to_learn_from_are_for_annotators(client, ruled, user, status):
    project = ruled.item.project
    assert get(client, user, "my_feedback", project.slug).status_code == status
    assert client.post(reverse("open_feedback", args=[project.slug, ruled.pk])).status_code == status


def test_who_did_not_annotate_the_run_or_may_still_change_her_label_learns_nothing(client, ruled, project):
    cleo = make_user("cleo")
    join(project, cleo)
    assert "No run of yours" in body(get(client, "cleo", "my_feedback", project.slug))
    assert client.post(reverse("open_feedback", args=[project.slug, ruled.pk])).status_code == 404
    reopen(annotation=ruled.item.annotations.get(user__username="ann"), by=make_user("mia"), reason="a slip")
    assert "No run of yours" in body(get(client, "ann", "my_feedback", project.slug))


def test_before_the_ruling_nobody_learns_that_there_is_a_case(client, project):
    case = disagree(project)
    assert "No run of yours" in body(get(client, "ann", "my_feedback", project.slug))
    with pytest.raises(Case.DoesNotExist):
        open_feedback(case=case, by=make_user("ann"))


def test_what_is_submitted_after_feedback_is_marked_and_kept_out_of_the_figures(project, ruled, ann, ben):
    from adjudication.actions import recompute

    for number in range(2):
        make_trajectory(project, f"later-{number}")
    before, after = project.items.exclude(pk=ruled.item.pk).order_by("pk")
    annotate_and_submit(before, ann)
    annotate_and_submit(before, ben)
    open_feedback(case=ruled, by=ann)
    annotate_and_submit(after, ann)
    annotate_and_submit(after, ben)
    marked = Submission.objects.filter(post_feedback=True).values_list("annotation__item", "annotation__user__username")
    assert list(marked) == [(after.pk, "ann")]
    assert recompute(project).figures["pairable"] == 2


def test_a_label_whose_ruling_was_read_stays_as_it_was_submitted(ruled, ann):
    open_feedback(case=ruled, by=ann)
    open_feedback(case=ruled, by=ann)
    assert Exposure.objects.filter(user=ann, to="feedback").count() == 1
    with pytest.raises(Frozen):
        reopen(annotation=ruled.item.annotations.get(user=ann), by=make_user("mia"), reason="second thoughts")


def test_a_lead_sees_what_came_after_feedback_apart(client, project, ruled, ann, ben):
    open_feedback(case=ruled, by=ann)
    make_trajectory(project, "later")
    later = project.items.exclude(pk=ruled.item.pk).get()
    annotate_and_submit(later, ann)
    annotate_and_submit(later, ben)
    route(project)
    assert "after feedback" in body(get(client, "mia", "person", project.slug, key_of(project, "ann")))
    assert "after feedback" not in body(get(client, "mia", "person", project.slug, key_of(project, "ben")))


def test_another_project_shares_nothing(client, ruled):
    make_project("other", members={"ann": "annotator"})
    assert get(client, "ann", "feedback", "other", ruled.pk).status_code == 404
