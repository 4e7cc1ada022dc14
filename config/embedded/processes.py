"""Whether a process is alive and works in a given folder: a pid alone proves nothing after a reboot or a kill -9."""

import os
import subprocess
import sys
from pathlib import Path

PROC = Path("/proc")


def is_alive(pid: int) -> bool:
    """False for zombies too: where nobody reaps them, they keep their pid for ever."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    if sys.platform != "linux":
        return not ps(pid, "stat").startswith("Z")
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def works_in(pid: int, folder: Path) -> bool:
    """A PostgreSQL process stays in its data folder, so its working folder tells whose it is."""
    if sys.platform != "linux":
        return str(folder) in ps(pid, "command")
    try:
        return os.readlink(PROC / str(pid) / "cwd") == str(folder)
    except OSError:
        return False


def all_in(folder: Path, *names: str) -> list[int]:
    """Every living process of one of these names that works in `folder`; empty where the system does not tell."""
    pids = (int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()) if PROC.is_dir() else ()
    return [pid for pid in pids if works_in(pid, folder) and is_alive(pid) and name_of(pid) in names]


def name_of(pid: int) -> str:
    try:
        return (PROC / str(pid) / "comm").read_text().strip()
    except OSError:
        return ""


def ps(pid: int, column: str) -> str:
    said = subprocess.run(["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return said.stdout.strip()
