"""A site with something on every page: the demo project lived in by its cast, and a project that nobody has begun."""

import json
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from adjudication.actions import open_feedback, recompute, route
from adjudication.actions.scoring import declare_contrast
from adjudication.demo.loading import load
from adjudication.models import Case
from adjudication.pseudonyms import key_of
from annotate.actions import claim, freeze_version, import_labels, show_suggestions, write_memo
from annotate.models import Item, ItemMemo, Project
from exports.actions import create_release
from jobs.models import Job
from people.actions import system_user
from people.models import User
from suggestions.models import Constraint, Judgement, Violation
from taxonomy.actions import act, note, propose
from taxonomy.codebook import code_node
from taxonomy.models import Code, Proposal
from taxonomy.queries import last_event
from tests.factories import annotate_and_submit, join, make_project, make_step, make_trajectory, make_user

LONG = "Retail support in the second quarter, read by everybody who was there · 👩🏽‍🚒 · فشل الوكيل"
UNBROKEN = "run_" + "0123456789abcdef" * 8
MODELS = ("model-with-a-rather-long-name-2026-11-30", "m-2")
QUERIES = {"agreement_items": "?measure=critical_step", "agreement": "?domain=support", "scoreboard": "?labels=gold"}
LABEL = {
    "trajectory_id": "inc-4630",
    "failures": [
        {
            "failure_id": 1,
            "step_number": 3,
            "step_reason": "Asks the wrong node.",
            "failure_category": "Invalid Invocation",
            "category_reason": "The call names no volume.",
            "failed_agent": "Assistant",
        }
    ],
    "root_cause": {"failure_id": 1, "reason_for_root_cause": "Nothing after it could find the volume."},
    "failure_summary": "The volume is never found.",
}


def build(folder: Path) -> Project:
    """Everything that the pages can show, at once. `folder` takes the files to import."""
    project = load().project
    Project.objects.update(name=LONG, reveal="after_phase_1")
    project.refresh_from_db()
    join(project, make_user("vic"), "viewer")
    make_user("eve")
    add_awkward_runs(project)
    import_a_label(project, folder)
    suggest(project)
    use_the_codebook(project)
    talk(project)
    queue_jobs()
    route(project)
    recompute(project)
    create_release(project=project, name="a-release-with-a-long-name-" + "x" * 30, by=user("mia"))
    members = {"mia": "lead", "ann": "annotator", "ada": "adjudicator", "vic": "viewer"}
    make_project("empty", runs=0, name="A project that nobody has begun", members=members)
    return project


def user(name: str) -> User:
    return User.objects.get(username=name)


def add_awkward_runs(project: Project) -> None:
    """One with unbroken, bidirectional and pictorial words that two annotated; one that Ann holds, of many steps."""
    words = ["👨‍👩‍👧 " * 30, "x" * 400, "قال العميل إن الطلب لم يصل " * 10, "# A title\n\n| a | b |\n|---|---|\n" * 5]
    steps = [make_step(n, f"Agent-{n}-{UNBROKEN[:40]}" if n % 2 else "وكيل", text) for n, text in enumerate(words * 3)]
    make_trajectory(project, UNBROKEN, steps=steps)
    awkward = project.items.get(trajectory__external_id=UNBROKEN)
    for name, step in (("ann", 1), ("ben", 6)):
        claim(item=awkward, user=user(name))
        annotate_and_submit(awkward, user(name), step, codes=[UNBROKEN[:80]], step_reason="قال العميل " * 20)
    make_trajectory(project, "long", steps=300)
    claim(item=project.items.get(trajectory__external_id="long"), user=user("ann"))


def import_a_label(project: Project, folder: Path) -> None:
    path = folder / "labels.json"
    path.write_text(json.dumps([LABEL]))
    name = "an-annotator-imported-under-a-long-name"
    report = import_labels(project=project, paths=[path], annotator=name, format="agentrx", by=system_user())
    assert report.stored == 1, report.refused


def suggest(project: Project) -> None:
    constraint = Constraint.objects.create(
        name="repeated_action", kind="TEMPORAL", check_type="log", taxonomy_targets=["Invalid Invocation"], digest="d"
    )
    for item in Item.objects.of(project).select_related("trajectory"):
        about = {"trajectory": item.trajectory}
        Violation.objects.create(constraint=constraint, step=1, evidence={"text": "x" * 200}, source="log", **about)
        for model in MODELS:
            Judgement.objects.create(
                source="made",
                model=model,
                protocol="all_at_once",
                critical_step=1,
                category="invalid_invocation",
                reason="It calls the wrong tool.",
                **about,
            )
    shown = project.items.get(trajectory__external_id="long")
    show_suggestions(item=shown, user=user("ann"))
    names = [f"made/{model}/all_at_once" for model in MODELS]
    declare_contrast(project=project, a=names[0], b=names[1], by=user("mia"))


def use_the_codebook(project: Project) -> None:
    """A group, a category out of it, words, memos, an open proposal, and two frozen versions."""
    mia, ann, taxonomy = user("mia"), user("ann"), project.taxonomy_version.taxonomy
    first, second, third, *_ = [code_node(pk) for pk in Code.objects.order_by("pk").values_list("pk", flat=True)]
    for op, payload in (
        ("group", {"nodes": [first, second], "name": "slips of the first look " * 3}),
        ("promote", {"nodes": [third], "name": "Its own category", "key": "its_own"}),
        ("describe", {"node": "its_own", "fields": {"definition": "What nothing else is. " * 10}}),
    ):
        act(taxonomy=taxonomy, op=op, payload=payload, reason="so it reads", base=last_event(taxonomy), by=mia)
    freeze_version(project=project, summary="The first that is ours.", by=mia)
    note(taxonomy=taxonomy, subject=first, text="Is it not the same? 🤔 " * 10, by=ann)
    payload = {"nodes": [second], "into": "system_failure"}
    propose(taxonomy=taxonomy, op="promote", payload=payload, reason="It breaks the tools.", by=ann)


def talk(project: Project) -> None:
    long = project.items.get(trajectory__external_id="long")
    text = "The guideline does not say what to do where two agents wait for each other. " * 4
    write_memo(item=long, by=user("ann"), key="memo", kind=ItemMemo.Kind.COMMENT, text=text, step=2)
    ruled = Case.objects.filter(ruling__isnull=False).earliest("pk")
    open_feedback(case=ruled, by=user("ann"))


def queue_jobs() -> None:
    now = timezone.now()
    Job.objects.create(kind="release", state="failed", project="demo", errors=[{"error": "ValueError: line 3"}])
    lease = {"lease_until": now + timedelta(hours=1)}
    Job.objects.create(kind="item_changed", state="running", project="demo", progress=2, total=9, **lease)
    Job.objects.create(kind="import_traces", project="demo", due_at=now - timedelta(minutes=2))


def arguments(project: Project, name: str) -> dict:
    """What to ask for where a URL takes more than a project."""
    ruled, still_open = Case.objects.filter(ruling__isnull=False).earliest("pk"), Case.objects.open().earliest("pk")
    return {
        "slug": project.slug,
        "item_id": Item.objects.of(project).get(trajectory__external_id="long" if name == "workbench" else UNBROKEN).pk,
        "pk": ruled.pk if "feedback" in name else still_open.pk,
        "job_id": Job.objects.earliest("pk").pk,
        "key": key_of(project, "ann"),
        "memo_id": ItemMemo.objects.get().pk,
        "membership_id": project.memberships.get(user__username="vic").pk,
        "proposal_id": Proposal.objects.get().pk,
        "node": "its_own",
        "number": 1,
        "step": 1,
        "block": 0,
        "format": "json",
        "name": "none",
    }
