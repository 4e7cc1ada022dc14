"""Starts and stops the Valkey of one home, on a socket only. The caller holds the start lock."""

import contextlib
import os
import signal
import socket
import time

from . import processes
from .binaries import find_valkey
from .errors import DidNotStart
from .places import Places

START_SECONDS = 30
PROGRAMS = ("valkey-server", "redis-server")


def ask(places: Places, command: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(5)
        connection.connect(os.fsencode(places.valkey_socket))
        connection.sendall(command + b"\r\n")
        return connection.recv(256)


def answers(places: Places) -> bool:
    try:
        return ask(places, b"PING").startswith(b"+PONG")
    except OSError:
        return False


def ensure(places: Places) -> bool:
    """Make it answer; True if it had to be started."""
    if answers(places):
        return False
    if not processes.all_in(places.valkey, *PROGRAMS):
        start(places)
    wait_until_ready(places)
    return True


def start(places: Places) -> None:
    log = places.logs / "valkey.log"
    options = {
        "port": 0,
        "unixsocket": places.valkey_socket,
        "unixsocketperm": 700,
        "dir": places.valkey,
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "yes",
        "pidfile": places.sockets / "valkey.pid",
        "logfile": log,
    }
    flags = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    done = places.account.run([find_valkey(places), *flags])
    if done.returncode:
        raise DidNotStart("Valkey", log, done.stdout[-200:] + done.stderr[-200:])


def wait_until_ready(places: Places) -> None:
    until = time.monotonic() + START_SECONDS
    while not answers(places):
        if time.monotonic() > until:
            raise DidNotStart("Valkey", places.logs / "valkey.log", "it does not answer")
        time.sleep(0.02)


def stop(places: Places) -> None:
    with contextlib.suppress(OSError):
        ask(places, b"SHUTDOWN")
    until = time.monotonic() + START_SECONDS
    while left := processes.all_in(places.valkey, *PROGRAMS):
        if time.monotonic() > until:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
