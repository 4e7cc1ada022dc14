"""Public data in: counts, a second import that changes nothing, and labels that cannot be placed."""

import json

import pytest
from django.apps import apps

from annotate.actions import import_labels, import_traces
from annotate.models import Annotation, Failure, Submission
from annotate.operations import Refused
from jobs.models import Job
from people.actions import NameTaken, system_user
from people.models import AuditEvent, User
from tests.factories import do, hold, make_project, make_trajectory, make_user
from tests.shared_data import shared
from traces.formats.files import SourceNotFound
from traces.models import Trajectory

pytestmark = pytest.mark.django_db
SAME_IDS = [
    "08cae58d-4084-4616-b6dd-dd6534e4825b",
    "0ec4371851b96837b0a81b3dd3df401415061bb532fbafeb4609f3337c358508",
    "2aa5dd83fbcd0dce9a3dd4592106e5b5edf738008d932e357d477bba80e59ccf",
    "2dfc4c37-fec1-4518-84a7-10095d30ad75",
    "42576abe-0deb-4869-8c63-225c2d75a95a",
    "42d4198c-5895-4f0a-b0c0-424a66465d83",
    "55f4258484c5b398956133128a50462a767da211f8f72aa5ac5bbffb9bcbba1a",
    "56137764-b4e0-45b8-9c52-1866420c3df5",
    "6b06d186921b8b390c65aebd0d16f09f60a47d2f1288ebe36953f734e84c0a3c",
    "72e110e7-464c-453c-a309-90a95aed6538",
    "73c1b9fe-ee1d-4cf4-96ca-35c08f97b054",
    "8ad84bd6fe38481ba49e7ad1f6fbd43219a999074e5c6fc940003281f55ec65b",
    "929b45f34805280d77c61d1e093e3d4e551d77ddb6ecd73552b12b1af286388d",
    "a3fbeb63-0e8c-4a11-bff6-0e3b484c3e9c",
    "a9074997e698f912b9e751779ea19c1e92fa148404e90e0ae997acea3f9559b0",
    "c7afe00869f98cf363fd83677ac41757ed5e57f03eacc3d1304feb0a92084bd1",
]


@pytest.fixture
def empty(db):
    return make_project("bench", runs=0, members={"ann": "annotator"})


def traces(project, *paths, **options):
    return import_traces(project=project, paths=paths, by=system_user(), **options)


def labels(project, *paths, annotator="outside", format="agentrx", **options):
    return import_labels(project=project, paths=paths, annotator=annotator, format=format, by=system_user(), **options)


def counts(report):
    assert report.read == report.stored + report.unchanged + len(report.refused)
    return report.stored, report.unchanged, [problem.code for problem in report.refused]


def everything():
    """Every row of every table, as its values."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.app_label in ("people", "jobs", "traces", "taxonomy", "suggestions", "annotate", "adjudication")
    }


SOURCES = {
    "Hand-Crafted": ("whowhen/Hand-Crafted", "whowhen/Hand-Crafted", "whowhen", 58, 58),
    "Algorithm-Generated": ("whowhen/Algorithm-Generated", "whowhen/Algorithm-Generated", "whowhen", 126, 126),
    "Magentic": ("agentrx/magentic", "agentrx/ground_truth/magentic_one_ground_truth.json", "agentrx", 44, 44),
    "tau": ("agentrx/tau_retail", "agentrx/ground_truth/tau_ground_truth.json", "agentrx", 29, 29),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOURCES)
def test_public_runs_and_labels_arrive_and_a_second_import_changes_nothing(empty, name):
    runs, truth, format, n_runs, n_labels = SOURCES[name]
    runs, truth = shared(runs), shared(truth)

    assert counts(traces(empty, runs)) == (n_runs, 0, [])
    assert counts(labels(empty, truth, format=format)) == (n_labels, 0, [])
    assert empty.items.count() == Trajectory.objects.count() == n_runs
    assert set(Annotation.objects.values_list("state", "process")) == {("submitted", "human")}
    assert Submission.objects.count() == n_labels

    before = everything()
    assert counts(traces(empty, runs)) == (0, n_runs, [])
    assert counts(labels(empty, truth, format=format)) == (0, n_labels, [])
    assert everything() == before


@pytest.mark.slow
def test_labels_of_both_sources_meet_on_the_runs_with_one_base(empty):
    traces(empty, shared("whowhen/Hand-Crafted"))
    labels(empty, shared("whowhen/Hand-Crafted"), annotator="whowhen", format="whowhen")
    report = labels(empty, shared("agentrx/ground_truth/magentic_one_ground_truth.json"), annotator="agentrx")

    assert counts(report) == (44, 0, [])
    steps = {"whowhen": {}, "agentrx": {}}
    found = Submission.objects.values_list(
        "annotation__user__username", "annotation__item__trajectory__external_id", "critical_step"
    )
    for name, run, step in found:
        steps[name][run] = step
    assert len(steps["agentrx"]) == 44
    assert sorted(run for run, step in steps["agentrx"].items() if steps["whowhen"][run] == step) == sorted(SAME_IDS)
    definitions = Annotation.objects.values_list("user__username", "critical_definition", "exhaustive").distinct()
    assert sorted(definitions) == [("agentrx", "first_unrecoverable", True), ("whowhen", "decisive", False)]

    # Kept raw, never a category: Who&When's own types say nothing in this taxonomy.
    assert not Failure.objects.filter(annotation__user__username="whowhen", codings__isnull=False).exists()
    odd = Annotation.objects.get(user__username="agentrx", item__trajectory__external_id=SAME_IDS[0])
    assert odd.raw["root_cause"]["failure_id"] == "1"
    spelt = Failure.objects.filter(annotation__user__username="agentrx", raw__failed_agent="Websurfer")
    assert spelt.count() == 13
    assert set(spelt.values_list("participant", flat=True)) == {"WebSurfer"}


@pytest.mark.slow
def test_an_id_of_both_splits_is_ambiguous_until_the_source_is_named(empty):
    traces(empty, shared("whowhen"))
    truth = shared("agentrx/ground_truth/magentic_one_ground_truth.json")
    both = set(Trajectory.objects.filter(source="whowhen-algorithm-generated").values_list("external_id", flat=True))
    labelled = [entry["trajectory_id"] for entry in json.loads(truth.read_text())]
    n = len([each for each in labelled if each in both])
    assert Trajectory.objects.count() == 184

    stored, _, refused = counts(labels(empty, truth))
    assert (stored, refused) == (44 - n, ["ambiguous"] * n)
    assert n > 0
    assert counts(labels(empty, truth, source="whowhen-hand-crafted")) == (n, 44 - n, [])
    assert counts(labels(empty, shared("whowhen"), annotator="whowhen", format="whowhen")) == (184, 0, [])


@pytest.mark.slow
def test_tau_ids_stay_numbers(empty):
    traces(empty, shared("agentrx/tau_retail"))

    assert all(isinstance(run.native_id, int) for run in Trajectory.objects.all())


# Small labels on made runs of four steps, numbered from 1 as their format has it


@pytest.fixture
def shop(empty):
    make_trajectory(empty, "run-1")
    return empty


def label(number=2, category="Invalid Invocation", **fields):
    failure = {
        "failure_id": 1,
        "step_number": number,
        "step_reason": "paid twice",
        "failure_category": category,
        "category_reason": "the call was wrong",
        "failed_agent": "assistant",
    }
    root = {"failure_id": 1, "reason_for_root_cause": "never undone"}
    return {
        "trajectory_id": "run-1",
        "failures": [failure],
        "root_cause": root,
        "failure_summary": "paid twice",
    } | fields


@pytest.fixture
def given(tmp_path):
    def write(*entries, name="labels.json"):
        path = tmp_path / name
        path.write_text(json.dumps(list(entries)))
        return path

    return write


def test_a_label_becomes_a_submitted_annotation_with_its_log(shop, given):
    entry = label()
    labels(shop, given(entry))

    annotation = Annotation.objects.get()
    assert (annotation.state, annotation.outcome, annotation.raw) == ("submitted", "critical", entry)
    assert [row.op for row in annotation.revisions.all()] == ["import", "submit"]
    failure = annotation.failures.get()
    assert (failure.first_step, failure.participant, failure.is_critical) == (1, "Assistant", True)
    assert failure.raw == entry["failures"][0]
    assert failure.codings.get().category.key == "invalid_invocation"
    assert (annotation.item.assignments.get().state, annotation.user.kind) == ("submitted", "imported")


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (label(number=5), "step_out_of_range"),
        (label(number=0), "step_out_of_range"),
        (label(category="Bad Luck"), "unknown_category"),
        (label(trajectory_id="run-9"), "unknown_trajectory"),
        (label(failures="none"), "bad_failure"),
        (label(root_cause={"failure_id": 7}), "bad_root_cause"),
        (label(trajectory_id=None), "bad_id"),
    ],
)
def test_a_label_that_cannot_be_placed_costs_itself_only(shop, given, entry, code):
    make_trajectory(shop, "run-2")
    stored, unchanged, refused = counts(labels(shop, given(entry, label(trajectory_id="run-2"))))

    assert (stored, unchanged) == (1, 0)
    assert len(refused) == 1
    if code != "bad_id":
        assert refused == [code]
    assert Annotation.objects.get().item.trajectory.external_id == "run-2"


def test_the_report_says_where(shop, given):
    report = labels(shop, given(label(), label(number=9)))

    (problem,) = report.refused
    assert (problem.file, problem.where, problem.code) == ("labels.json", "/1", "step_out_of_range")
    assert "from 1 to 4" in problem.message


def test_another_label_for_the_same_run_is_refused_and_changes_nothing(shop, given):
    labels(shop, given(label()))
    before = everything()

    assert counts(labels(shop, given(label(number=3)))) == (0, 0, ["differs"])
    assert counts(labels(shop, given(label(failure_summary="other words")))) == (0, 0, ["differs"])
    assert everything() == before


def test_two_annotators_label_one_run(shop, given):
    labels(shop, given(label()))

    assert counts(labels(shop, given(label(number=3)), annotator="another")) == (1, 0, [])


@pytest.mark.parametrize("name", ["ann", "ANN"])
def test_the_name_of_a_person_is_refused(shop, given, name):
    before = everything()

    with pytest.raises(NameTaken):
        labels(shop, given(label()), annotator=name)
    assert everything() == before


def test_a_missing_path_leaves_nothing_behind(shop, tmp_path):
    system_user()
    before = everything()

    with pytest.raises(SourceNotFound):
        labels(shop, tmp_path / "nowhere.json")
    with pytest.raises(SourceNotFound):
        traces(shop, tmp_path / "nowhere.json")
    assert everything() == before


def test_without_categories_the_spelling_is_kept_raw_with_a_warning(given, db):
    project = make_project("open", taxonomy="none", runs=0, members={})
    make_trajectory(project, "run-1")
    report = labels(project, given(label(category="Bad Luck")))

    assert counts(report) == (1, 0, [])
    assert "category_kept_raw" in [warning.code for warning in report.warnings]
    assert Failure.objects.get().raw["failure_category"] == "Bad Luck"


def test_a_label_that_blames_another_than_the_speaker_warns(shop, given):
    report = labels(shop, given(label(number=1)))

    assert counts(report) == (1, 0, [])
    assert [warning.code for warning in report.warnings] == ["not_the_speaker"]


def test_whowhen_types_are_kept_raw_and_are_no_category(empty, tmp_path):
    run = {
        "question_ID": "q1",
        "question": "Where is the lamp?",
        "history": [{"role": "human", "content": "Find it."}, {"role": "WebSurfer", "content": "No."}],
        "mistake_agent": "WebSurfer",
        "mistake_step": "1",
        "mistake_reason": "gave up",
        "mistake_type": "Invalid Invocation",
        "labels": ["System Failure"],
    }
    path = tmp_path / "1.json"
    path.write_text(json.dumps(run))
    traces(empty, path)
    labels(empty, path, format="whowhen")

    annotation = Annotation.objects.get()
    assert (annotation.raw["mistake_type"], annotation.raw["labels"]) == ("Invalid Invocation", ["System Failure"])
    assert (annotation.failures.get().first_step, annotation.failures.get().codings.count()) == (1, 0)
    assert "mistake" not in json.dumps(list(Trajectory.objects.values("origin", "layers", "participants")))


def test_runs_with_other_steps_are_refused_and_the_rest_arrives(empty, tmp_path):
    def write(name, *words):
        (tmp_path / f"{name}.json").write_text(json.dumps([{"role": "WebSurfer", "content": word} for word in words]))

    write("a", "one")
    traces(empty, tmp_path)
    write("a", "another")
    write("b", "two")

    assert counts(traces(empty, tmp_path)) == (1, 0, ["differs"])
    assert counts(traces(empty, tmp_path, source="second")) == (2, 0, [])


def test_new_runs_go_before_the_annotators_of_every_project_of_the_dataset(empty, tmp_path):
    twin = make_project("twin", dataset="bench", runs=0, members={})
    closed = make_project("closed", dataset="bench", runs=0, members={})
    type(closed).objects.filter(pk=closed.pk).update(closed_at=closed.created_at)
    (tmp_path / "a.json").write_text(json.dumps([{"role": "WebSurfer", "content": "one"}]))
    traces(empty, tmp_path)

    assert [project.items.count() for project in (empty, twin, closed)] == [1, 1, 0]
    assert sorted(Job.objects.filter(kind="item_changed").values_list("project", flat=True)) == ["bench", "twin"]
    assert AuditEvent.objects.filter(verb="traces imported").get().facts["stored"] == 1


def test_imported_labels_count_towards_the_people_an_item_wants(shop, given):
    from annotate.actions import claim_next

    for name in ("one", "two"):
        labels(shop, given(label()), annotator=name)

    assert claim_next(project=shop, user=User.objects.get(username="ann")) is None


# What people type is kept or refused, never lost in an error


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b", "\udfff", "👨🏻‍🚒 x y"])
def test_any_text_is_kept_in_rows_and_log(shop, text):
    ann, item = make_user("ann"), shop.items.get()
    fields = {"first_step": 1, "step_reason": text, "codes": [{"phrase": text, "definition": text}]}
    do(item, ann, "mark", {"failure": "m1", "fields": fields})
    do(item, ann, "conclude", {"fields": {"failure_summary": text}})

    kept = text.replace("\0", "\ufffd").replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")
    annotation = item.annotations.get()
    assert annotation.failures.get().step_reason == annotation.failure_summary == kept
    assert annotation.revisions.first().payload["fields"]["step_reason"] == kept
    assert annotation.failures.get().codes.get().phrase == kept


@pytest.mark.parametrize("payload", [{"x": "\0"}, {"x": float("nan")}, ["\ud800"], "\0", None, 7])
def test_any_payload_of_undo_is_answered(shop, payload):
    ann, item = make_user("ann"), shop.items.get()
    do(item, ann, "mark", {"failure": "m1", "fields": {"first_step": 1}})
    do(item, ann, "undo", payload)

    assert not item.annotations.get().failures.exists()


def test_a_payload_without_a_bottom_is_refused(shop):
    ann, item = make_user("ann"), shop.items.get()
    hold(item, ann)
    deep = []
    for _ in range(100_000):
        deep = [deep]

    with pytest.raises(Refused):
        do(item, ann, "undo", {"x": deep})
