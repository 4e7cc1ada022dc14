from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from jobs.actions import Cancelled, take
from jobs.models import Job
from jobs.registry import handler_of
from suggestions.actions import prefetch
from suggestions.models import Evaluation
from tests.factories import make_project, make_user

pytestmark = pytest.mark.django_db


def make_job(project, state="queued", **fields):
    running = {"lease_until": timezone.now() + timedelta(minutes=1), "started_at": timezone.now()}
    given = {"kind": "item_changed", "state": state, "project": project.slug, **fields}
    return Job.objects.create(**(running if state == "running" else {}), **given)


def get(client, user, *args, **headers):
    client.force_login(user)
    return client.get(reverse("project_jobs", args=args) if args else reverse("jobs"), headers=headers)


def test_a_lead_sees_what_runs_and_how_far(client, project, mia):
    make_job(project, "running", progress=3, total=12)
    page = get(client, mia).content.decode()
    assert "agreement and routing" in page
    assert "3 of 12" in page
    assert 'hx-trigger="every 3s"' in page


def test_nothing_is_asked_for_again_when_all_is_over(client, project, mia):
    make_job(project, "done")
    assert "hx-trigger" not in get(client, mia).content.decode()


def test_a_failed_job_tells_its_error_as_text(client, project, mia):
    make_job(project, "failed", errors=[{"error": "ValueError: <b>line 3</b>"}])
    assert "ValueError: &lt;b&gt;line 3&lt;/b&gt;" in get(client, mia).content.decode()


def test_htmx_gets_the_list_alone(client, project, mia):
    make_job(project)
    fragment = get(client, mia, project.slug, **{"HX-Request": "true"}).content.decode()
    assert fragment.strip().startswith('<div id="jobs"')
    assert "<html" not in fragment


def test_a_job_nobody_takes_says_that_no_worker_is_there(client, project, mia):
    make_job(project, due_at=timezone.now() - timedelta(seconds=90))
    assert "No worker has taken work for 1\xa0minute." in get(client, mia, project.slug).content.decode()


def test_a_job_just_queued_says_nothing_of_the_kind(client, project, mia):
    make_job(project)
    assert "No worker" not in get(client, mia, project.slug).content.decode()


def test_jobs_of_other_projects_are_not_listed(client, project, mia):
    make_job(make_project("other", members={"ben": "lead"}), "failed", errors=[{"error": "canary"}])
    assert "canary" not in get(client, mia).content.decode()


@pytest.mark.parametrize(("name", "status"), [("ann", 403), ("ada", 403), ("vic", 403), ("eve", 404)])
def test_only_leads_see_the_jobs_of_a_project(client, project, name, status):
    assert get(client, make_user(name), project.slug).status_code == status


def test_an_annotator_finds_no_job_in_the_general_list(client, project, ann):
    make_job(project, "failed", errors=[{"error": "canary"}])
    page = get(client, ann).content.decode()
    assert "canary" not in page
    assert "No job has run yet." in page


def test_a_lead_cancels_a_waiting_job(client, project, mia):
    job = make_job(project)
    client.force_login(mia)
    response = client.post(reverse("cancel_job", args=[job.pk]))
    job.refresh_from_db()
    assert (response.url, job.state) == (reverse("project_jobs", args=[project.slug]), "cancelled")


@pytest.mark.parametrize(("name", "status"), [("ann", 403), ("eve", 404)])
def test_others_cancel_nothing(client, project, name, status):
    job = make_job(project)
    client.force_login(make_user(name))
    assert client.post(reverse("cancel_job", args=[job.pk])).status_code == status
    job.refresh_from_db()
    assert job.state == "queued"


def test_cancelling_takes_a_post(client, project, mia):
    client.force_login(mia)
    assert client.get(reverse("cancel_job", args=[make_job(project).pk])).status_code == 405


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_queries_does_not_grow_with_jobs(client, project, mia, django_assert_num_queries, jobs):
    for number in range(jobs):
        make_job(project, key=str(number))
    client.force_login(mia)
    with django_assert_num_queries(5):
        client.get(reverse("jobs"))


def test_the_prefetch_after_an_import_is_listed_and_stops_when_asked(client, project, mia):
    job = prefetch(dataset=project.dataset, project=project.slug)
    assert "looking for suggestions" in get(client, mia, project.slug).content.decode()
    taken = take(job.pk)
    client.post(reverse("cancel_job", args=[job.pk]))
    with pytest.raises(Cancelled):
        handler_of(job.kind)(taken)
    assert not Evaluation.objects.exists()
