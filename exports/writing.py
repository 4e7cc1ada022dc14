"""Rows into bytes: one file, a folder or a zip; the same rows always give the same bytes."""

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol

from exports.errors import OtherFiles
from exports.formats import CannotExpress, Entry, Writer
from exports.formats.base import as_lines, pretty
from exports.rows import LeftOut, Row

EPOCH = (1980, 1, 1, 0, 0, 0)  # of a zip's entries: the time of writing would change the bytes


class Sink(Protocol):
    def write(self, content: bytes, /) -> object: ...


@dataclass
class Tally:
    """What became of the rows; complete once the last one is written."""

    format: str
    records: int = 0
    sha256: str = ""
    left_out: list[LeftOut] = field(default_factory=list)

    def as_json(self, path: str | None = None) -> dict[str, Any]:
        where = {} if path is None else {"path": path}
        left_out = [{"source": each.source, "trajectory": each.trajectory, "why": each.why} for each in self.left_out]
        return {"format": self.format, "records": self.records, **where, "sha256": self.sha256, "left_out": left_out}


def entries_of(writer: Writer, rows: Iterable[Row | LeftOut], tally: Tally) -> Iterator[Entry]:
    for row in rows:
        if isinstance(row, LeftOut):
            tally.left_out.append(row)
            continue
        try:
            entry = writer.entry(row)
        except CannotExpress as why:
            tally.left_out.append(row.left_out(str(why)))
            continue
        tally.records += 1
        yield entry


def write_file(writer: Writer, rows: Iterable[Row | LeftOut], out: Sink) -> Tally:
    """One file; a format of many files gives one line per file."""
    tally = Tally(writer.name)
    entries = entries_of(writer, rows, tally)
    lines = (Entry({"file": each.name, "content": each.value}) for each in entries)
    digest = hashlib.sha256()
    for text in as_lines(lines) if writer.many_files else writer.text(entries):
        content = text.encode()
        digest.update(content)
        out.write(content)
    tally.sha256 = digest.hexdigest()
    return tally


def write_zip(writer: Writer, rows: Iterable[Row | LeftOut], out: IO[bytes]) -> Tally:
    tally = Tally(writer.name)
    with zipfile.ZipFile(out, "w") as archive:
        for entry in entries_of(writer, rows, tally):
            info = zipfile.ZipInfo(entry.name, EPOCH)
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, file_of(entry))
    tally.sha256 = sha256_of(out)
    return tally


def sha256_of(file: IO[bytes]) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return digest.hexdigest()


def file_of(entry: Entry) -> bytes:
    return (pretty(entry.value) + "\n").encode()


def save_file(writer: Writer, rows: Iterable[Row | LeftOut], path: Path) -> Tally:
    """The file appears whole or not at all, a link to it stays; a pipe or a device is written to as it is."""
    if path.exists() and not path.is_file():
        with path.open("wb") as pipe:
            return write_file(writer, rows, pipe)
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as out:
        try:
            tally = write_file(writer, rows, out)
            out.flush()
            os.chmod(out.name, 0o644)
            os.replace(out.name, path)
        except BaseException:
            Path(out.name).unlink(missing_ok=True)
            raise
    return tally


def save_folder(writer: Writer, rows: Iterable[Row | LeftOut], folder: Path) -> Tally:
    """A folder of one file per row. What an earlier export wrote there is replaced; OtherFiles where there is more.

    The sha256 is over one line per file in order: its own sha256, two blanks, its name.
    """
    tally = Tally(writer.name)
    digest = hashlib.sha256()
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as draft:
        names = []
        for entry in entries_of(writer, rows, tally):
            content = file_of(entry)
            place(Path(draft), entry.name).write_bytes(content)
            digest.update(f"{hashlib.sha256(content).hexdigest()}  {entry.name}\n".encode())
            names.append(entry.name)
        check_folder(folder, set(names))
        for name in names:
            os.replace(Path(draft) / name, place(folder, name))
        folder.mkdir(exist_ok=True)
    tally.sha256 = digest.hexdigest()
    return tally


def place(folder: Path, name: str) -> Path:
    """The path of an entry's file inside the folder, with the folders above it made. Names are writers' own and safe."""
    path = folder.joinpath(*PurePosixPath(name).parts)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise OtherFiles(str(folder), name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def check_folder(folder: Path, names: set[str]) -> None:
    for path in sorted(folder.rglob("*")) if folder.exists() else ():
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or path.is_file() and name not in names:
            raise OtherFiles(str(folder), name)
