import pytest


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
