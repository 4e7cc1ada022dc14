import sys

from django.core.management.base import CommandError

from annotate.commands import project_of
from annotate.models import Project
from people.commands import AssayCommand
from suggestions.actions import evaluate_dataset
from suggestions.llm.actions import plan_of, rehearse, suggest_by_model
from suggestions.llm.errors import ModelError
from suggestions.llm.outcome import Told
from suggestions.llm.plan import TASKS, USUAL, Plan, UnknownTask
from suggestions.llm.providers import BadModelSettings, NoModel
from suggestions.models import ModelChoice

LONGEST_RUN = 30


class Command(AssayCommand):
    help = (
        "Prefetch suggestions for a project's runs, by constraints or by a model. What is found stays unseen until the "
        "project's reveal rule allows it."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--source", default="builtin", choices=["builtin", "llm"])
        parser.add_argument("--dry-run", action="store_true", help="say what it would find or take, store nothing")
        parser.add_argument("--model", default="", metavar="NAME", help="of the models that settings name (llm)")
        parser.add_argument("--task", action="append", default=[], metavar="NAME", help=f"one of {', '.join(TASKS)}")
        parser.add_argument("--run", default="", metavar="NAME", help="asks anew, beside earlier runs of the model")

    def handle(self, project, source, dry_run, **options):
        found = project_of(project)
        if source == "llm":
            self.ask(found, dry_run, options)
            return
        told = evaluate_dataset(dataset=found.dataset, dry_run=dry_run, progress=self.progress_of)
        if options["json"]:
            self.print_json(told.as_json())
            return
        done = "would be evaluated" if dry_run else "evaluated"
        self.stdout.write(
            f"{told.trajectories} runs, {told.evaluated} {done} now, {told.constraints} constraints: "
            f"{told.violations} violations, {told.not_evaluated} could not be evaluated"
        )

    def ask(self, project: Project, dry_run: bool, options: dict) -> None:
        carry_out = rehearse if dry_run else suggest_by_model
        try:
            plan = self.plan(project, options)
            told = carry_out(dataset=project.dataset, plan=plan, progress=self.progress_of)
        except (NoModel, BadModelSettings, UnknownTask, ModelError) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.print_json(told.as_json() | {"dry_run": dry_run})
        else:
            self.say(told, dry_run)
        if told.failed or told.stopped:
            sys.exit(1)

    def plan(self, project: Project, options: dict) -> Plan:
        """What the options say, else what the project chose, else the first model and the usual tasks."""
        if len(options["run"]) > LONGEST_RUN:
            raise CommandError(f"--run may have {LONGEST_RUN} characters at most")
        choice = ModelChoice.objects.filter(project=project.slug).first()
        return plan_of(
            model=options["model"] or (choice.model if choice else ""),
            tasks=options["task"] or (choice.tasks if choice else USUAL),
            version=project.taxonomy_version,
            project=project.slug,
            run=options["run"],
        )

    def say(self, told: Told, dry_run: bool) -> None:
        bill = told.bill
        cost = "cost unknown, as the price is not known" if bill.cost is None else f"{bill.cost:.4f} dollars"
        would = "would take about" if dry_run else "took"
        self.stdout.write(
            f"{told.trajectories} runs by {told.plan.model.name} {would} {bill.calls} calls, {bill.input_tokens} + "
            f"{bill.output_tokens} tokens, {cost}; {bill.cached} answers were there before"
        )
        if not dry_run:
            self.stdout.write(
                f"{told.judgements} judgements ({told.abstained} without a step), {told.violations} violations, "
                f"{told.not_evaluated} could not be evaluated"
            )
        for failure in told.failed:
            self.stderr.write(f"no answer: {failure['trajectory']}: {failure['why']}")
        if told.stopped:
            self.stderr.write(f"stopped: {told.stopped}")

    def progress_of(self, done: int, total: int) -> None:
        self.progress(done)
