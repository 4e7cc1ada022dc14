import re

from django.core.management.base import CommandError

from annotate.cards import number_of
from annotate.commands import project_of
from people.commands import AssayCommand
from traces.actions import redact
from traces.models import Trajectory


class Command(AssayCommand):
    help = (
        "Blank out steps of a run for ever, and with them its instruction, layers and original, what models said of it "
        "and quotations in annotations and rulings. Releases made before stay as they are."
    )

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("trajectory", metavar="ID")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--source", metavar="NAME", help="where an id stands in several sources")
        parser.add_argument(
            "--steps", required=True, metavar="N,N-N|all", help="by the numbers that the run's page shows"
        )
        parser.add_argument("--reason", required=True, help="for the audit log; not what is taken out")
        parser.add_argument("--dry-run", action="store_true", help="say what would go and change nothing")

    def handle(self, trajectory, project, source, steps, reason, dry_run, **options):
        if not reason.strip():
            raise CommandError("give a --reason: the audit log keeps it")
        run = run_of(project, trajectory, source)
        numbers = {step.position: number_of(step) for step in run.steps.only("position", "native_index")}
        positions = positions_in(steps, numbers, run)
        if not dry_run:
            redact(trajectory=run, positions=positions, reason=reason, by=self.actor(options))
        gone = [numbers[position] for position in positions]
        if options["json"]:
            self.print_json({"trajectory": str(run), "steps": gone, "dry_run": dry_run})
        else:
            said = "would be redacted" if dry_run else "redacted; releases made before stay as they are"
            self.stdout.write(f"{run}: steps {', '.join(map(str, gone))} {said}")


def run_of(slug: str, external_id: str, source: str | None) -> Trajectory:
    found = Trajectory.objects.filter(items__project=project_of(slug), external_id=external_id).order_by("source")
    if source is not None:
        found = found.filter(source=source)
    runs = list(found)
    if not runs:
        where = f" of source {source}" if source else ""
        raise CommandError(f"{slug} has no run{where} called {external_id}")
    if len(runs) > 1:
        known = ", ".join(run.source for run in runs)
        raise CommandError(f"{external_id} names {len(runs)} runs; say which with --source, one of {known}")
    return runs[0]


def positions_in(steps: str, numbers: dict[int, int], run: Trajectory) -> list[int]:
    """The 0-based positions of steps by their numbers: `3,5-7`, or `all`."""
    if steps == "all":
        return sorted(numbers)
    chosen: set[int] = set()
    for part in steps.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*", part)
        if match is None:
            raise CommandError(f"--steps “{steps}” is not understood; give numbers like 3,5-7, or all")
        first, last = int(match[1]), int(match[2] or match[1])
        here = {position for position, number in numbers.items() if first <= number <= last}
        if not here:
            least, most = min(numbers.values()), max(numbers.values())
            raise CommandError(f"step {part.strip()} is not in {run}, whose steps go from {least} to {most}")
        chosen |= here
    return sorted(chosen)
