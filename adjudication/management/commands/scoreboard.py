from typing import Any

from django.core.management.base import CommandError

from adjudication.actions.scoring import SameSource, declare_contrast, score_suggestions
from adjudication.labels import GOLD, UnknownLabels
from annotate.commands import project_of
from people.commands import AssayCommand


class Command(AssayCommand):
    help = "Score every source of suggestions against gold or one annotator's labels."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--labels", default=GOLD, metavar="gold|annotator:NAME")
        parser.add_argument(
            "--declare",
            nargs=2,
            action="append",
            default=[],
            metavar=("A", "B"),
            help="a contrast, before anything is scored",
        )

    def handle(self, project, labels, declare, **options):
        found, by = project_of(project), self.actor(options)
        try:
            for a, b in declare:
                declare_contrast(project=found, a=a, b=b, by=by)
            told = score_suggestions(project=found, by=by, labels=labels)
        except (UnknownLabels, SameSource) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.print_json(told)
        else:
            for line in lines(told):
                self.stdout.write(line)


def lines(told: dict[str, Any]):
    yield f"{told['gold']['n']} labels with a critical step ({told['labels']})"
    yield f"{'source':<48}{'n':>5}{'exact':>7}{'±1':>5}{'±3':>5}{'±5':>5}{'agent':>7}{'top1':>8}{'top3':>8}{'mrr':>8}{'abst.':>7}{'left out':>9}"
    for each in told["sources"]:
        within = "".join(f"{each['within'][k]:>5}" for k in ("1", "3", "5"))
        yield (
            f"{each['name'][:47]:<48}{each['n']:>5}{each['exact']:>7}{within}{each['agent']:>7}"
            f"{each['top1']:>8.3f}{each['top3']:>8.3f}{each['mrr']:>8.3f}{each['abstained']:>7}{each['touched']:>9}"
        )
    yield from lines_of_violations(told["violations"])
    for title, key in (("declared contrasts", "contrasts"), ("declared after scoring", "contrasts_after_scoring")):
        for each in told[key]:
            measured = (
                f" {each['measure']}: p {each['p']:.4f}, Holm {each['p_holm']:.4f}," if "measure" in each else ","
            )
            yield f"{title}: {each['a']} against {each['b']}{measured} {each['verdict']}"


def lines_of_violations(checkers: list[dict[str, Any]]):
    if checkers:
        yield f"{'violations of':<48}{'n':>5}{'covered':>9}{'chance':>8}{'runs':>6}{'alarms/100 steps':>18}{'category':>10}{'left out':>9}"
    for each in checkers:
        category = f"{each['category']['named']}/{each['category']['n']}"
        alarms = each["alarms_per_100_steps"]
        yield (
            f"{each['name'][:47]:<48}{each['n']:>5}{each['covered']:>9}{each['chance']:>8.2f}{each['runs']:>6}"
            f"{'–' if alarms is None else f'{alarms:.1f}':>18}{category:>10}{each['touched']:>9}"
        )
