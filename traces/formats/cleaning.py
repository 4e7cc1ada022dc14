"""What PostgreSQL's text and jsonb cannot hold is replaced on the way in; the raw bytes keep it."""

import math
import re

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")


class Cleaner:
    """Copies a JSON value and keeps the pointers of what it replaced and of what a person should look at."""

    def __init__(self) -> None:
        self.replaced: list[str] = []
        self.non_finite: list[str] = []
        self.bidi: list[str] = []

    def clean(self, value: object, pointer: str = "") -> object:
        if isinstance(value, str):
            return self._text(value, pointer)
        if isinstance(value, dict):
            items = ((self._text(key, pointer), child) for key, child in value.items())
            return {key: self.clean(child, f"{pointer}/{_token(key)}") for key, child in items}
        if isinstance(value, list):
            return [self.clean(child, f"{pointer}/{position}") for position, child in enumerate(value)]
        if isinstance(value, float) and not math.isfinite(value):
            self.non_finite.append(pointer)
            return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
        return value

    def _text(self, text: str, pointer: str) -> str:
        if BIDI.search(text):
            self.bidi.append(pointer)
        cleaned, count = UNSTORABLE.subn("\ufffd", text)
        if count:
            self.replaced.append(pointer)
        return cleaned


def _token(key: str) -> str:
    """A key as JSON pointers spell it, cut where it is no name any more."""
    return key[:80].replace("~", "~0").replace("/", "~1")
