from collections import Counter
from pathlib import Path

from django.core.management.base import CommandError

from annotate.commands import project_of
from exports.errors import (
    OtherFiles,
    ReleaseKeepsItsVersion,
    UnknownAnnotator,
    UnknownFormat,
    UnknownLabels,
    UnknownRelease,
    UnknownVersion,
)
from exports.formats import WRITERS
from exports.labels import GOLD
from exports.selection import Selection, select
from exports.writing import Tally, save_file, save_folder, write_file
from people.commands import AssayCommand

STDOUT = "-"
NOT_THERE = (
    UnknownFormat,
    UnknownLabels,
    UnknownAnnotator,
    UnknownRelease,
    UnknownVersion,
    ReleaseKeepsItsVersion,
)


class Command(AssayCommand):
    help = "Write labels in a benchmark's format. Acts as the operator: every label of the project can be written."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", required=True, metavar="NAME", help=", ".join(each.name for each in WRITERS))
        parser.add_argument("--labels", metavar="gold|annotator:NAME", help="gold where neither this nor --release")
        parser.add_argument("--release", metavar="NAME", default="")
        parser.add_argument("--taxonomy-version", type=int, metavar="N", help="the project's where not given")
        parser.add_argument("--raw-names", action="store_true", help="keep the category names that labels came with")
        parser.add_argument("--out", metavar="PATH", help="a file, a folder for whowhen, or - for stdout")

    def handle(self, project, format, labels, release, raw_names, out, **options):
        if labels and release:
            raise CommandError("give --labels or --release, not both: a release holds gold labels")
        if out == STDOUT and options["json"]:
            raise CommandError("--json and --out - both want stdout; give --out a path")
        try:
            chosen = select(
                project_of(project),
                format=format,
                labels=labels or GOLD,
                release=release,
                raw_names=raw_names,
                version=options["taxonomy_version"],
            )
        except NOT_THERE as error:
            raise CommandError(str(error)) from error
        path = out or default_path(project, labels or release or GOLD, chosen)
        tally = self.write(chosen, path)
        if options["json"]:
            self.print_json(tally.as_json(path))
        else:
            self.say(tally, path)

    def write(self, chosen: Selection, path: str) -> Tally:
        is_folder = chosen.writer.many_files
        if path == STDOUT:
            if is_folder:
                raise CommandError(f"{chosen.writer.name} is a folder of files; give --out a folder")
            return write_file(chosen.writer, chosen.stream, StandardOutput(self.stdout))
        try:
            if is_folder and Path(path).is_file() or not is_folder and Path(path).is_dir():
                expected, found = ("folder", "file") if is_folder else ("file", "folder")
                raise CommandError(f"{chosen.writer.name} needs a {expected} to write to; {path} is a {found}")
            return (save_folder if is_folder else save_file)(chosen.writer, chosen.stream, Path(path))
        except OtherFiles as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error

    def say(self, tally: Tally, path: str) -> None:
        """The summary goes to stderr where stdout holds the export itself."""
        say = self.stderr if path == STDOUT else self.stdout
        say.write(f"{tally.records} labels as {tally.format} in {path}, sha256 {tally.sha256}")
        for why, count in Counter(each.why for each in tally.left_out).most_common():
            say.write(f"left out {count}: {why}")


class StandardOutput:
    """Bytes of UTF-8 to a command's stdout."""

    def __init__(self, stdout):
        self.stdout = stdout

    def write(self, content: bytes) -> None:
        self.stdout.write(content.decode(), ending="")


def default_path(project: str, labels: str, chosen: Selection) -> str:
    """In the current folder, named after what is in it."""
    name = "".join(char if char.isalnum() or char in "._-" else "-" for char in f"{project}-{labels}")
    return f"{name}-{chosen.writer.name}" + ("" if chosen.writer.many_files else chosen.writer.suffix)
