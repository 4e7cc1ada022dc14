"""JSON text to values: leniently, and never deeper than a trace can be."""

import json
import re
from collections import Counter

MAX_DEPTH = 200  # far above any real trace, far below Python's recursion limit
OPENINGS = ("{", "[")
TEXT = re.compile(r"\S")


class NotJson(Exception):
    def __init__(self, code: str, message: str):
        super().__init__(message)
        self.code, self.message = code, message


def _decoder(repeated: list[str]) -> json.JSONDecoder:
    def pairs(items: list[tuple[str, object]]) -> dict:
        found = dict(items)
        if len(found) != len(items):
            counts = Counter(key for key, _ in items)
            repeated.extend(key for key, count in counts.items() if count > 1)
        return found

    return json.JSONDecoder(object_pairs_hook=pairs, parse_int=_whole_number)


def _whole_number(digits: str) -> int | str:
    # Python refuses to read numbers beyond some thousand digits; as text nothing of them is lost.
    return int(digits) if len(digits) <= 4000 else digits


def parse(text: str) -> tuple[object, list[str]]:
    """The value, and the keys that some object holds more than once."""
    repeated: list[str] = []
    try:
        value = _decoder(repeated).decode(text)
    except json.JSONDecodeError as error:
        message = f"is broken JSON at line {error.lineno}, column {error.colno} ({error.msg}); export it again"
        raise NotJson("not_json", message) from error
    except RecursionError as error:
        raise _too_deep() from error
    if _is_deeper(value, MAX_DEPTH):
        raise _too_deep()
    return value, repeated


def _too_deep() -> NotJson:
    return NotJson("too_deep", f"is nested deeper than {MAX_DEPTH} levels, which no trace needs; look at what wrote it")


def _is_deeper(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        inner: list[object] = []
        for node in level:
            if isinstance(node, dict):
                inner.extend(child for child in node.values() if isinstance(child, dict | list))
            elif isinstance(node, list):
                inner.extend(child for child in node if isinstance(child, dict | list))
        if not inner:
            return False
        level = inner
    return True


def next_text(text: str, start: int) -> int | None:
    found = TEXT.search(text, start)
    return found.start() if found else None


def next_document(text: str, start: int, repeated: list[str]) -> tuple[object, int, int] | None:
    """The document that begins next, with its first and last offset; None where nothing or something broken follows."""
    begin = next_text(text, start)
    if begin is None or not text.startswith(OPENINGS, begin):
        return None
    try:
        value, end = _decoder(repeated).raw_decode(text, begin)
    except (json.JSONDecodeError, RecursionError):
        return None
    return None if _is_deeper(value, MAX_DEPTH) else (value, begin, end)
