"""PostgreSQL and Valkey from wheels, for a laptop: no Django, no network, no root needed, state below one folder."""

import os
from pathlib import Path

from .errors import EmbeddedError
from .session import Servers, use

__all__ = ["REPOSITORY", "EmbeddedError", "Servers", "ensure_environment", "home", "use"]

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def home() -> Path:
    return Path(os.environ.get("ASSAY_HOME") or REPOSITORY / ".assay")


def ensure_environment(broker: bool = False) -> Servers | None:
    """Give this process and its children a DATABASE_URL where none is set; None where the environment names one."""
    if os.environ.get("DATABASE_URL") or os.environ.get("ASSAY_ENV") == "production":
        return None
    servers = use(home(), broker=broker)
    os.environ["DATABASE_URL"] = servers.database_url
    os.environ["ASSAY_EMBEDDED"] = "1"
    os.environ.setdefault("CELERY_BROKER_URL", servers.broker_url)
    return servers
