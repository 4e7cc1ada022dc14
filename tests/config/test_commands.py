"""The edge to the shell, met by a real process."""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from django.db import connection

from config.commands import NO_READER
from config.embedded import REPOSITORY
from tests.exports.worlds import make_shop


@pytest.mark.django_db(transaction=True)
def test_a_reader_that_has_seen_enough_is_no_fault():
    make_shop()
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "manage.py", "export", "--project", "shop", "--format", "jsonl", "--out", "-"]

    found = subprocess.run(
        command,
        cwd=REPOSITORY,
        env=os.environ | {"DATABASE_URL": url.geturl()},
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )

    os.close(writing)
    assert (found.returncode, "Traceback" in found.stderr, "ignored" in found.stderr) == (NO_READER, False, False)
