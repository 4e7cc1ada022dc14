"""The workbench: opening 60, 1,000 and 10,000 steps, the first step in Chromium, and saves by 1, 8 and 20 people.

Works in a database of its own, which it removes, behind two web processes as bin/serve starts them. Prints tables and
writes JSON to the path given. Exit code 1 where an aim is missed; on a busy machine every time is an upper bound.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.chdir(ROOT)
os.environ["DJANGO_SETTINGS_MODULE"] = "bench.site.settings"

from config.embedded import ensure_environment  # noqa: E402

ensure_environment()
HOME = Path(tempfile.mkdtemp(prefix="assay-bench-"))
SERVER = os.environ["DATABASE_URL"]
NAME = f"assay_bench_{os.getpid()}"
ADDRESS, _, OPTIONS = SERVER.partition("?")
os.environ |= {
    "DATABASE_URL": f"{ADDRESS.rsplit('/', 1)[0]}/{NAME}?{OPTIONS}",
    "ASSAY_HASHED_STATIC": "1",
    "STATIC_ROOT": str(HOME / "static"),
}
os.environ.setdefault("CELERY_BROKER_URL", "redis://127.0.0.1:1/0")  # nothing is published here

import django  # noqa: E402
import psycopg  # noqa: E402
from django.core.management import call_command  # noqa: E402

LENGTHS = (60, 1_000, 10_000)
HISTORY = 2_000
COLD = 5  # openings in Chromium; the median counts
AIMS = {
    "open ms": 30, "page kB": 60, "first step s": 0.5, "wire kB": 150, "JavaScript kB": 60, "nodes": 5_000,
    "save median ms": 12, "save p95 ms": 40, "20 people p95 ms": 100, "times the bare view": 2, "history grows by": 1.3,
}  # fmt: skip
AT_LEAST = {"saves/s, 8 clients": 100}


class Database:
    def __enter__(self):
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {NAME}")
        django.setup()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        return self

    def __exit__(self, *_):
        from django.db import connections

        connections.close_all()
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
        shutil.rmtree(HOME, ignore_errors=True)


class Web:
    """gunicorn with the options of bin/serve."""

    def __init__(self):
        from config.serve.supervisor import children

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.command,) = (each.command for each in children(self.port) if each.name == "web")

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-m", *self.command])
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
                connection.request("GET", "/login/")
                connection.getresponse().read()
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the web server does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)


class Person:
    """A log-in over one kept connection, and the item it holds."""

    def __init__(self, web: Web, name: str, item):
        from django.test import Client

        from annotate.actions import add_member, claim
        from people.actions import system_user
        from people.models import User

        self.user, _ = User.objects.get_or_create(username=name)
        add_member(project=item.project, user=self.user, role="annotator", by=system_user())
        claim(item=item, user=self.user)
        client = Client()
        client.force_login(self.user)
        token = "x" * 32
        cookie = f"sessionid={client.cookies['sessionid'].value}; csrftoken={token}"
        self.headers = {"Cookie": cookie, "X-CSRFToken": token, "Content-Type": "application/json"}
        self.session = client.cookies["sessionid"].value
        self.port, self.item, self.revision = web.port, item, 0
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method: str, path: str, body: str | None = None, **headers) -> tuple[float, bytes]:
        """Milliseconds until the answer was read, and the answer."""
        started = time.perf_counter()
        for last in (False, True):
            try:
                self.connection.request(method, path, body, self.headers | headers)
                answer = self.connection.getresponse()
                content = answer.read()
                break
            except OSError:  # the server lets idle connections go
                self.connection.close()
                if last:
                    raise
        assert answer.status == 200, (answer.status, content[:300])
        return (time.perf_counter() - started) * 1e3, content

    def begin(self) -> "Person":
        self.save("mark", {"failure": "m1", "fields": {"first_step": 1, "step_reason": "it guesses"}})
        self.annotation = self.item.annotations.get(user=self.user).pk
        return self

    def save(self, op: str = "change", payload: dict | None = None) -> float:
        payload = payload or {"failures": ["m1"], "fields": {"step_reason": f"it guesses {uuid.uuid4().hex}"}}
        body = {"key": uuid.uuid4().hex, "base": self.revision, "op": op, "payload": payload, "user": self.user.pk}
        passed, content = self.ask("POST", f"/items/{self.item.pk}/operations", json.dumps(body))
        self.revision = json.loads(content)["revision"]
        return passed

    def bare(self) -> float:
        fields = {"step_reason": f"it guesses {uuid.uuid4().hex}"}
        body = json.dumps({"key": uuid.uuid4().hex, "payload": {"failures": ["m1"], "fields": fields}})
        return self.ask("POST", f"/bare/{self.annotation}/m1", body)[0]


def world() -> dict[int, "object"]:
    """One run per length, in a project of its own, that everybody may take."""
    from annotate.actions import create_project, put_items
    from people.actions import system_user
    from traces.actions import store
    from traces.formats.drafts import Block, StepDraft, TrajectoryDraft

    def step(at: int) -> StepDraft:
        agent = ("Orchestrator", "WebSurfer", "Coder", "user")[at % 4]
        return StepDraft(None, None, agent, agent, (Block("text", f"Step {at} says what it does. " * 20, agent, {}),))

    items = {}
    for length in LENGTHS:
        project = create_project(slug=f"steps-{length}", by=system_user(), overlap=50)
        draft = TrajectoryDraft(
            external_id="run", steps=tuple(step(at) for at in range(length)), source="bench", domain="", raw=b"{}",
            task_cluster="run", instruction="Do it.", policy=None, toolset=None, layers={"task": {"instruction": "Do it."}},
            participants=("Orchestrator", "WebSurfer", "Coder", "user"), origin={"format": "bench"},
        )  # fmt: skip
        store(dataset=project.dataset, draft=draft)
        put_items(project)
        items[length] = project.items.get()
    return items


def opening(web: Web, items: dict) -> list[dict]:
    rows = []
    for length, item in items.items():
        person = Person(web, "opener", item)
        path = f"/items/{item.pk}/"
        first, _ = person.ask("GET", path)
        times = [person.ask("GET", path)[0] for _ in range(20)]
        _, packed = person.ask("GET", path, **{"Accept-Encoding": "gzip"})
        rows.append({"steps": length, "first ms": first, "open ms": median(times), "page kB": len(packed) / 1e3})
    return rows


def in_chromium(web: Web, items: dict) -> list[dict]:
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    readers = {length: Person(web, "reader", item) for length, item in items.items()}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        rows = [{"steps": length, **coldly(browser, person, length)} for length, person in readers.items()]
        browser.close()
    return rows


# The first frame after the first step has its place on the screen: by then it was painted. Frames wait for the styles.
FIRST_SEEN = """
function look() {
  const box = document.getElementById("step-0")?.getBoundingClientRect();
  const isThere = box?.height > 0 && box.top < innerHeight;
  requestAnimationFrame(isThere ? () => { window.firstSeen = performance.now() / 1000 } : look);
}
requestAnimationFrame(look);
"""


def coldly(browser, person: Person, steps: int) -> dict:
    rows = [seen(browser, person, steps) for _ in range(COLD)]
    return {name: median(row[name] for row in rows) for name in rows[0]}


def seen(browser, person: Person, steps: int) -> dict:
    """Cold: a new context, nothing cached; from the start of the navigation by the page's own clock."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    url = f"http://127.0.0.1:{person.port}"
    context.add_init_script(FIRST_SEEN)
    context.add_cookies([{"name": "sessionid", "value": person.session, "url": url}])
    page = context.new_page()
    protocol = context.new_cdp_session(page)
    protocol.send("Network.enable")
    kinds, heads, sizes = {}, {}, {}

    def received(event: dict) -> None:
        kinds[event["requestId"]] = event["type"]
        heads[event["requestId"]] = event["response"]["encodedDataLength"]

    protocol.on("Network.responseReceived", received)
    protocol.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    started = time.perf_counter()
    page.goto(f"{url}/items/{person.item.pk}/", wait_until="commit")
    page.wait_for_selector("#step-0[aria-current=step]")
    ready = time.perf_counter() - started
    page.wait_for_load_state("networkidle")
    passed = page.evaluate("window.firstSeen")
    nodes = page.evaluate("document.querySelectorAll('*').length")
    jumped = time.perf_counter()
    page.keyboard.press("Shift+G")
    page.wait_for_selector(f"#step-{steps - 1}[aria-current=step]")
    row = {
        "first step s": passed,
        "keys answer s": ready,
        "jump to the last s": time.perf_counter() - jumped,
        "nodes": nodes,
        "wire kB": sum(sizes.values()) / 1e3,
        # As it is sent, compressed; the headers of each file count in what goes over the wire.
        "JavaScript kB": sum(sizes[each] - heads[each] for each in sizes if kinds.get(each) == "Script") / 1e3,
    }
    context.close()
    return row


def saving(web: Web, item, seconds: float) -> dict:
    alone = Person(web, "alone", item).begin()
    bare = Person(web, "bare", item).begin()
    for person_does in (alone.save, bare.bare):
        for _ in range(20):
            person_does()
    # In turns, so that whatever else the machine does is borne by both.
    pairs = [(alone.save(), bare.bare()) for _ in range(300)]
    saves, bares = zip(*pairs, strict=True)
    crowd = [Person(web, f"person-{n}", item).begin() for n in range(20)]
    bare_crowd = crowd[8:16]
    row = {
        "save median ms": median(saves),
        "save p95 ms": p95(saves),
        "bare median ms": median(bares),
        "bare p95 ms": p95(bares),
        "times the bare view": median(saves) / median(bares),
        "20 people p95 ms": p95(together([person.save for person in crowd], seconds, pause=1.0)),
        "saves/s, 8 clients": len(together([person.save for person in crowd[:8]], seconds)) / seconds,
        "bare/s, 8 clients": len(together([person.bare for person in bare_crowd], seconds)) / seconds,
    }
    return row | growing(alone, crowd[19])


def growing(long: Person, short: Person) -> dict:
    """The same save after HISTORY revisions and after a few, in turns."""
    while long.revision < HISTORY:
        long.save()
    late, early = zip(*[(long.save(), short.save()) for _ in range(150)], strict=True)
    return {"revisions": long.revision, "history grows by": median(late) / median(early)}


def p95(values) -> float:
    return quantiles(values, n=20)[-1]


def together(acts: list, seconds: float, pause: float = 0.0) -> list[float]:
    """Everybody acts, again and again, for so many seconds; the milliseconds of each act."""
    ending = time.monotonic() + seconds
    times: list[float] = []

    def act_on(act, delay: float) -> None:
        time.sleep(delay)
        while time.monotonic() < ending:
            passed = act()
            times.append(passed)
            time.sleep(max(0.0, pause - passed / 1e3))

    delays = [pause * n / len(acts) for n in range(len(acts))]
    threads = [threading.Thread(target=act_on, args=pair) for pair in zip(acts, delays, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def missed(rows: list[dict]) -> list[str]:
    found = []
    for row in rows:
        of = f" ({row['steps']:,} steps)" if "steps" in row else ""
        found += [f"{name}{of}: {row[name]:.3g} > {aim}" for name, aim in AIMS.items() if row.get(name, 0) > aim]
        found += [f"{name}: {row[name]:.3g} < {aim}" for name, aim in AT_LEAST.items() if row.get(name, aim) < aim]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="PATH", help="write the figures there")
    parser.add_argument("--seconds", type=float, default=10, help="of each round with many people")
    parser.add_argument("--no-browser", action="store_true")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with Database(), Web() as web:
        items = world()
        parts = {"opening": opening(web, items)}
        if not options.no_browser:
            parts["Chromium"] = in_chromium(web, items)
        parts["saving"] = [saving(web, items[LENGTHS[0]], options.seconds)]
    rows = [row for part in parts.values() for row in part]
    for name, part in parts.items():
        print(name)
        for row in part:
            print("  " + "  ".join(f"{key} {value:.3g}" for key, value in row.items()))
    found = missed(rows)
    print(
        f"load {load:.1f} when it began; missed: {'; '.join(found)}" if found else f"every aim met, at load {load:.1f}"
    )
    if options.json:
        text = json.dumps(
            {"name": "workbench", "load": load, "aims": AIMS | AT_LEAST, **parts, "missed": found}, indent=1
        )
        Path(options.json).write_text(text + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
