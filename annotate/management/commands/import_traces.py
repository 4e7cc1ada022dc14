from django.core.management.base import CommandError

from annotate.actions import import_traces
from annotate.commands import ImportCommand, at_most, project_of
from traces.formats import READERS
from traces.formats.files import SourceNotFound
from traces.models import Trajectory

LONGEST = Trajectory._meta.get_field("source").max_length


class Command(ImportCommand):
    help = "Read trajectories from files and folders into a project's dataset."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--format", default="auto", choices=["auto", *(reader.name for reader in READERS)])
        parser.add_argument("--domain", type=at_most(100), metavar="NAME")

    def handle(self, paths, project, **options):
        for title in ("source", "domain"):
            if len(options[title] or "") > LONGEST:
                raise CommandError(f"--{title} is {len(options[title])} characters long; at most {LONGEST} fit")
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
