from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from annotate.actions import import_labels
from annotate.commands import ImportCommand, project_of
from annotate.formats import READERS
from people.actions import NameTaken
from traces.formats.files import SourceNotFound


class Command(ImportCommand):
    help = "Read the labels of one outside annotator as submitted annotations."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--format", required=True, choices=[reader.name for reader in READERS])
        parser.add_argument(
            "--annotator", required=True, metavar="NAME", help="a user of kind imported, made if missing"
        )
        parser.add_argument(
            "--reasons-as-codes", action="store_true", help="make each reason an open code, to grow a codebook out of"
        )

    def handle(self, paths, project, **options):
        try:
            report = import_labels(
                project=project_of(project),
                paths=paths,
                annotator=options["annotator"],
                by=self.actor(options),
                format=options["format"],
                source=options["source"],
                reasons_as_codes=options["reasons_as_codes"],
                progress=self.progress,
            )
        except (SourceNotFound, NameTaken) as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(f"--annotator: {' '.join(error.messages)}") from error
        self.finish(report, "labels", options["json"])
