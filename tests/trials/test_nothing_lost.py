"""Workers, web and PostgreSQL are killed in turn while people save: what was acknowledged is there afterwards."""

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest

from tests.trials.serving import PASSWORD, Person, Saver, Serve, words

pytestmark = [pytest.mark.slow, pytest.mark.browser]
NAMES = ("ann", "ben", "cleo", "dora")
WORLD = f"""
from annotate.actions import add_member, claim_next, create_project, put_items
from people.actions import system_user
from people.models import User
from tests.factories import make_trajectory
project = create_project(slug="trial", by=system_user(), overlap=9)
make_trajectory(project, "run", steps=20)
for name in {NAMES + ("eva",)!r}:
    user = User.objects.filter(username=name).first() or User.objects.create_user(name)
    user.set_password({PASSWORD!r})
    user.save()
    add_member(project=project, user=user, role="annotator", by=system_user())
    claim_next(project=project, user=user)
print("item", project.items.get().pk)
"""
KEYS = """
from annotate.models import Revision
print("\\n".join("key " + key for key in Revision.objects.filter(op="conclude").values_list("key", flat=True)))
"""


@pytest.fixture
def serve():
    with tempfile.TemporaryDirectory(prefix="assay-trial-") as folder:
        Path(folder).chmod(0o711)
        home = Path(folder) / "home"
        home.mkdir(mode=0o711)
        with Serve(home) as running:
            yield running


def kill_each_in_turn(serve: Serve, savers: list[Saver]) -> None:
    victims = {
        "worker": lambda: serve.children("celery")[0],
        "one web process": lambda: serve.children("gunicorn")[-1],
        "web": lambda: serve.children("gunicorn")[0],
        "PostgreSQL": serve.postmaster,
    }
    for name, victim in victims.items():
        before = [len(saver.acknowledged) for saver in savers]
        os.kill(victim(), signal.SIGKILL)
        wait_until_everybody_saves(savers, before, f"{name} was killed:\n{serve.said()}")


def wait_until_everybody_saves(savers: list[Saver], before: list[int], what: str, seconds: float = 90) -> None:
    until = time.monotonic() + seconds
    while any(len(saver.acknowledged) < count + 5 for saver, count in zip(savers, before, strict=True)):
        assert all(saver.is_alive() for saver in savers), f"{what} {[saver.refused for saver in savers]}"
        assert time.monotonic() < until, f"nobody could save again after {what}"
        time.sleep(0.1)


def test_every_acknowledged_key_is_a_revision_and_the_page_recovers(serve, browser):
    (item,) = words(serve.manage("shell", "-v", "0", given=WORLD), "item")
    page = browser.new_context().new_page()
    open_workbench(page, serve.base, item)
    savers = [Saver(Person(serve.base, name), int(item)) for name in NAMES]
    for saver in savers:
        saver.start()

    kill_each_in_turn(serve, savers)
    page.keyboard.press("m")
    for away, victim in (("the web", lambda: serve.children("gunicorn")[0]), ("the database", serve.postmaster)):
        os.kill(victim(), signal.SIGKILL)
        typed = f"typed while {away} was away"
        page.locator("[data-field=step_reason]").fill(typed)
        page.wait_for_timeout(1000)  # past the pause after which text is sent
        page.locator("[data-saved]", has_text="✓ saved · revision").wait_for(timeout=60_000)
        page.reload()
        page.get_by_text(typed).first.wait_for(timeout=30_000)
        page.keyboard.press("o")

    for saver in savers:
        saver.ending.set()
    for saver in savers:
        saver.join(60)
    kept = set(words(serve.manage("shell", "-v", "0", given=KEYS), "key"))
    acknowledged = {key for saver in savers for key in saver.acknowledged}
    assert [saver.refused for saver in savers] == [[]] * len(savers)
    assert acknowledged - kept == set()
    assert sum(saver.retries for saver in savers) > 0  # else nothing was away while they saved


def open_workbench(page, base: str, item: str) -> None:
    page.goto(f"{base}/login/")
    page.fill("[name=username]", "eva")
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"{base}/")
    page.goto(f"{base}/items/{item}/")
    page.locator("[data-saved]", has_text="saved").wait_for()


def test_ending_leaves_nothing_behind(serve):
    mine = [*serve.children(""), serve.postmaster()]
    assert len(mine) > 5
    serve.process.terminate()
    serve.process.wait(60)
    time.sleep(1)

    assert [
        pid for pid in mine if Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes()
    ] == []
