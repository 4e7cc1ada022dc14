"""Root causes by domain, and saturation, on published labels and on small worlds."""

import re

import pytest
from django.urls import reverse

from annotate.actions import create_project, import_labels, import_traces
from annotate.codebook.figures import annotations_for_figures, root_causes, saturation_of
from annotate.models import Submission
from people.actions import system_user
from taxonomy.queries import board_of
from tests.factories import annotate_and_submit, join, make_project, make_user, only_item
from tests.shared_data import shared

pytestmark = pytest.mark.django_db
# The root causes of the benchmark's paper, Table 1, in its order of categories: Magentic-One, τ-bench.
TABLE_1 = {
    "magentic-one": (44, [18.2, 9.1, 0, 34.1, 9.1, 0, 6.8, 20.5, 2.3]),
    "tau-retail": (29, [10.3, 0, 3.4, 24.1, 24.1, 27.6, 6.9, 0, 3.4]),
}


@pytest.mark.slow
def test_root_causes_by_domain_are_those_of_the_published_table(client):
    project = create_project(slug="table", by=system_user(), overlap=1)
    by = {"project": project, "by": system_user()}
    for traces, labels in (
        ("agentrx/magentic", "agentrx/ground_truth/magentic_one_ground_truth.json"),
        ("agentrx/tau_retail", "agentrx/ground_truth/tau_ground_truth.json"),
    ):
        import_traces(paths=[shared(traces)], **by)
        import_labels(paths=[shared(labels)], annotator="agentrx", format="agentrx", **by)
    mia = make_user("mia")
    join(project, mia, "lead")

    shares = root_causes(annotations_for_figures(mia, project), project.taxonomy_version)
    found = {
        domain: (total, [round(cells[n].percent, 1) for _, _, cells in shares.rows])
        for n, (domain, total) in enumerate(zip(shares.domains, shares.totals, strict=True))
    }
    assert found == TABLE_1

    client.force_login(mia)
    page = client.get(reverse("codebook_statistics", args=[project.slug])).content.decode()
    cells = re.findall(r'<td class="num(?: muted)?" title="\d+ of \d+">([\d.]+)</td>', page)
    columns = [[float(cell) for cell in cells[n::2]] for n in (0, 1)]
    assert columns == [figures for _, figures in TABLE_1.values()]


def test_a_run_that_its_reader_may_still_get_is_not_counted():
    project = make_project(runs=2)
    first, second = project.items.order_by("pk")
    annotate_and_submit(first, make_user("ann"))
    annotate_and_submit(second, make_user("ann"), category="system_failure")
    annotate_and_submit(first, make_user("ben"))
    version = project.taxonomy_version

    def counted(who):
        shares = root_causes(annotations_for_figures(make_user(who), project), version)
        return {key: cells[0].n for key, _, cells in shares.rows if cells[0].n}

    assert counted("mia") == {"invalid_invocation": 2, "system_failure": 1}
    assert counted("ben") == {"invalid_invocation": 2}


def test_saturation_leaves_out_what_routing_asked_for_and_counts_merged_codes_once():
    project = make_project(runs=3)
    items = list(project.items.order_by("pk"))
    for item, code in zip(items, ("late", "too late", "late"), strict=True):
        annotate_and_submit(item, make_user("ann"), codes=[code])
    board = board_of(project.taxonomy)
    annotations = annotations_for_figures(make_user("mia"), project)
    found = saturation_of(annotations, board, seed=1)
    assert {domain: (each.runs, each.codes) for domain, each in found.by_domain.items()} == {"shop": (3, 2)}
    assert found.left_out == 0

    items[0].wanted = 3
    items[0].save()
    annotate_and_submit(items[0], make_user("ben"), codes=["asked for"])
    assert not Submission.objects.get(annotation__user__username="ben").planned
    found = saturation_of(annotations_for_figures(make_user("mia"), project), board_of(project.taxonomy), seed=1)
    assert (found.by_domain["shop"].codes, found.left_out) == (2, 1)


def test_two_annotators_of_one_run_meet_a_code_once(client):
    """Else what both mark would look as if it had come up again, and no code would seem to be missing."""
    project = make_project()
    for name in ("ann", "ben"):
        annotate_and_submit(only_item(project), make_user(name))
    annotations = annotations_for_figures(make_user("mia"), project)
    (found,) = saturation_of(annotations, board_of(project.taxonomy), seed=1).by_domain.values()
    assert (found.unseen.probability, found.unseen.once, found.unseen.marks) == (1, 1, 1)
    client.force_login(make_user("mia"))
    page = client.get(reverse("codebook_statistics", args=[project.slug])).content.decode()
    assert "from 6 runs on" in page and "No batch of 2" not in page
