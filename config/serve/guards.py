"""What is asked before anything starts."""

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator

from config.embedded import home

HOST = "127.0.0.1"


class CannotServe(Exception):
    """One sentence for a person: why nothing was started, and what to do."""


def address(port: int) -> str:
    return f"http://{HOST}:{port}/"


@contextlib.contextmanager
def claim_home(port: int) -> Iterator[None]:
    """One bin/serve per home; a second one is told where the first is."""
    folder = home()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "serve.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CannotServe(
            f"The folder {folder} cannot be used ({error.strerror}): set ASSAY_HOME to one you can write to."
        ) from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            where = os.pread(lock, 100, 0).decode()
            raise CannotServe(f"Assay already runs on {folder}, at {where}: open that, or set ASSAY_HOME.") from None
        os.ftruncate(lock, 0)
        os.pwrite(lock, address(port).encode(), 0)
        yield
    finally:
        os.close(lock)


def require_free_port(port: int) -> None:
    if not 0 < port < 65536:
        raise CannotServe(f"--port {port} is no port: name one from 1024 to 65535.")
    with socket.socket() as asked:
        asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            asked.bind((HOST, port))
        except OSError as error:
            raise CannotServe(
                f"Port {port} cannot be used ({error.strerror}): name another one by bin/serve --port N."
            ) from error
