"""Starts, recovers and stops the PostgreSQL of one home. The caller holds the start lock."""

import os
import shutil
import signal
import time
from pathlib import Path

import psycopg

from . import processes
from .binaries import Postgres, find_postgres
from .errors import DidNotStart
from .places import Places

DATABASE = "assay"
START_SECONDS = 120
ORPHAN_SECONDS = 10
LOG_BYTES = 10 * 2**20
IN_BACKGROUND = '"$@" </dev/null >>"$0" 2>&1 & echo $!'


def connect(places: Places, database: str = "postgres") -> psycopg.Connection:
    return psycopg.connect(
        host=str(places.sockets), port=5432, user="postgres", dbname=database, connect_timeout=5, autocommit=True
    )


def answers(places: Places) -> bool:
    try:
        connect(places).close()
    except psycopg.Error:
        return False
    return True


def ensure(places: Places, durable: bool = True) -> bool:
    """Make it answer; True if it had to be started."""
    if places.postgres.exists():
        places.account.require_owner(places.postgres)
    if answers(places):
        return False
    postgres = find_postgres(places)
    if not places.postgres.exists():
        initialise(places, postgres, durable)
    if owner_pid := living_postmaster(places):
        wait_until_ready(places, owner_pid)
        return False
    clear_stale_files(places)
    start(places, postgres, durable)
    return True


def initialise(places: Places, postgres: Postgres, durable: bool) -> None:
    """Made beside its place and renamed: an interrupted initdb leaves nothing that looks like a data folder."""
    unfinished = places.base / "postgres.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    places.account.own(unfinished)
    builtin = int(postgres.major) >= 17
    locale = (
        ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"] if builtin else ["--locale=C.UTF-8"]
    )
    done = places.account.run(
        [postgres.bin / "initdb", "-D", unfinished, "-U", "postgres", "--auth=trust", "--encoding=UTF8", *locale]
        + ["--no-instructions", *([] if durable else ["--no-sync"])]
    )
    if done.returncode:
        raise DidNotStart("PostgreSQL", places.logs / "postgres.log", last_line(done.stderr))
    unfinished.rename(places.postgres)


def start(places: Places, postgres: Postgres, durable: bool) -> None:
    """Without pg_ctl, which hands paths to a shell unquoted; a session of its own keeps Ctrl-C away from it."""
    log = places.logs / "postgres.log"
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    options = [part for name, value in settings(places, durable).items() for part in ("-c", f"{name}={value}")]
    command = [postgres.bin / "postgres", "-D", places.postgres, *options]
    started = places.account.run(["/bin/sh", "-c", IN_BACKGROUND, log, *command], start_new_session=True)
    wait_until_ready(places, int(started.stdout))


def settings(places: Places, durable: bool) -> dict[str, str]:
    quoted = str(places.sockets).replace('"', '""')
    chosen = {
        "listen_addresses": "",
        "port": "5432",
        "unix_socket_directories": f'"{quoted}"',
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    if not durable:
        chosen |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    return chosen


def create_database(places: Places) -> None:
    with connect(places) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


def stop(places: Places) -> None:
    """Fast: clients are disconnected, everything committed is on disk."""
    pid = living_postmaster(places)
    if not pid:
        return
    os.kill(pid, signal.SIGINT)
    until = time.monotonic() + START_SECONDS
    while processes.is_alive(pid):
        if time.monotonic() > until:
            os.kill(pid, signal.SIGQUIT)
            until += START_SECONDS
        time.sleep(0.02)


def recorded_pid(path: Path) -> int | None:
    try:
        return int(path.read_text().split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def living_postmaster(places: Places) -> int | None:
    pid = recorded_pid(places.postgres / "postmaster.pid")
    return pid if pid and processes.is_alive(pid) and processes.works_in(pid, places.postgres) else None


def wait_until_ready(places: Places, pid: int) -> None:
    """A postmaster of ours that lives but refuses is starting or recovering."""
    log = places.logs / "postgres.log"
    until = time.monotonic() + START_SECONDS
    while not answers(places):
        if not processes.is_alive(pid):
            raise DidNotStart("PostgreSQL", log, last_line(log.read_text(errors="replace")))
        if time.monotonic() > until:
            raise DidNotStart("PostgreSQL", log, f"process {pid} lives but does not answer")
        time.sleep(0.05)
    create_database(places)


def clear_stale_files(places: Places) -> None:
    """Only after the postmaster is known to be gone, nothing answers, and its last backends have left the data."""
    until = time.monotonic() + ORPHAN_SECONDS
    while orphans := processes.all_in(places.postgres, "postgres"):
        if time.monotonic() > until:
            for pid in orphans:
                os.kill(pid, signal.SIGQUIT)
            until += ORPHAN_SECONDS
        time.sleep(0.05)
    for lock in (places.postgres / "postmaster.pid", places.sockets / f"{places.pg_socket.name}.lock"):
        named = recorded_pid(lock)
        # A pid that is free is left to PostgreSQL, which also looks at the shared memory; it trusts any living one.
        if named is None or pid_is_taken(named):
            lock.unlink(missing_ok=True)


def pid_is_taken(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
