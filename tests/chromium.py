"""The browser of the tests marked `browser`: $CHROMIUM, the system's, or Playwright's own."""

import os
import shutil
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WAY_OUT = "no Chromium was found: install the package `chromium`, or set CHROMIUM to its path"


def find() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None) or own()


def own() -> str | None:
    """What `playwright install chromium` left in its cache."""
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    return next((str(path) for path in cache.glob("chromium-*/chrome-linux*/chrome")), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return browser_type_launch_args | {"executable_path": find(), "args": QUIET}


def pytest_collection_modifyitems(items):
    if find():
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=WAY_OUT))
