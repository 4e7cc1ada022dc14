"""The cast and the smallest worlds tests need: Ann and Ben annotate, Ada adjudicates, Mia leads, Eve is a stranger."""

from annotate.actions import add_member, claim, create_project, put_items, record
from annotate.models import Assignment, Item, Membership, Project
from people.actions import system_user
from people.models import User
from traces.actions import store
from traces.formats.drafts import Block, StepDraft, TrajectoryDraft
from traces.models import Trajectory

ROLES = {"ann": "annotator", "ben": "annotator", "ada": "adjudicator", "mia": "lead", "vic": "viewer"}
PASSWORD = "correct horse battery"


def make_user(name: str, **fields) -> User:
    user = User.objects.filter(username=name).first()
    return user or User.objects.create_user(name, password=PASSWORD, **fields)


def make_project(
    slug: str = "shop", *, runs: int = 1, steps: int = 4, members: dict | None = None, **fields
) -> Project:
    """A project with members by name and role, and `runs` trajectories of `steps` steps."""
    project = create_project(slug=slug, by=system_user(), **fields)
    for name, role in (ROLES if members is None else members).items():
        join(project, make_user(name), role)
    for number in range(runs):
        make_trajectory(project, f"{slug}-{number}", steps=steps)
    return project


def join(project: Project, user: User, role: str = "annotator") -> Membership:
    return add_member(project=project, user=user, role=role, by=system_user())


def make_step(
    position: int, agent: str = "Assistant", text: str | None = None, native_index: int | None = None
) -> StepDraft:
    text = f"step {position} says something" if text is None else text
    block = Block("text", text, agent, {"index": position})
    return StepDraft(native_index, None, agent, agent, (block,))


def make_draft(external_id: str | int, *, steps: int | list[StepDraft] = 4, **fields) -> TrajectoryDraft:
    if isinstance(steps, int):
        steps = [make_step(n, "User" if n == 0 else "Assistant") for n in range(steps)]
    values = {
        "source": "made",
        "domain": "shop",
        "task_cluster": str(external_id),
        "instruction": "Exchange the lamp.",
        "policy": None,
        "toolset": None,
        "layers": {"task": {"instruction": "Exchange the lamp."}},
        "participants": tuple(dict.fromkeys(["User", *(step.agent for step in steps)])),
        "origin": {"format": "magentic", "file": f"{external_id}.json", "where": "", "number": 1},
        "raw": b"{}",
    }
    return TrajectoryDraft(external_id=external_id, steps=tuple(steps), **{**values, **fields})


def make_trajectory(project: Project, external_id: str | int = "run-1", **fields) -> Trajectory:
    stored = store(dataset=project.dataset, draft=make_draft(external_id, **fields))
    put_items(project)
    return stored.trajectory


def only_item(project: Project) -> Item:
    return project.items.order_by("trajectory__external_id")[0]


def hold(item: Item, user: User) -> Assignment:
    return claim(item=item, user=user)


_keys = iter(range(10**9))


def do(item: Item, user: User, op: str, payload: dict | None = None, **options):
    """One operation at the current revision, holding the item first."""
    if not item.annotations.filter(user=user, is_current=True).exists():
        hold(item, user)
    annotation = item.annotations.get(user=user, is_current=True)
    options = {"key": f"key-{next(_keys)}", "base": annotation.revision, **options}
    return record(item=item, user=user, op=op, payload={} if payload is None else payload, **options)


def annotate_and_submit(
    item: Item, user: User, step: int | None = 1, category: str | None = "invalid_invocation", **fields
):
    """A whole annotation: one mark at the step, critical; without a step, no failure found."""
    if step is None:
        do(item, user, "conclude", {"fields": {"outcome": "no_failure"}})
    else:
        mark = {"first_step": step, "participant": "Assistant", "step_reason": "wrong call", "effect": "persists"}
        mark |= {"category": category, "codes": ["wrong call"]} | fields
        do(item, user, "mark", {"failure": "m1", "fields": mark})
        do(item, user, "conclude", {"fields": {"critical": "m1", "reason_for_root_cause": "never undone"}})
    do(item, user, "submit")
    return item.annotations.get(user=user, is_current=True)
