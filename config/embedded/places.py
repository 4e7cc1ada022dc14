"""Where the embedded servers keep their things, below ASSAY_HOME unless the server's account cannot reach it."""

import contextlib
import hashlib
import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from .account import Account, user_name
from .errors import FolderUnusable, ForeignFolder

# What fits sun_path with its closing NUL.
LONGEST_SOCKET = 107 if sys.platform == "linux" else 103
PG_SOCKET = ".s.PGSQL.5432"
# libpq splits hosts at commas, and not every reader of a URL decodes it once.
PLAIN = re.compile(r"[A-Za-z0-9/._+-]+")


@dataclass(frozen=True)
class Places:
    base: Path
    sockets: Path
    account: Account

    @property
    def postgres(self) -> Path:
        return self.base / "postgres"

    @property
    def valkey(self) -> Path:
        return self.base / "valkey"

    @property
    def logs(self) -> Path:
        return self.base / "log"

    @property
    def pg_socket(self) -> Path:
        return self.sockets / PG_SOCKET

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"


def prepare(home: Path, account: Account) -> Places:
    home = home.expanduser().absolute()
    try:
        home.mkdir(parents=True, exist_ok=True)
        home = home.resolve()
        base = home if account.reaches(home) else private_base(home)
        places = Places(base, socket_folder(base, account), account)
        for folder in (places.sockets, places.valkey, places.logs):
            account.own(folder)
    except PermissionError as error:
        refuse(Path(error.filename or home), account)
    except OSError as error:
        raise FolderUnusable(home, error.strerror or str(error)) from error
    return places


def private_base(home: Path) -> Path:
    """A folder of root's below /var/tmp that `nobody` may pass through; no parent of `home` is opened up for it."""
    base = Path("/var/tmp") / f"assay-{digest(home)}"
    with contextlib.suppress(FileExistsError):
        base.mkdir(mode=0o711)
    found = os.lstat(base)
    if found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode):
        raise ForeignFolder(base, user_name(found.st_uid), user_name(os.geteuid()))
    base.chmod(0o711)
    return base


def socket_folder(base: Path, account: Account) -> Path:
    """Beside the data, or in /tmp where that path is too long for a socket or not plain enough for a URL."""
    folder = base / "run"
    if len(os.fsencode(folder / PG_SOCKET)) <= LONGEST_SOCKET and PLAIN.fullmatch(str(folder)):
        return folder
    return Path("/tmp") / f"assay-{account.uid}-{digest(base)}"


def digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def refuse(path: Path, account: Account) -> None:
    nearest = path
    while not os.path.exists(nearest):  # unlike Path.exists, no answer is a no
        nearest = nearest.parent
    raise ForeignFolder(nearest, user_name(nearest.stat().st_uid), account.name)
