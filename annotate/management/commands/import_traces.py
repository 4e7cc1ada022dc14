from django.core.management.base import CommandError

from annotate.actions import import_traces
from annotate.commands import ImportCommand, at_most, project_of
from traces.formats import READERS
from traces.formats.files import SourceNotFound


class Command(ImportCommand):
    help = "Read trajectories from files and folders into a project's dataset."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--format", default="auto", choices=["auto", *(reader.name for reader in READERS)])
        parser.add_argument("--domain", type=at_most(100), metavar="NAME")

    def handle(self, paths, project, **options):
        try:
            report = import_traces(
                project=project_of(project),
                paths=paths,
                by=self.actor(options),
                format=options["format"],
                source=options["source"],
                domain=options["domain"],
                progress=self.progress,
            )
        except SourceNotFound as error:
            raise CommandError(str(error)) from error
        self.finish(report, "trajectories", options["json"])
