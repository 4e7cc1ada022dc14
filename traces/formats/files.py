"""Which files a reader is given: a path is a file or a folder, walked in sorted order."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from traces.formats.drafts import Problem


class SourceNotFound(Exception):
    def __init__(self, path: Path):
        super().__init__(f"{path} does not exist; give a file or a folder")
        self.path = path


@dataclass(frozen=True, slots=True)
class Source:
    """`name` is what reports and origins call the file: its own name, or folder/relative path."""

    path: Path
    name: str


def check_paths(paths: Iterable[str | Path]) -> list[Path]:
    found = [Path(path) for path in paths]
    for path in found:
        if not path.exists():
            raise SourceNotFound(path)
    return found


def sources(paths: Iterable[Path]) -> Iterator[Source | Problem]:
    for path in paths:
        if path.is_dir():
            yield from _walk(path)
        else:
            yield _regular(path, _shown(path.name))


def read_bytes(source: Source) -> bytes | Problem:
    try:
        return source.path.read_bytes()
    except OSError as error:
        return Problem(source.name, "file", "unreadable", f"cannot be opened: {error.strerror}; check its permissions")


def _walk(root: Path) -> Iterator[Source | Problem]:
    for folder, subfolders, names in os.walk(root):
        subfolders.sort()
        here = Path(folder)
        linked = [name for name in subfolders if (here / name).is_symlink()]
        for name in sorted(names + linked):
            path = here / name
            shown = _shown("/".join((root.resolve().name, *path.relative_to(root).parts)))
            if path.is_symlink() and not _stays_inside(path, root):
                message = "is a link out of the folder; give the file it points at, if it is meant"
                yield Problem(shown, "file", "symlink_outside", message)
            elif name not in linked:
                yield _regular(path, shown)


def _regular(path: Path, name: str) -> Source | Problem:
    if path.is_file():
        return Source(path, name)
    return Problem(name, "file", "not_a_file", "is no regular file; give files or folders of files")


def _stays_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # a link that leads to itself
        return False


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode()
