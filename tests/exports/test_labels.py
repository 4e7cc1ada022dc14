from dataclasses import fields

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from adjudication.models import GoldLabel
from annotate.actions import reopen
from annotate.fold import new_failure
from exports.errors import UnknownAnnotator, UnknownLabels, UnknownRelease
from exports.labels import labels_named
from exports.rows import LeftOut, Mark, Row
from exports.streams import Stream
from tests.exports.worlds import items_of, make_shop, rule_disputed
from tests.factories import annotate_and_submit, do, make_project, make_user

pytestmark = pytest.mark.django_db


def rows(project, labels="gold", **options):
    return list(Stream(labels_named(project, labels, **options)))


def test_gold_is_what_was_agreed_and_ruled_with_its_basis():
    project = make_shop()
    ruling = rule_disputed(project)

    agreed, ruled, untouched = rows(project)

    assert untouched == LeftOut("made", "shop-2", "no gold label yet")
    assert (agreed.label.outcome, agreed.label.critical.first_step) == ("critical", 1)
    assert agreed.label.critical.category_name == "Invalid Invocation"
    assert agreed.label.provenance["basis"]["critical_step"]["basis"] == "consensus"
    assert {each["annotation"] for each in agreed.label.critical.sources} == {
        annotation.pk for annotation in items_of(project)[0].annotations.all()
    }
    assert ruled.label.critical.first_step == 3
    assert ruled.label.provenance["basis"]["critical_step"] == {
        "basis": "adjudicated",
        "rests_on": [{"ruling": ruling.pk}],
    }
    assert ruled.label.provenance["rulings"][0]["basis"] == ruling.basis
    assert (ruled.label.provenance["processes"], ruled.label.provenance["exhaustive"]) == (["human"], True)


def test_gold_fields_make_the_critical_mark_where_no_list_of_failures_has_it():
    project = make_project()
    (item,) = items_of(project)
    values = {"outcome": "critical", "critical_step": 2, "participant": "Assistant", "reason_for_root_cause": "because"}
    for field, value in values.items():
        GoldLabel.objects.create(item=item, field=field, value=value, basis="consensus")

    (row,) = rows(project)

    critical = row.label.critical
    assert (critical.first_step, critical.participant, critical.category) == (2, "Assistant", None)
    assert row.label.provenance["exhaustive"] is False


def test_an_item_without_an_agreed_outcome_has_no_label():
    project = make_project()
    GoldLabel.objects.create(item=items_of(project)[0], field="failure_summary", value="?", basis="single")

    assert rows(project) == [LeftOut("made", "shop-0", "no gold label yet")]


def test_an_annotators_label_is_the_last_one_handed_in():
    project = make_project(runs=2)
    item, _ = items_of(project)
    ann, mia = make_user("ann"), make_user("mia")
    annotation = annotate_and_submit(item, ann, step=1)
    reopen(annotation=annotation, by=mia, reason="asked for")
    do(item, ann, "change", {"failures": ["m1"], "fields": {"first_step": 3, "last_step": 3}})

    while_open, left_out = rows(project, "annotator:ANN")
    do(item, ann, "submit")
    after, _ = rows(project, "annotator:ann")

    assert (while_open.labels, while_open.label.critical.first_step) == ("annotator:ann", 1)
    assert left_out == LeftOut("made", "shop-1", "not labelled by ann")
    assert (after.label.critical.first_step, after.label.provenance["rests_on"][0]["number"]) == (3, 2)


@pytest.mark.parametrize("labels", ["", "silver", "annotator", "gold:x"])
def test_labels_of_no_kind_are_refused(project, labels):
    with pytest.raises(UnknownLabels):
        labels_named(project, labels)


def test_an_annotator_is_one_of_this_project(project, eve, mia):
    for name in ("nobody", "eve", "mia", ""):
        with pytest.raises(UnknownAnnotator):
            labels_named(project, f"annotator:{name}")
    with pytest.raises(UnknownRelease):
        labels_named(project, "gold", release="v1")


@pytest.mark.parametrize("labels", ["gold", "annotator:ann"])
def test_more_rows_take_no_more_queries(labels):
    counts = []
    for slug, runs in (("few", 1), ("many", 5)):
        project = make_project(slug, runs=runs)
        for item in items_of(project):
            annotate_and_submit(item, make_user("ann"))
            annotate_and_submit(item, make_user("ben"))
        from adjudication.actions import route

        route(project)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = rows(project, labels)
            [row.run.turns() for row in found]
        counts.append(len(queries))
        assert [type(row) for row in found] == [Row] * runs
    assert counts[0] == counts[1]


def test_rows_come_in_byte_order_of_source_and_id():
    project = make_project(runs=0)
    from tests.factories import make_trajectory

    for source, external_id in (("b", "a"), ("B", "z"), ("a", "é"), ("a", "Z"), ("a", 10), ("a", 9)):
        make_trajectory(project, external_id, source=source)

    assert [(row.source, row.trajectory) for row in rows(project)] == [
        ("B", "z"),
        ("a", 10),
        ("a", 9),
        ("a", "Z"),
        ("a", "é"),
        ("b", "a"),
    ]


def test_a_mark_that_annotators_know_is_exported_whole_but_for_its_pointers():
    assert set(new_failure()) - {each.name for each in fields(Mark)} == {"cause", "repeats"}
