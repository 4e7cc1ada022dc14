"""The one way to say what a kind of job does: apps above register a handler when they start."""

from collections.abc import Callable

from jobs.models import Job

Handler = Callable[[Job], dict]
_handlers: dict[str, Handler] = {}
_queues: dict[str, str] = {}


class UnknownKind(Exception):
    def __init__(self, kind: str):
        super().__init__(f"no handler is registered for jobs of kind “{kind}”")


def handles(kind: str, queue: str = "") -> Callable[[Handler], Handler]:
    """`queue` names the broker's queue whose workers do it, where that is not the usual one."""

    def register(handler: Handler) -> Handler:
        if _handlers.get(kind, handler) is not handler:
            raise ValueError(f"two handlers for jobs of kind “{kind}”")
        _handlers[kind], _queues[kind] = handler, queue
        return handler

    return register


def handler_of(kind: str) -> Handler:
    if kind not in _handlers:
        raise UnknownKind(kind)
    return _handlers[kind]


def queue_of(kind: str) -> str | None:
    return _queues.get(kind) or None
