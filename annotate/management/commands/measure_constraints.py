import json
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from annotate.formats import read_labels
from annotate.formats.drafts import NATIVE_INDEX, LabelDraft
from suggestions.builtin import BUILTINS
from suggestions.measurement import Labelled, measure
from suggestions.pages import MEASURED
from suggestions.runs import Run, run_of_draft
from traces.formats import read_traces
from traces.formats.drafts import TrajectoryDraft

GROUND_TRUTH = "agentrx/ground_truth"
SETS = {
    "τ-retail (AgentRx)": ("agentrx/tau_retail", f"{GROUND_TRUTH}/tau_ground_truth.json", "agentrx"),
    "Magentic-One (AgentRx)": ("agentrx/magentic", f"{GROUND_TRUTH}/magentic_one_ground_truth.json", "agentrx"),
    "Algorithm-Generated (Who&When)": ("whowhen/Algorithm-Generated", "whowhen/Algorithm-Generated", "whowhen"),
    "Hand-Crafted (Who&When)": ("whowhen/Hand-Crafted", "whowhen/Hand-Crafted", "whowhen"),
}


class Command(BaseCommand):
    help = "Measure the built-in constraints on the public labelled runs; docs/constraints.md prints the result."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("data", metavar="FOLDER", help="holds agentrx/ and whowhen/")

    def handle(self, data, **options):
        folder = Path(data)
        if not (folder / "agentrx").is_dir() or not (folder / "whowhen").is_dir():
            raise CommandError(f"{folder} holds no agentrx/ and whowhen/")
        told = {}
        for name, (traces, labels, format) in SETS.items():
            halves = measure(labelled(folder / traces, folder / labels, format), BUILTINS)
            told[name] = {half: measured.as_json() for half, measured in halves.items()}
            self.stdout.write(f"{name}: {sum(measured.runs for measured in halves.values())} runs")
        MEASURED.write_text(json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
        self.stdout.write("now run manage.py docs")


def labelled(traces: Path, labels: Path, format: str) -> Iterator[Labelled]:
    drafts = (draft for draft in read_traces([traces]) if isinstance(draft, TrajectoryDraft))
    runs = {str(draft.external_id): run_of_draft(draft) for draft in drafts}
    for label in read_labels([labels], format):
        if isinstance(label, LabelDraft) and str(label.external_id) in runs:
            run = runs[str(label.external_id)]
            places = {failure.key: position_of(run, failure.number, failure.base) for failure in label.failures}
            if label.critical_key is not None:
                yield Labelled(run, places[label.critical_key], frozenset(places.values()))


def position_of(run: Run, number: int, base: str) -> int:
    return run.numbers[number] if base == NATIVE_INDEX else number
