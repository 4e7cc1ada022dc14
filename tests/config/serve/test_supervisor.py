import os
import signal
import subprocess
import sys

import psycopg
import pytest

from config.embedded import REPOSITORY, account, places, postgres, use
from config.serve.child import LONGEST_DELAY, Child

from .conftest import OURS, eventually

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]


def ready(served) -> None:
    assert served.says("Assay is ready at", seconds=120), served.lines


def test_an_empty_home_becomes_a_served_page_and_sigterm_leaves_nothing_behind(served):
    ready(served)
    assert served.status() == 200
    with psycopg.connect(host=str(served.home / "run"), user="postgres", dbname="assay") as connection:
        assert connection.execute("SELECT count(*) > 0 FROM django_migrations").fetchone() == (True,)
    assert served.stop() == 0
    assert eventually(lambda: served.left_over() == [], 5), served.left_over()


def test_whatever_is_killed_starts_again(served):
    ready(served)
    for word in ("gunicorn", "worker", "beat"):
        [before] = served.children(word)
        os.kill(before, signal.SIGKILL)
        assert eventually(lambda w=word, b=before: served.children(w) not in ([], [b]), 20), word
    assert eventually(lambda: served.status() == 200, 30)
    used = places.prepare(served.home, account.current())
    os.kill(postgres.living_postmaster(used), signal.SIGKILL)
    assert served.says("postgres had died and was started again", 30)
    assert eventually(lambda: served.status() == 200, 30)
    assert served.stop(signal.SIGINT) == 0
    assert eventually(lambda: served.left_over() == [], 5), served.left_over()


def test_children_of_a_killed_supervisor_end_and_the_servers_are_there_to_adopt(served):
    ready(served)
    served.process.kill()
    served.process.wait()

    def orphans() -> list[str]:
        return [command for command in served.left_over() if "gunicorn" in command or "celery" in command]

    assert eventually(lambda: orphans() == [], 30), orphans()
    assert postgres.answers(places.prepare(served.home, account.current()))
    with use(served.home, durable=False):
        pass
    assert served.left_over() == []


def test_a_second_serve_of_the_home_is_told_where_the_first_is(served):
    lock = served.home / "serve.lock"
    assert eventually(lambda: lock.exists() and lock.read_text(), 20)
    outside = {name: value for name, value in os.environ.items() if name not in OURS}
    second = subprocess.run(
        [sys.executable, "-m", "config.serve", "--port", "1"],
        cwd=REPOSITORY,
        env=outside | {"ASSAY_HOME": str(served.home)},
        capture_output=True,
        text=True,
        check=False,
    )
    where = f"http://127.0.0.1:{served.port}/"
    assert (second.returncode, second.stderr) == (
        2,
        f"Assay already runs on {served.home}, at {where}: open that, or set ASSAY_HOME.\n",
    )


def test_a_child_that_keeps_dying_is_started_ever_more_rarely(capfd):
    child = Child("broken", ["no_such_module"])
    delays = []
    for _ in range(8):
        child.due_at = 0.0
        child.tend()
        child.process.wait()
        child.tend()
        delays.append(min(LONGEST_DELAY, 0.2 * 2**child.failures))
    assert delays == [0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 15.0, 15.0]
