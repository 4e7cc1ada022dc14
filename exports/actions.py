import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO

from django.db import IntegrityError, connection, transaction

from annotate.models import Project
from exports.errors import BadName, NameTaken, NothingToRelease
from exports.formats.jsonl import JsonLines
from exports.labels import GoldLabels
from exports.manifest import Counts, manifest_of
from exports.models import NAME, Release
from exports.rows import LeftOut, Row
from exports.streams import Stream
from exports.writing import write_file
from people.actions import audit
from people.models import User
from traces.models import Blob


def create_release(*, project: Project, name: str, by: User) -> Release:
    """Freeze the project's gold labels of this moment under a name. Raises BadName, NameTaken or NothingToRelease."""
    if not NAME.fullmatch(name):
        raise BadName(name)
    if Release.objects.filter(project=project, name=name).exists():
        raise NameTaken(name, project.slug)
    try:
        with one_moment():
            return freeze(project, name, by)
    except IntegrityError as error:  # somebody took the name meanwhile
        raise NameTaken(name, project.slug) from error


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction in which every read sees the database as it was at the first."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def freeze(project: Project, name: str, by: User) -> Release:
    stream, counts, out = Stream(GoldLabels(project)), Counts(), BytesIO()
    tally = write_file(JsonLines(stream.layout()), counted(stream, counts), out)
    if not tally.records:
        raise NothingToRelease(project.slug)
    release = Release.objects.create(
        project=project,
        name=name,
        labels=tally.records,
        rows=Blob.objects.keep(out.getvalue(), JsonLines.media_type),
        sha256=tally.sha256,
        manifest=manifest_of(project, name, tally.sha256, counts, tally.left_out),
        by=by,
    )
    audit("released", release, by=by, project=project.slug, name=name, labels=tally.records, sha256=tally.sha256)
    return release


def counted(rows: Iterable[Row | LeftOut], counts: Counts) -> Iterator[Row | LeftOut]:
    for row in rows:
        if isinstance(row, Row):
            counts.add(row)
        yield row


def rows_of(release: Release) -> bytes:
    """The rows as released; refuses what is not what the release's hash says."""
    content = bytes(release.rows.content)
    if hashlib.sha256(content).hexdigest() != release.sha256:
        raise ValueError(f"release {release.pk} holds rows other than those it was made of")
    return content
