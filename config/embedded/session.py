"""Who still uses the embedded servers of a home: every user holds a shared lock, and the last one stops them.

A lock dies with its holder, so a holder killed by -9 is forgotten at once and the next user adopts the servers.
"""

import atexit
import contextlib
import fcntl
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from . import account, places, postgres, valkey
from .errors import FolderUnusable


class Servers:
    """Running servers of one home, held by this process until every `use` of them is closed."""

    def __init__(self, home: Path, durable: bool):
        self.places = places.prepare(home, account.current())
        self.durable = durable
        self.pid = os.getpid()
        self.uses = 0
        self.needs_broker = False
        self._users = -1

    @property
    def database_url(self) -> str:
        return f"postgresql://postgres@/{postgres.DATABASE}?host={self.places.sockets}"

    @property
    def broker_url(self) -> str:
        return f"redis+socket://{self.places.valkey_socket}"

    def join(self, broker: bool) -> None:
        with self.starting():
            if self._users < 0:
                self._users = open_lock(self.places.base / "users.lock")
                fcntl.flock(self._users, fcntl.LOCK_SH)
            self.uses += 1
            self.needs_broker = self.needs_broker or broker
            self._start()

    def ensure(self) -> list[str]:
        """Start again what has died; the names of what was started."""
        with self.starting():
            return self._start()

    def _start(self) -> list[str]:
        started = ["postgres"] if postgres.ensure(self.places, self.durable) else []
        if self.needs_broker and valkey.ensure(self.places):
            started.append("valkey")
        return started

    def close(self) -> None:
        """Give up one use; with the last one in the last process the servers stop."""
        if self.pid != os.getpid() or self._users < 0:
            return
        self.uses -= 1
        if self.uses > 0 or not self.places.base.exists():
            return
        with self.starting():
            if is_last(self._users):
                valkey.stop(self.places)
                postgres.stop(self.places)
            os.close(self._users)
            self._users = -1

    @contextlib.contextmanager
    def starting(self) -> Iterator[None]:
        """One process at a time starts or stops."""
        lock = open_lock(self.places.base / "start.lock")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


_held: dict[tuple[int, Path], Servers] = {}
_mutex = threading.Lock()


def use(home: Path, broker: bool = True, durable: bool = True) -> Servers:
    """Start or join the servers of `home`; leave them by `close`, by `with`, or at the end of the process."""
    key = (os.getpid(), Path(home).expanduser().absolute())
    with _mutex:
        servers = _held.get(key)
        if servers is None or servers.uses <= 0:
            servers = Servers(key[1], durable)
            _held[key] = servers
            atexit.register(close_all_uses, servers)
            end_on_terminate()
        try:
            servers.join(broker)
        except BaseException:
            servers.close()
            raise
    return servers


def close_all_uses(servers: Servers) -> None:
    servers.uses = min(servers.uses, 1)
    servers.close()


def end_on_terminate() -> None:
    """SIGTERM ends a command as Ctrl-C does, so that its servers are left in order; a handler already set is kept."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def open_lock(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except PermissionError as error:
        raise FolderUnusable(path.parent, "its lock files belong to another user") from error


def is_last(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
