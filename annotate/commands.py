"""What the import commands share."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Callable

from django.core.management.base import CommandError

from annotate.actions import ImportReport
from annotate.models import Project
from people.commands import AssayCommand


def project_of(slug: str) -> Project:
    project = Project.objects.select_related("dataset", "taxonomy_version__taxonomy").filter(slug=slug).first()
    if project is None:
        known = ", ".join(Project.objects.order_by("slug").values_list("slug", flat=True)[:10])
        raise CommandError(
            f"there is no project “{slug}”; " + (f"there are {known}" if known else "create_project makes one")
        )
    return project


def at_most(longest: int) -> Callable[[str], str]:
    """The type of an option whose text must fit into its column."""

    def fitting(text: str) -> str:
        if len(text) > longest:
            raise ArgumentTypeError(f"{len(text)} characters are too many; at most {longest} fit")
        return text

    return fitting


class ImportCommand(AssayCommand):
    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--source", type=at_most(100), metavar="NAME")

    def finish(self, report: ImportReport, noun: str, as_json: bool) -> None:
        """Say what was done; exit 1 where records were refused."""
        if as_json:
            self.print_json(report.as_json())
        else:
            self.say(report, noun)
        if report.refused:
            sys.exit(1)

    def say(self, report: ImportReport, noun: str) -> None:
        refused = len(report.refused)
        self.stdout.write(
            f"{report.read} {noun} read: {report.stored} stored, {report.unchanged} unchanged, {refused} refused"
        )
        for title, problems in (("refused", report.refused), ("warning", report.warnings)):
            for problem in problems:
                self.stderr.write(f"{title}: {problem.file} {problem.where}: {problem.message} [{problem.code}]")
