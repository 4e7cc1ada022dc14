import io
import logging
import sys

from config.log import ToStderr


def test_a_stream_closed_since_does_not_make_logging_print_what_was_being_handled(monkeypatch):
    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", first)
    handler = ToStderr()
    monkeypatch.setattr(sys, "stderr", second)
    first.close()
    try:
        raise ValueError("what a provider said")
    except ValueError:
        handler.handle(logging.LogRecord("x", logging.INFO, "x.py", 1, "a line", None, None))

    assert second.getvalue() == "a line\n"
