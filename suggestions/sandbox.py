"""Code from outside runs here and nowhere else: an interpreter of its own in worker processes, with limits."""

import os
import threading
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

SECONDS = 0.5
MEMORY = 64 * 1024 * 1024
RECURSION = 200
PRINTED = 64 * 1024
# Checks are to say the same tomorrow: no clock, no chance, no waiting.
FROZEN = {"datetime": datetime(2000, 1, 1, tzinfo=UTC), "sleep": "zero"}


class CannotRun(Exception):
    """The code did not come to an end by itself; `kind` is the sandbox's word for why."""

    def __init__(self, kind: str, message: str):
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind = kind

    @property
    def hit_a_limit(self) -> bool:
        return self.kind in ("TimeoutError", "MemoryError", "RecursionError", "crashed")


@dataclass(frozen=True, slots=True)
class Feed:
    code: str
    inputs: dict[str, Any]


def run(*feeds: Feed, seconds: float = SECONDS) -> Any:
    """The value of the last feed, in a session of its own. Raises CannotRun; the workers live on."""
    import pydantic_monty as monty

    limits = monty.ResourceLimits(
        max_feed_duration_secs=seconds, max_memory=MEMORY, max_recursion_depth=RECURSION, max_suspensions=50
    )
    try:
        value = None
        with _pool().checkout(limits=limits, os_policy=FROZEN) as session:
            for feed in feeds:
                printed = monty.CollectString(max_bytes=PRINTED)
                value = session.feed_run(feed.code, inputs=feed.inputs, print_callback=printed)
        return value
    except monty.MontyCrashedError as error:
        raise CannotRun("crashed", "the interpreter was stopped") from error
    except monty.MontyError as error:
        kind, _, message = str(error).partition(": ")
        inner = type(error.exception()).__name__
        raise CannotRun(inner, message or kind) from error
    except (TypeError, ValueError, RecursionError) as error:  # values that do not cross the border
        raise CannotRun(type(error).__name__, str(error)[:200]) from error


def compiles(code: str) -> str:
    """Empty where the code's definitions can be read, else why not."""
    try:
        run(Feed(code, {}))
    except CannotRun as error:
        return str(error)[:500]
    return ""


_lock = threading.Lock()
_pools: dict[int, Any] = {}  # by process: a pool does not survive a fork


def _pool() -> Any:
    import pydantic_monty as monty

    with _lock:
        pool = _pools.get(os.getpid())
        if pool is None:
            _pools.clear()
            pool = monty.Monty(max_processes=max(2, os.cpu_count() or 2), request_timeout=10 * SECONDS)
            _pools[os.getpid()] = pool.__enter__()
            pool = _pools[os.getpid()]
    return pool
