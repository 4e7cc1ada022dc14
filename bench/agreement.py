"""Agreement of large projects: values, intervals, and one more submission, on 10,000 items × 3 annotators × 30 steps.

Works in a database of its own, which it removes. Prints a table and writes JSON to the path given.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["ASSAY_TEST_DATABASE_NAME"] = f"assay_bench_{os.getpid()}"

from config.embedded import ensure_environment  # noqa: E402

ensure_environment()

import django  # noqa: E402

django.setup()

import numpy as np  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from adjudication.actions import recompute, recompute_values, route  # noqa: E402
from annotate.actions import create_project  # noqa: E402
from annotate.actions.recording import hand_in  # noqa: E402
from annotate.fold import empty_state, new_failure  # noqa: E402
from annotate.models import Annotation, Item, Project, Submission  # noqa: E402
from people.actions import system_user  # noqa: E402
from people.models import User  # noqa: E402
from traces.models import Trajectory  # noqa: E402

SIZES, PEOPLE, STEPS = (2_500, 5_000, 10_000), 3, 30
CATEGORIES = ("instruction_plan_adherence", "invalid_invocation", "system_failure", "guardrails_triggered")
LIMITS = {"values": 2.0, "intervals": 10.0, "one_submission": 2.0}


def seeded(size: int, random: np.random.Generator) -> Project:
    """A project whose every item but the last has all its annotations; that one lacks the third."""
    project = create_project(slug=f"bench-{size}", by=system_user(), overlap=PEOPLE)
    people = [User.objects.get_or_create(username=f"annotator-{n}")[0] for n in range(PEOPLE)]
    runs = [
        Trajectory(
            dataset=project.dataset, source="bench", external_id=f"run-{n}", domain=f"domain {n % 4}",
            task_cluster=f"task {n // 2}", format="bench", n_steps=STEPS, digest=str(n),
        )
        for n in range(size)
    ]  # fmt: skip
    runs = Trajectory.objects.bulk_create(runs, batch_size=1000)
    items = [Item(project=project, trajectory=run, wanted=PEOPLE, order=n) for n, run in enumerate(runs)]
    items = Item.objects.bulk_create(items, batch_size=1000)
    pairs = [(item, user) for item in items for user in people][:-1]
    now = timezone.now()
    annotations = [
        Annotation(item=item, user=user, state="submitted", outcome="critical", submitted_at=now)
        for item, user in pairs
    ]
    annotations = Annotation.objects.bulk_create(annotations, batch_size=1000)
    truth = random.integers(0, STEPS, size)
    submissions = [
        submission(annotation, project.taxonomy_version, int(truth[n // PEOPLE]), random)
        for n, annotation in enumerate(annotations)
    ]
    Submission.objects.bulk_create(submissions, batch_size=1000)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return project


def submission(annotation: Annotation, version, truth: int, random: np.random.Generator) -> Submission:
    state = judged(truth if random.random() < 0.6 else int(random.integers(STEPS)), random)
    critical = state["failures"]["m0"]
    return Submission(
        annotation=annotation, number=1, revision=5, version=version, state=state, sha256="0" * 64, outcome="critical",
        critical_step=critical["first_step"], participant=critical["participant"], category=critical["category"],
        failure_steps=sorted({each["first_step"] for each in state["failures"].values()}),
    )  # fmt: skip


def judged(step: int, random: np.random.Generator) -> dict:
    state = empty_state()
    for number, at in enumerate([step, *map(int, random.integers(0, STEPS, 3))]):
        state["failures"][f"m{number}"] = new_failure(
            number=number + 1, anchor="step", first_step=at, last_step=at, participant=f"agent {at % 3}",
            category=CATEGORIES[int(random.integers(len(CATEGORIES)))], step_reason="It took the wrong turn here.",
        )  # fmt: skip
    state["answers"] |= {"outcome": "critical", "critical": "m0"}
    return state


def one_more(project: Project, random: np.random.Generator):
    """What is missing is handed in, as the last operation of an annotator would; then the fresh values."""
    item = Item.objects.of(project).latest("pk")
    user = User.objects.get(username=f"annotator-{PEOPLE - 1}")
    annotation = Annotation.objects.create(item=item, user=user, outcome="critical")
    hand_in(annotation, judged(3, random), planned=True)
    return recompute_values(project)


def measured(size: int) -> dict:
    """Seconds by the clock, and of this process alone: on a busy machine only the second can be compared."""
    random = np.random.default_rng(size)
    project = seeded(size, random)
    row = {"items": size, "submissions": size * PEOPLE - 1}
    timed(row, "values", recompute_values, project)
    full = timed(row, "intervals", recompute, project)
    fresh = timed(row, "one_submission", one_more, project, random)
    assert fresh.figures["pairs"] != full.figures["pairs"], "the new submission counts"
    again = recompute(project)
    assert values_of(again.figures) == values_of(fresh.figures), "the same as computed anew"
    timed(row, "route_first", route, project)
    timed(row, "route_again", route, project)
    return row


def timed(row: dict, name: str, act, *arguments):
    started, own = time.perf_counter(), time.process_time()
    done = act(*arguments)
    row[name] = round(time.perf_counter() - started, 2)
    row[f"{name}_cpu"] = round(time.process_time() - own, 2)
    return done


def values_of(node):
    if isinstance(node, dict):
        kept = {
            name: values_of(each) for name, each in node.items() if not (name.startswith("ci") or name[-3:] == "_ci")
        }
        return kept
    return [values_of(each) for each in node] if isinstance(node, list) else node


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="PATH", help="write the figures there")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        rows = []
        for size in options.sizes:
            rows.append(measured(size))
            print("  ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
    finally:
        connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)
    return told(rows, options.json)


def told(rows: list[dict], path: str | None) -> int:
    first, last = rows[0], rows[-1]
    times = last["items"] / first["items"]
    growth = {name: round(last[name] / first[name] / times, 2) for name in LIMITS}
    over = {name: last[name] for name, limit in LIMITS.items() if last[name] > limit}
    print(f"seconds; {times:g} times the items take this many times {times:g} times the seconds: {growth}")
    print(f"over the limit: {over}" if over else f"within the limits {LIMITS}")
    if path:
        text = json.dumps({"name": "agreement", "rows": rows, "growth": growth, "limits": LIMITS}, indent=1)
        Path(path).write_text(text + "\n")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
