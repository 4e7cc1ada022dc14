"""From an empty folder to a migrated database with static files and, on the embedded default, the demo project."""

import contextlib
import subprocess
import sys
from collections.abc import MutableMapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from config.embedded import REPOSITORY, Servers, home, use

from .child import say
from .guards import CannotServe


@dataclass(frozen=True)
class Prepared:
    embedded: Servers | None
    log_ins: str

    @property
    def servers(self) -> AbstractContextManager:
        return self.embedded or contextlib.nullcontext()


def prepare(environment: MutableMapping[str, str]) -> Prepared:
    environment.update(ASSAY_HOME=str(home().absolute()), ASSAY_HASHED_STATIC="1", PYTHONUNBUFFERED="1")
    say("serve", f"preparing {environment['ASSAY_HOME']} (the first time takes a few seconds longer)")
    embedded = provide_servers(environment)
    try:
        static = manage("collectstatic", "--noinput", "--verbosity=0")
        finish(manage("migrate", "--noinput", "--verbosity=0"), "migrate")
        log_ins = load_demo() if embedded else ""
        finish(static, "collectstatic")
    except BaseException:
        if embedded:
            embedded.close()
        raise
    return Prepared(embedded, log_ins)


def provide_servers(environment: MutableMapping[str, str]) -> Servers | None:
    """Embedded where no DATABASE_URL is set; children find everything in the environment."""
    if environment.get("DATABASE_URL"):
        if not environment.get("CELERY_BROKER_URL"):
            raise CannotServe("DATABASE_URL is set but CELERY_BROKER_URL is not: set both, or neither.")
        return None
    if environment.get("ASSAY_ENV") == "production":
        raise CannotServe("ASSAY_ENV=production needs DATABASE_URL and CELERY_BROKER_URL: set both to your servers.")
    servers = use(home(), broker=not environment.get("CELERY_BROKER_URL"))
    environment.update(DATABASE_URL=servers.database_url, ASSAY_EMBEDDED="1")
    environment.setdefault("CELERY_BROKER_URL", servers.broker_url)
    return servers


def load_demo() -> str:
    """What to log in with. A demo that cannot be loaded keeps nobody from their own work."""
    loading = manage("load_demo")
    said, _ = loading.communicate()
    return "The demo project was not loaded: the lines above say why." if loading.returncode else said


def manage(*arguments: str) -> subprocess.Popen:
    command = [sys.executable, str(REPOSITORY / "manage.py"), *arguments]
    return subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)


def finish(running: subprocess.Popen, name: str) -> str:
    said, _ = running.communicate()
    if running.returncode:
        raise CannotServe(f"{said}manage.py {name} did not work: the lines above say why.")
    return said
