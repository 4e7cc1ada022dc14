import os
import subprocess
import sys

import pytest

from config.embedded import REPOSITORY

SECRET = "x" * 50
PROPER = {
    "ASSAY_ENV": "production",
    "SECRET_KEY": SECRET,
    "ALLOWED_HOSTS": "assay.example.org",
    "DATABASE_URL": "postgresql://ann:p%40ss@db.example.org:5433/assay?sslmode=require",
    "CELERY_BROKER_URL": "redis://broker.example.org:6379/0",
}
OURS = {*PROPER, "DEBUG", "ASSAY_EMBEDDED", "ASSAY_HASHED_STATIC", "ASSAY_INSECURE_HTTP", "TRUSTED_PROXIES"}


def settings(expression: str, **environment: str) -> str:
    """What a fresh process prints of them: settings are read once."""
    code = (
        "from django.core.exceptions import ImproperlyConfigured\n"
        "try:\n    from config import settings\n"
        "except ImproperlyConfigured as error:\n    print('refused:', error)\n"
        f"else:\n    print({expression})\n"
    )
    outside = {name: value for name, value in os.environ.items() if name not in OURS}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        env=outside | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY"),
        ({"DEBUG": "1"}, "DEBUG"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": "assay.example.org, *"}, "ALLOWED_HOSTS"),
        ({"DATABASE_URL": ""}, "DATABASE_URL"),
        ({"CELERY_BROKER_URL": ""}, "CELERY_BROKER_URL"),
    ],
)
def test_production_refuses_in_one_sentence_what_would_be_unsafe(changed, named):
    said = settings("'accepted'", **(PROPER | changed))
    assert said.startswith("refused: ASSAY_ENV=production ")
    assert named in said
    assert len(said.splitlines()) == 1


def test_production_runs_with_secure_cookies_and_hashed_static_files():
    said = settings(
        "settings.DEBUG, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.HASHED_STATIC", **PROPER
    )
    assert said == "False True True True"


def test_a_laptop_needs_no_setting_and_is_no_debug_server():
    said = settings("settings.DEBUG, settings.SESSION_COOKIE_SECURE, '*' in settings.ALLOWED_HOSTS")
    assert said == "False False False"


def test_a_database_url_names_host_port_user_password_and_options():
    said = settings(
        "[settings.DATABASES['default'][key] for key in ('NAME', 'USER', 'PASSWORD', 'HOST', 'PORT', 'OPTIONS')]",
        **PROPER,
    )
    assert said == "['assay', 'ann', 'p@ss', 'db.example.org', '5433', {'sslmode': 'require'}]"


def test_the_embedded_url_names_a_socket_folder():
    said = settings(
        "[settings.DATABASES['default'][key] for key in ('NAME', 'USER', 'HOST', 'PORT')]",
        DATABASE_URL="postgresql://postgres@/assay?host=/var/tmp/assay/run",
    )
    assert said == "['assay', 'postgres', '/var/tmp/assay/run', '']"


@pytest.mark.parametrize(
    ("given", "said"), [({}, "0"), ({"TRUSTED_PROXIES": ""}, "0"), ({"TRUSTED_PROXIES": "2"}, "2")]
)
def test_no_proxy_is_trusted_that_is_not_named(given, said):
    assert settings("settings.TRUSTED_PROXIES", **given) == said


@pytest.mark.parametrize("given", ["-1", "yes", "1.5", "²"])
def test_a_number_of_proxies_that_is_none_is_said(given):
    assert settings("'accepted'", TRUSTED_PROXIES=given).startswith("refused: TRUSTED_PROXIES is the number of proxies")


def test_settings_start_nothing():
    assert settings("settings.DATABASES['default']['NAME']") == "assay"
