from django.core.management.base import CommandError

from annotate.commands import project_of
from exports.actions import create_release
from exports.errors import BadName, NameTaken, NothingToRelease
from people.commands import AssayCommand


class Command(AssayCommand):
    help = "Freeze a project's gold labels, with a manifest, under a name that never changes its meaning."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--name", required=True)

    def handle(self, project, name, **options):
        try:
            release = create_release(project=project_of(project), name=name, by=self.actor(options))
        except (BadName, NameTaken, NothingToRelease) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.print_json({"name": release.name, "labels": release.labels, "sha256": release.sha256})
            return
        left_out = len(release.manifest["left_out"])
        self.stdout.write(f"release {release.name}: {release.labels} labels, {left_out} runs without one")
        self.stdout.write(f"sha256 {release.sha256}")
