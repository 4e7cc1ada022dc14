"""Who the servers run as: the caller, or `nobody` when the caller is root (PostgreSQL refuses to run as root)."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ForeignFolder, NoAccount

# What the caller's shell says about other servers, or about language, must not reach ours.
DROPPED = ("PG", "LC_", "LANG", "LD_PRELOAD")


@dataclass(frozen=True)
class Account:
    name: str
    uid: int
    gid: int
    dropped: bool

    def run(self, command: Sequence[object], **options: Any) -> subprocess.CompletedProcess:
        """Run as this account, away from the caller's folder, environment and terminal."""
        if self.dropped:
            options |= {"user": self.uid, "group": self.gid, "extra_groups": []}
        try:
            return subprocess.run(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                cwd="/",
                env=clean_environment(),
                check=False,
                **options,
            )
        except PermissionError as error:
            if self.dropped and not error.filename:
                raise NoAccount(f"changing to the user {self.name} is not allowed here") from error
            raise

    def reaches(self, path: Path) -> bool:
        """Asked of a process of that account: mode bits alone would miss access lists and mounts."""
        if not self.dropped:
            return os.access(path, os.X_OK)
        return self.run(["/bin/sh", "-c", 'test -x "$1"', "sh", path]).returncode == 0

    def own(self, folder: Path) -> None:
        """Make `folder` private to this account; refuse one that is somebody else's, or a link set in its way."""
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            pass
        else:
            if self.dropped:
                os.chown(folder, self.uid, self.gid)
        self.require_owner(folder)
        folder.chmod(0o700)

    def require_owner(self, folder: Path) -> None:
        found = os.lstat(folder)
        if found.st_uid != self.uid or folder.is_symlink():
            raise ForeignFolder(folder, user_name(found.st_uid), self.name)


def current() -> Account:
    uid = os.geteuid()
    if uid != 0:
        return Account(user_name(uid), uid, os.getegid(), dropped=False)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise NoAccount("there is no user nobody to run it as") from None
    return Account("nobody", nobody.pw_uid, nobody.pw_gid, dropped=True)


def user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def clean_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(DROPPED)}
    return kept | {"LC_ALL": "C"}
