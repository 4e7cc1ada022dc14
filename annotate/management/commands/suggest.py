from django.core.management.base import CommandError

from annotate.commands import project_of
from people.commands import AssayCommand
from suggestions.actions import evaluate_dataset


class Command(AssayCommand):
    help = "Evaluate constraints on a project's runs. What is found stays unseen until the project's reveal rule allows it."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--source", default="builtin", choices=["builtin", "llm"])
        parser.add_argument("--dry-run", action="store_true", help="say what would be found, store nothing")

    def handle(self, project, source, dry_run, **options):
        if source == "llm":
            raise CommandError("no model is configured; --source builtin needs none")
        dataset = project_of(project).dataset
        told = evaluate_dataset(dataset=dataset, dry_run=dry_run, progress=lambda done, total: self.progress(done))
        if options["json"]:
            self.print_json(told.as_json())
            return
        done = "would be evaluated" if dry_run else "evaluated"
        self.stdout.write(
            f"{told.trajectories} runs, {told.evaluated} {done} now, {told.constraints} constraints: "
            f"{told.violations} violations, {told.not_evaluated} could not be evaluated"
        )
