import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config.embedded import REPOSITORY, account, places, postgres, valkey


@pytest.fixture
def home():
    folder = Path(tempfile.mkdtemp(prefix="assay-home-"))
    folder.chmod(0o711)
    yield folder
    bury(folder)


def bury(folder: Path) -> None:
    """Stop whatever a test left running there, then remove it all."""
    used = places.prepare(folder, account.current())
    valkey.stop(used)
    postgres.stop(used)
    for path in {used.base, used.sockets, folder}:
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def holder():
    """Starts processes that hold the servers of a home until they are told to end, or killed."""
    started = []

    def hold(home: Path) -> subprocess.Popen:
        code = (
            "import sys; from pathlib import Path; from config.embedded import use\n"
            "servers = use(Path(sys.argv[1]), durable=False)\n"
            "print(servers.database_url, flush=True); sys.stdin.read()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPOSITORY,
        )
        started.append(process)
        return process

    yield hold
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
