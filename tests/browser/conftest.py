"""Chromium for the browser tests: $CHROMIUM, the system's, or the one Playwright brings; else they are skipped."""

import os
import shutil
from pathlib import Path

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
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


@pytest.fixture
def log_in(live_server, page):
    """`log_in(user)` opens a session of the user in the page."""
    from django.conf import settings
    from django.test import Client

    def start(user):
        client = Client()
        client.force_login(user)
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}
        page.context.add_cookies([cookie])

    return start


@pytest.fixture
def complaints(page):
    """What the console and the page's scripts complained of, the policy on inline code included."""
    found = []
    page.on("console", lambda message: found.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found
