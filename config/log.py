import logging
import sys


class ToStderr(logging.StreamHandler):
    """Writes to what sys.stderr is now: one that was replaced and closed since would make logging print whole chains
    of exceptions, with what a provider said in them."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)
