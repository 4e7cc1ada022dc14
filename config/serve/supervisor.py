"""Keeps what it started alive until it is told to end, and then leaves nothing behind."""

import os
import signal
import threading
import time
import urllib.error
import urllib.request

from config.embedded import EmbeddedError, Servers

from .child import Child, say
from .guards import HOST, address
from .preparation import Prepared

GRACE_SECONDS = 10.0
READY_SECONDS = 60.0
TICK_SECONDS = 0.2
WATCH_SECONDS = 1.0


def children(port: int) -> list[Child]:
    web = ["gunicorn", "config.wsgi:application", "--bind", f"{HOST}:{port}", "--worker-class", "gthread"]
    web += [
        "--workers",
        "2",
        "--threads",
        "4",
        "--graceful-timeout",
        "8",
        "--no-control-socket",
        "--log-level",
        "warning",
    ]
    celery = ["celery", "-A", "config.celery", "--quiet"]
    # Where no model is configured, the usual worker takes what waits for one, to say so.
    queue, apart = os.environ.get("ASSAY_QUEUE", "assay"), bool(os.environ.get("ASSAY_MODELS"))
    worker = worker_of(celery, "assay", 4, [queue] if apart else [queue, f"{queue}-llm"])
    beat = [*celery, "beat", "--loglevel", "WARNING", "--pidfile="]
    # Celery warns of root for the sake of pickled tasks, which the settings refuse.
    quiet = {"PYTHONWARNINGS": "ignore::UserWarning:celery.platforms"}
    found = [Child("web", web), Child("worker", worker, quiet), Child("beat", beat, quiet)]
    if apart:
        found.append(Child("models", worker_of(celery, "models", 2, [f"{queue}-llm"]), quiet))
    return found


def worker_of(celery: list[str], name: str, threads: int, queues: list[str]) -> list[str]:
    worker = [*celery, "worker", "--pool", "threads", "--concurrency", str(threads), "--loglevel", "WARNING"]
    return [*worker, "--without-gossip", "--without-mingle", "--hostname", f"{name}@localhost", "-Q", ",".join(queues)]


class Supervisor:
    def __init__(self, prepared: Prepared, port: int):
        self.prepared = prepared
        self.port = port
        self.children = children(port)
        self.ending = threading.Event()

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: self.ending.set())
        watchers = [threading.Thread(target=self.announce, daemon=True)]
        if self.prepared.embedded:
            watchers.append(threading.Thread(target=self.watch, args=(self.prepared.embedded,), daemon=True))
        for watcher in watchers:
            watcher.start()
        try:
            while not self.ending.wait(TICK_SECONDS):
                for child in self.children:
                    child.tend()
        finally:
            self.end()
        for watcher in watchers:
            watcher.join()
        return 0

    def watch(self, servers: Servers) -> None:
        """PostgreSQL and Valkey, in a thread of their own: a recovery may take longer than a child may stay dead."""
        while not self.ending.wait(WATCH_SECONDS):
            try:
                for name in servers.ensure():
                    say("serve", f"{name} had died and was started again")
            except EmbeddedError as error:
                say("serve", str(error))

    def announce(self) -> None:
        until = time.monotonic() + READY_SECONDS
        while not self.ending.wait(0.1):
            if is_ready(self.port):
                say("serve", f"Assay is ready at {address(self.port)}   (Ctrl-C ends it)")
                for line in self.prepared.log_ins.splitlines():
                    say("serve", line)
                return
            if time.monotonic() > until:
                say("serve", f"{address(self.port)} does not answer yet: the lines above say why.")
                until += READY_SECONDS

    def end(self) -> None:
        self.ending.set()
        say("serve", "ending")
        for child in self.children:
            child.ask_to_end()
        until = time.monotonic() + GRACE_SECONDS
        for child in self.children:
            child.end(until)


def is_ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"{address(port)}healthz", timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False
