"""The whole arc on published labels: reasons as open codes, categories grown out of them, two versions, two exports."""

import json
from collections import Counter, defaultdict
from io import StringIO

import pytest
from django.core.management import call_command

from annotate.actions import (
    adopt_version,
    create_project,
    freeze_version,
    import_labels,
    import_traces,
    recode,
    recode_by_hand,
)
from annotate.actions.recoding import decisions_for
from annotate.codebook.board import members_of
from annotate.codebook.marks import submitted_failures
from annotate.codebook.recoding import Unclear
from annotate.models import Coding, Failure, FailureCode
from people.actions import system_user
from taxonomy.actions import act
from taxonomy.codebook import code_node, mark_of
from taxonomy.presets import load, resolve
from taxonomy.queries import board_of, last_event, sha256_of
from tests.factories import make_user
from tests.shared_data import shared

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
AGENTRX = load("agentrx")
NAMES = {category.key: category.name for category in AGENTRX.categories}
ADHERENCE = "instruction_plan_adherence"
FILES = (
    ("agentrx/magentic", "agentrx/ground_truth/magentic_one_ground_truth.json"),
    ("agentrx/tau_retail", "agentrx/ground_truth/tau_ground_truth.json"),
)


@pytest.fixture
def mia():
    return make_user("mia")


@pytest.fixture
def project(db):
    project = create_project(slug="arc", by=system_user(), taxonomy="none", overlap=1)
    for traces, labels in FILES:
        by = {"project": project, "by": system_user()}
        assert not import_traces(paths=[shared(traces)], **by).refused
        report = import_labels(
            paths=[shared(labels)], annotator="agentrx", format="agentrx", reasons_as_codes=True, **by
        )
        assert not report.refused
    return project


def truth() -> dict[str, dict]:
    """The published failures by trajectory and failure id."""
    entries = [entry for _, labels in FILES for entry in json.loads(shared(labels).read_text())]
    return {(str(e["trajectory_id"]), str(f["failure_id"])): f for e in entries for f in e["failures"]}


def category_in(failure: Failure) -> str:
    return resolve(AGENTRX, failure.raw["failure_category"])


def do(project, by, op, **payload):
    taxonomy = project.taxonomy_version.taxonomy
    return act(taxonomy=taxonomy, op=op, payload=payload, reason="as published", base=last_event(taxonomy), by=by)


def promote_all(project, by) -> Counter:
    """Each code into the category its failures have; a code that stands in two is split first."""
    marks = defaultdict(dict)
    for link in FailureCode.objects.select_related("failure"):
        failure = link.failure
        marks[link.code_id][mark_of(failure.annotation_id, failure.key)] = category_in(failure)
    nodes, acts = defaultdict(list), Counter()
    for code, known in sorted(marks.items()):
        keys = sorted(set(known.values()))
        if len(keys) == 1:
            nodes[keys[0]].append(code_node(code))
            continue
        parts = [{"name": f"said of {NAMES[key]}"} for key in keys]
        assign = {mark: keys.index(key) for mark, key in known.items()}
        event = do(project, by, "split", node=code_node(code), parts=parts, assign=assign, rest=0, rule="as published")
        acts["split"] += 1
        for n, key in enumerate(keys, start=1):
            nodes[key].append(f"s{event.number}.{n}")
    for key, chosen in nodes.items():
        if len(chosen) > 1:
            event = do(project, by, "group", nodes=chosen, name=f"group of {NAMES[key]}")
            chosen = [f"g{event.number}"]
            acts["group"] += 1
        do(project, by, "promote", nodes=chosen, name=NAMES[key], key=key)
        acts["promote"] += 1
    return acts


def exported(version: int, path) -> tuple[dict, list]:
    out = StringIO()
    arguments = ["--project", "arc", "--format", "agentrx", "--labels", "annotator:agentrx", "--out", str(path)]
    call_command("export", *arguments, "--taxonomy-version", str(version), "--json", stdout=out)
    said, entries = json.loads(out.getvalue()), json.loads(path.read_text())
    failures = {(str(e["trajectory_id"]), str(f["failure_id"])): f for e in entries for f in e["failures"]}
    return said, failures


def marks_of_everything() -> list:
    fields = ("key", "first_step", "last_step", "participant", "step_reason", "category_reason", "none_fits", "raw")
    return [
        list(Failure.objects.order_by("pk").values_list(*fields)),
        list(FailureCode.objects.order_by("pk").values()),
    ]


def test_from_reasons_to_two_versions_and_back_to_the_published_categories(project, mia, tmp_path):
    assert Failure.objects.count() == 334
    before, published = marks_of_everything(), truth()
    acts = promote_all(project, mia)
    assert acts["promote"] == 9

    v1 = freeze_version(project=project, summary="nine categories", by=mia)
    assert set(v1.categories.values_list("key", flat=True)) == set(NAMES)
    bytes_of_v1 = sha256_of(v1)
    # Two labels came without a reason, and so without a code: somebody has to say.
    waiting = [
        each for each, decision in decisions_for(submitted_failures(project), v1) if isinstance(decision, Unclear)
    ]
    assert len(waiting) == 2
    for each in waiting:
        failure = Failure.objects.get(pk=each.failure)
        chosen = v1.categories.get(key=category_in(failure))
        recode_by_hand(failure=failure, version=v1, category=chosen, reason="as published", by=mia)
    assert Coding.objects.filter(version=v1).count() == 334

    said, failures = exported(1, tmp_path / "v1.json")
    assert (said["records"], said["left_out"]) == (73, [])
    assert {key: each["failure_category"] for key, each in failures.items()} == {
        key: NAMES[resolve(AGENTRX, each["failure_category"])] for key, each in published.items()
    }
    assert {key: each["step_number"] for key, each in failures.items()} == {
        key: each["step_number"] for key, each in published.items()
    }

    adopt_version(project=project, version=v1, by=mia)
    project.refresh_from_db()
    split_adherence(project, mia)
    v2 = freeze_version(project=project, summary="orders of the task and of the plan are two things", by=mia)
    done = recode(project=project, version=v2, by=mia)
    assert (v2.number, done.coded, v2.categories.count()) == (2, 0, 10)
    counts = Counter(Coding.objects.filter(version=v2).values_list("category__key", flat=True))
    old = Counter(Coding.objects.filter(version=v1).values_list("category__key", flat=True))
    assert counts["instruction_adherence"] + counts["plan_adherence"] + done.unclear == old[ADHERENCE] == 203
    assert {key: n for key, n in counts.items() if "adherence" not in key} == {
        key: n for key, n in old.items() if key != ADHERENCE
    }
    assert counts["plan_adherence"] > 0

    said, failures = exported(2, tmp_path / "v2.json")
    # Both halves are spellings of one AgentRx category, so the benchmark's file says the same again.
    assert {key: each["failure_category"] for key, each in failures.items()} == {
        key: NAMES[resolve(AGENTRX, each["failure_category"])] for key, each in published.items() if key in failures
    }
    assert said["records"] + len(said["left_out"]) == 73
    assert marks_of_everything() == before
    assert sha256_of(v1) == bytes_of_v1
    assert exported(1, tmp_path / "again.json")[0]["sha256"] == exported(1, tmp_path / "v1.json")[0]["sha256"]


def split_adherence(project, by) -> None:
    """By a rule on the reasons: what speaks of a plan is plan adherence."""
    taxonomy = project.taxonomy_version.taxonomy
    board = board_of(taxonomy)
    codes = [node.id for node in members_of(board, ADHERENCE)]
    group = board.nodes[codes[0]].parent
    speaks = {node: "plan" in (board.nodes[node].name + board.nodes[node].definition).casefold() for node in codes}
    parts = [{"name": "Instruction Adherence"}, {"name": "Plan Adherence"}]
    do(
        project,
        by,
        "split",
        node=group,
        parts=[{"name": "orders of the task"}, {"name": "orders of a plan"}],
        codes={node: int(of_plan) for node, of_plan in speaks.items()},
        rest=0,
    )
    halves = [board_of(taxonomy).nodes[group].to[n] for n in (0, 1)]
    event = do(
        project,
        by,
        "split",
        node=ADHERENCE,
        parts=parts,
        codes={half: n for n, half in enumerate(halves)},
        rule="reasons that speak of a plan go to plan adherence",
    )
    assert board_of(taxonomy, event.number).nodes[halves[1]].parent == "plan_adherence"
