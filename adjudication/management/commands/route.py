from adjudication.actions import report, route
from annotate.commands import project_of
from people.commands import AssayCommand


class Command(AssayCommand):
    help = "Decide for every item whether it is accepted, waits, wants one more annotator, or is a case."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--dry-run", action="store_true", help="say what would be decided and change nothing")

    def handle(self, project, dry_run, **options):
        found = report(route(project_of(project), by=self.actor(options), dry_run=dry_run))
        if options["json"]:
            self.print_json(found)
            return
        for decision in ("accept", "annotate", "waiting", "adjudicate"):
            self.stdout.write(f"{decision:<12}{found[decision]:>6}")
        if found["ruled"]:
            self.stdout.write(f"{'  of them ruled':<12}{found['ruled']:>4}")
        for case in found["cases"]:
            self.stdout.write(f"{case['trajectory']}: {'; '.join(reason['text'] for reason in case['reasons'])}")
        if dry_run:
            self.stderr.write("nothing was changed")
