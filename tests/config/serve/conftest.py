import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from config.embedded import REPOSITORY, account, places, postgres, processes, valkey


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


class Served:
    """A bin/serve of its own home and port, as a person starts it."""

    def __init__(self, home: Path):
        self.home = home
        self.port = free_port()
        self.lines: list[str] = []
        outside = {name: value for name, value in os.environ.items() if name not in OURS}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.serve", "--port", str(self.port)],
            cwd=REPOSITORY,
            env=outside | {"ASSAY_HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def says(self, text: str, seconds: float = 60) -> bool:
        return eventually(lambda: any(text in line for line in self.lines), seconds)

    def status(self, path: str = "healthz") -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def children(self, word: str) -> list[int]:
        """Living direct children of the supervisor whose command line has `word`."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and parent_of(entry) == self.process.pid:
                command = (entry / "cmdline").read_bytes().split(b"\0")
                if word.encode() in command and processes.is_alive(int(entry.name)):
                    found.append(int(entry.name))
        return found

    def left_over(self) -> list[str]:
        """Every living process that still names this home or port."""
        marks = (str(self.home).encode(), f"127.0.0.1:{self.port}".encode())
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                command, environment = read_quietly(entry / "cmdline"), read_quietly(entry / "environ")
                if any(mark in command + environment for mark in marks) and processes.is_alive(int(entry.name)):
                    found.append(command.replace(b"\0", b" ").decode())
        return found

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(timeout=40)


OURS = {"DATABASE_URL", "CELERY_BROKER_URL", "ASSAY_EMBEDDED", "ASSAY_QUEUE", "ASSAY_PASSWORD_HASHER", "ASSAY_ENV"}


def read_quietly(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def parent_of(entry: Path) -> int:
    fields = read_quietly(entry / "stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def eventually(claim, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture
def served():
    """One running bin/serve; whatever the test leaves of it is removed."""
    home = Path(tempfile.mkdtemp(prefix="assay-serve-"))
    home.chmod(0o711)
    running = Served(home)
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.wait()
    used = places.prepare(home, account.current())
    valkey.stop(used)
    postgres.stop(used)
    shutil.rmtree(home, ignore_errors=True)
