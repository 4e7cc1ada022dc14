from typing import Any

from adjudication.actions import recompute
from annotate.commands import project_of
from people.commands import AssayCommand


class Command(AssayCommand):
    help = "Compute how far the annotators of a project agree, with intervals."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")

    def handle(self, project, **options):
        figures = recompute(project_of(project)).figures
        if options["json"]:
            self.print_json(figures)
        else:
            for line in lines(figures):
                self.stdout.write(line)


def lines(figures: dict[str, Any]):
    bootstrap = figures["bootstrap"]
    yield f"{figures['trajectories']} trajectories, {figures['pairable']} pairable"
    if figures["comparison"] == "definitions_differ":
        yield "The annotators used different definitions of critical: a comparison, not an inter-rater study."
    yield f"95 % intervals: {bootstrap['b']} bootstraps over each {bootstrap['unit']}, seed {bootstrap['seed']}"
    for name, measure in figures["measures"].items():
        yield ""
        yield f"{name.replace('_', ' ')}: n {measure['n']}" + undefined(measure)
        for key, value in measure.items():
            if key != "n" and (text := shown(value)):
                yield f"  {key.replace('_', ' '):<18}{text}"


def undefined(measure: dict[str, Any]) -> str:
    return f", undefined: {measure['undefined']}" if measure.get("undefined") else ""


def shown(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return number(value)
    if not isinstance(value, dict) or not value:
        return ""
    if "value" in value:
        return with_interval(value)
    if all(isinstance(each, int | float) for each in value.values()):
        return "  ".join(f"{key}: {number(each)}" for key, each in value.items())
    return ""


def with_interval(value: dict[str, Any]) -> str:
    if value["value"] is None:
        return f"undefined: {value.get('undefined', '')}"
    interval = value.get("ci")
    return number(value["value"]) + (f"  [{number(interval[0])}, {number(interval[1])}]" if interval else "")


def number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
