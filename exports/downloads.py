"""An export as a response: built whole first, so that it has a hash, a length and no half-written body."""

from tempfile import SpooledTemporaryFile
from typing import IO

from django.http import FileResponse
from django.utils.http import quote_etag

from exports.exposure import note_exposure, watched
from exports.formats.jsonl import JsonLines
from exports.selection import Selection
from exports.writing import Tally, write_file, write_zip

IN_MEMORY = 8 * 2**20
ZIP = "application/zip"


def built(chosen: Selection, *, as_ndjson: bool = False) -> tuple[IO[bytes], Tally]:
    out = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 whoever is given it closes it
    shown: set[int] = set()
    write = write_zip if chosen.writer.many_files and not as_ndjson else write_file
    tally = write(chosen.writer, watched(chosen.stream, shown), out)
    out.seek(0)
    if chosen.exposed is not None:
        note_exposure(chosen.exposed, shown)
    return out, tally


def download(chosen: Selection, name: str, *, as_ndjson: bool = False) -> FileResponse:
    out, tally = built(chosen, as_ndjson=as_ndjson)
    writer = chosen.writer
    if not writer.many_files:
        suffix, media_type = writer.suffix, writer.media_type
    else:
        suffix, media_type = (JsonLines.suffix, JsonLines.media_type) if as_ndjson else (".zip", ZIP)
    response = FileResponse(out, as_attachment=True, filename=f"{name}-{writer.name}{suffix}", content_type=media_type)
    return labelled(response, tally.sha256, len(tally.left_out))


def labelled(response, sha256: str, left_out: int):
    response.headers["ETag"] = quote_etag(sha256)
    response.headers["Assay-SHA256"] = sha256
    response.headers["Assay-Left-Out"] = str(left_out)
    return response
