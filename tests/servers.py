"""The servers of a test run: embedded in a throw-away home, or those the environment names for the second pass.

Loaded by `-p` before Django's settings are read. URLs are known at once; servers start with the first test that needs
a database.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import redis

from config.embedded import REPOSITORY, Servers, use

HOME = Path(tempfile.mkdtemp(prefix="assay-test-"))
HOME.chmod(0o711)  # so that the servers' account reaches it when the tests run as root
(HOME / "static").mkdir()  # WhiteNoise warns of a folder that is not there
EMBEDDED = "ASSAY_TEST_DATABASE_URL" not in os.environ

# What is left over when the run was killed is stopped by a process that waits for our end of a pipe to close.
UNDERTAKER = """
import shutil, sys
from pathlib import Path
from config.embedded import use
sys.stdin.read()
home = Path(sys.argv[1])
if home.exists():
    use(home, broker=False).close()
    shutil.rmtree(home, ignore_errors=True)
"""


def name_servers() -> None:
    planned = Servers(HOME, durable=False)
    mark = f"assay_test_{os.getpid()}"
    os.environ |= {
        "ASSAY_HOME": str(HOME),
        "ASSAY_PASSWORD_HASHER": "test",
        "ASSAY_QUEUE": mark,
        "DATABASE_URL": os.environ.get("ASSAY_TEST_DATABASE_URL") or planned.database_url,
        "CELERY_BROKER_URL": os.environ.get("ASSAY_TEST_BROKER_URL") or planned.broker_url,
        "ASSAY_TEST_DATABASE_NAME": mark,
        "DJANGO_ALLOW_ASYNC_UNSAFE": "true",
    }
    for name in ("ASSAY_ENV", "ASSAY_EMBEDDED", "DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "ASSAY_HASHED_STATIC"):
        os.environ.pop(name, None)
    atexit.register(shutil.rmtree, HOME, ignore_errors=True)


name_servers()


def forget_queue() -> None:
    """A broker that is not ours keeps nothing of this run."""
    with redis.Redis.from_url(os.environ["CELERY_BROKER_URL"]) as broker:
        for key in list(broker.scan_iter(f"*{os.environ['ASSAY_QUEUE']}")):
            broker.delete(key)


@pytest.fixture(scope="session")
def servers():
    """PostgreSQL and Valkey answer at DATABASE_URL and CELERY_BROKER_URL."""
    if not EMBEDDED and "ASSAY_TEST_BROKER_URL" in os.environ:
        yield None
        forget_queue()
        return
    undertaker = subprocess.Popen(
        [sys.executable, "-c", UNDERTAKER, str(HOME)], stdin=subprocess.PIPE, cwd=REPOSITORY, start_new_session=True
    )
    with use(HOME, durable=False) as running:
        yield running
    shutil.rmtree(HOME, ignore_errors=True)
    undertaker.communicate()
