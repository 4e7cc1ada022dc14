"""The edge to the shell, met by a real process."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection

from config.commands import NO_READER, UNEXPECTED
from config.embedded import REPOSITORY
from tests.exports.worlds import make_shop


def run_to(stdout: int, *words: str) -> subprocess.CompletedProcess:
    make_shop()
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    return subprocess.run(
        [sys.executable, "manage.py", *words, "--project", "shop"],
        cwd=REPOSITORY,
        env=os.environ | {"DATABASE_URL": url.geturl()},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )


@pytest.mark.django_db(transaction=True)
def test_a_reader_that_has_seen_enough_is_no_fault():
    reading, writing = os.pipe()
    os.close(reading)

    found = run_to(writing, "export", "--format", "jsonl", "--out", "-")

    os.close(writing)
    assert (found.returncode, "Traceback" in found.stderr, "ignored" in found.stderr) == (NO_READER, False, False)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no full disk to write to")
def test_a_full_disk_is_unexpected_and_not_a_refusal():
    with Path("/dev/full").open("w") as full:
        found = run_to(full.fileno(), "agreement", "--json")

    assert (found.returncode, "No space left" in found.stderr, "ignored" in found.stderr) == (UNEXPECTED, True, False)
