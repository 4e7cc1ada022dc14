"""The picture inside an image block, where the run brought it along. Nothing is fetched, and only plain rasters are shown."""

import binascii
import re
from base64 import b64decode

INLINE = re.compile(r"data:image/[a-z0-9.+-]+;base64,([A-Za-z0-9+/\s=]+)|\"data\"\s*:\s*\"([A-Za-z0-9+/\s=]{40,})\"")
SIGNS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def picture_in(words: str) -> tuple[bytes, str] | None:
    """Its bytes and their kind, told by how they begin, not by what the run says."""
    found = INLINE.search(words)
    if found is None:
        return None
    try:
        content = b64decode("".join((found[1] or found[2]).split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    kind = kind_of(content)
    return None if kind is None else (content, kind)


def kind_of(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for sign, kind in SIGNS if content.startswith(sign)), None)
