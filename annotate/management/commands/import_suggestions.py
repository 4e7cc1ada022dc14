from pathlib import Path

from django.core.management.base import CommandError

from annotate.actions import ImportReport
from annotate.commands import ImportCommand, at_most, project_of
from suggestions.actions import import_suggestions
from suggestions.formats import READERS
from suggestions.formats.catchbench import bridge
from suggestions.formats.reading import Options
from traces.formats.files import SourceNotFound


class Command(ImportCommand):
    help = "Read what models and constraints say about a project's runs: judgements, violations, constraint files."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--format", required=True, choices=[reader.name for reader in READERS])
        parser.add_argument("--keys", metavar="FILE", help="from old run keys to new ones (catchbench)")
        parser.add_argument(
            "--model", type=at_most(100), default="", metavar="NAME", help="where the files do not tell"
        )
        parser.add_argument(
            "--protocol", type=at_most(60), default="", metavar="NAME", help="where the files do not tell"
        )
        parser.add_argument(
            "--run", type=at_most(100), default="", metavar="NAME", help="tells repeated runs of one model apart"
        )

    def handle(self, paths, project, keys, **options):
        report = ImportReport()
        try:
            import_suggestions(
                dataset=project_of(project).dataset,
                paths=paths,
                format=options["format"],
                by=self.actor(options),
                report=report,
                options=Options(self.bridge(keys), options["model"], options["protocol"], options["run"]),
                source=options["source"],
                project=project,
                progress=self.progress,
            )
        except SourceNotFound as error:
            raise CommandError(str(error)) from error
        self.finish(report, "suggestions", options["json"])

    def bridge(self, keys: str | None) -> dict[str, str]:
        if keys is None:
            return {}
        if not Path(keys).is_file():
            raise CommandError(f"--keys: {keys} is no file")
        try:
            return bridge(Path(keys))
        except ValueError as error:
            raise CommandError(str(error)) from error
