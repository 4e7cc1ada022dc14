"""Work on many runs at once in threads. Models are waited for, not computed with: threads are enough."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from django.db import connections

TICK = 2.0  # seconds between reports: a job's lease must not run out while a model thinks


def in_threads(
    items: Sequence[Any],
    work: Callable[[Any], Any],
    *,
    workers: int,
    stop: threading.Event,
    tick: Callable[[int], None],
) -> list[tuple[Any, Any]]:
    """(item, what work returned or raised) for each item that was begun.

    `tick` hears every few seconds how many are done; what it raises stops the rest and is raised when all have ended.
    """
    told: list[tuple[Any, Any]] = []
    with ThreadPoolExecutor(max_workers=max(1, workers), thread_name_prefix="model") as pool:
        waiting: dict[Future, Any] = {pool.submit(_own_connection, work, item, stop): item for item in items}
        try:
            while waiting:
                ended, _ = wait(waiting, timeout=TICK, return_when=FIRST_COMPLETED)
                told += [(waiting.pop(future), _outcome(future)) for future in ended]
                tick(len(told))
        except BaseException:
            stop.set()
            for future in waiting:
                future.cancel()
            raise
    return [(item, outcome) for item, outcome in told if outcome is not NOT_BEGUN]


NOT_BEGUN = object()


def _own_connection(work: Callable[[Any], Any], item: Any, stop: threading.Event) -> Any:
    """A thread of the pool keeps no connection to the database between two items."""
    if stop.is_set():
        return NOT_BEGUN
    try:
        return work(item)
    finally:
        connections.close_all()


def _outcome(future: Future) -> Any:
    error = future.exception()
    return future.result() if error is None else error
