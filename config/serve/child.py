"""One supervised process: its output prefixed, its death noticed, its next start delayed the more often it dies."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field

from config.embedded import REPOSITORY

LONGEST_DELAY = 15.0
SETTLED_SECONDS = 30.0

# The child dies with its supervisor, however that ends (Linux); set by itself, as preexec_fn is unsafe beside threads.
BOUND_TO_PARENT = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass
class Child:
    name: str
    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    failures: int = 0

    def start(self) -> None:
        """From the main thread only: the bond is to the thread that starts it."""
        bound = [sys.executable, "-I", "-S", "-c", BOUND_TO_PARENT, str(os.getpid()), sys.executable, "-m"]
        self.process = subprocess.Popen(
            [*bound, *self.command],
            cwd=REPOSITORY,
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.started_at = time.monotonic()
        threading.Thread(target=self.copy_output, args=(self.process,), daemon=True).start()

    def copy_output(self, process: subprocess.Popen) -> None:
        for line in process.stdout or ():
            say(self.name, line.rstrip("\n"))

    def tend(self) -> None:
        """Start it when it is due; bury it and set the next date when it has died."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due_at:
                self.start()
            return
        code = self.process.poll()
        if code is None:
            return
        self.signal(signal.SIGKILL)  # what it left of its own children would hold the port
        self.failures = 0 if now - self.started_at > SETTLED_SECONDS else self.failures + 1
        delay = min(LONGEST_DELAY, 0.2 * 2**self.failures)
        say("serve", f"{self.name} ended ({code}); it starts again in {delay:.1f} s")
        self.process, self.due_at = None, now + delay

    def signal(self, number: int) -> None:
        if self.process:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    def ask_to_end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()

    def end(self, until: float) -> None:
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=max(0.0, until - time.monotonic()))
            self.signal(signal.SIGKILL)
            self.process.wait()


def say(name: str, line: str) -> None:
    with contextlib.suppress(OSError, ValueError):
        print(f"{name:<7}| {line}", flush=True)
