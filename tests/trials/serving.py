"""A `bin/serve` of its own for trials that kill its parts, and people who save in it over HTTP."""

import http.cookiejar
import json
import os
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PASSWORD = "correct horse battery"
START_SECONDS = 240
GIVEN_UP = -1


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Serve:
    """bin/serve with an empty home, from its start to its clean end."""

    def __init__(self, home: Path):
        self.home, self.port = home, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        kept = ("PATH", "HOME", "LANG", "CHROMIUM")
        self.environment = {name: os.environ[name] for name in kept if name in os.environ} | {"ASSAY_HOME": str(home)}

    def __enter__(self):
        self.log = (self.home.parent / "serve.log").open("wb")
        command = [str(REPOSITORY / "bin/serve"), "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log)
        self.wait_until_it_answers()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(60)
        finally:
            self.log.close()

    def wait_until_it_answers(self, path: str = "/login/", seconds: float = START_SECONDS) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert self.process.poll() is None, self.said()
            try:
                with urllib.request.urlopen(self.base + path, timeout=5):
                    return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"{path} did not answer within {seconds} s:\n{self.said()}")

    def said(self) -> str:
        return (self.home.parent / "serve.log").read_text(errors="replace")[-4000:]

    def manage(self, *arguments: str, given: str | None = None) -> str:
        command = [str(REPOSITORY / ".venv/bin/python"), "manage.py", *arguments]
        done = subprocess.run(
            command, env=self.environment, cwd=REPOSITORY, input=given, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def postmaster(self) -> int:
        return int((self.home / "postgres/postmaster.pid").read_text().split()[0])

    def children(self, word: str) -> list[int]:
        """Processes of this server whose command line holds the word, parents first."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and word in command_line(entry) and self.is_ours(int(entry.name)):
                found.append(int(entry.name))
        return sorted(found)

    def is_ours(self, pid: int) -> bool:
        while pid > 1:
            if pid == self.process.pid:
                return True
            pid = parent_of(pid)
        return False


def command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return 0


def words(text: str, first: str) -> list[str]:
    """What stands behind `first` on the lines of a command's output that begin with it."""
    return [line.split()[1] for line in text.splitlines() if line.startswith(f"{first} ")]


class Person:
    """A log-in that posts JSON as the browser's queue does."""

    def __init__(self, base: str, name: str, password: str = PASSWORD):
        self.base, self.name = base, name
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.opener.open(f"{base}/login/", timeout=20).read()
        form = {"username": name, "password": password, "csrfmiddlewaretoken": self.csrf()}
        self.opener.open(f"{base}/login/", urllib.parse.urlencode(form).encode(), timeout=20).read()

    def csrf(self) -> str:
        return next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")

    def post(self, path: str, body: dict) -> tuple[int, dict]:
        """Status and answer; status 0 where nobody answered."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self.csrf()}
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), headers)
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, {}
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}


class Saver(threading.Thread):
    """Saves one summary after the other, each under one key until the server says yes, and notes the keys it said yes to."""

    def __init__(self, person: Person, item: int):
        super().__init__(daemon=True)
        self.person, self.path = person, f"/items/{item}/operations"
        self.acknowledged: list[str] = []
        self.refused: list[tuple[int, dict]] = []
        self.retries = 0
        self.ending = threading.Event()

    def run(self):
        revision = 0
        while not self.ending.is_set():
            key = uuid.uuid4().hex
            payload = {"fields": {"failure_summary": key}}
            status, answer = self.save(key, revision, payload)
            if status != 200:
                self.refused += [(status, answer)] if status != GIVEN_UP else []
                return
            self.acknowledged.append(key)
            revision = answer["revision"]

    def save(self, key: str, base: int, payload: dict) -> tuple[int, dict]:
        while True:
            status, answer = self.person.post(
                self.path, {"key": key, "base": base, "op": "conclude", "payload": payload}
            )
            if status not in {0, 500, 502, 503, 504}:
                return status, answer
            if self.ending.is_set():
                return GIVEN_UP, {}
            self.retries += 1
            time.sleep(0.2)
