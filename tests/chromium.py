"""Chromium for the browser tests: $CHROMIUM, the system's, or the one Playwright brings; else they are skipped."""

import os
import shutil
from pathlib import Path

import pytest
from django.db import connections

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP assay.test 127.0.0.1",  # a name that is no secure context
]


def chromium() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args, playwright):
    path = chromium()
    if path is None and not Path(playwright.chromium.executable_path).exists():
        pytest.skip("no Chromium: set CHROMIUM to its path, or run playwright install chromium")
    return {**browser_type_launch_args, "args": FLAGS, **({"executable_path": path} if path else {})}


@pytest.fixture(scope="session")
def browser(browser):
    """While Playwright's loop runs, Django holds another connection to the database than before and after: it is closed
    while it can still be reached, or the test database could not be dropped."""
    yield browser
    connections.close_all()
