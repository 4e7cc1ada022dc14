from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.core.validators import validate_slug

from annotate.actions import ProjectExists, create_project
from annotate.actions.projects import NoSuchDataset
from annotate.models import Project
from annotate.protocols import PROTOCOLS
from people.commands import AssayCommand, person
from taxonomy.presets import PRESETS


class Command(AssayCommand):
    help = "Create a project: a dataset annotated by one protocol with one taxonomy."

    def add_arguments(self, parser):
        super().add_arguments(parser)
        parser.add_argument("slug")
        parser.add_argument("--name", default="")
        parser.add_argument("--dataset", default="", metavar="SLUG", help="an existing dataset; else one of this slug")
        parser.add_argument("--protocol", default="attribution", choices=[protocol.name for protocol in PROTOCOLS])
        parser.add_argument("--taxonomy", default="agentrx", choices=[preset.name for preset in PRESETS])
        parser.add_argument("--overlap", type=int, default=2, help="people per item")
        parser.add_argument(
            "--reveal", default="never", choices=Project.Reveal.values, help="when annotators see suggestions"
        )
        parser.add_argument(
            "--reveal-unit",
            default="trajectory",
            choices=Project.RevealUnit.values,
            help="what is drawn, if randomised",
        )
        parser.add_argument(
            "--reveal-share", type=int, default=50, help="percent of them that are shown, if randomised"
        )
        parser.add_argument("--lead", metavar="USER")

    def handle(self, slug, **options):
        try:
            validate_slug(slug)
        except ValidationError as error:
            raise CommandError(f"“{slug}” is no slug; use letters, digits, - and _") from error
        for title, value, most in (("the slug", slug, 60), ("--name", options["name"], 200)):
            if len(value) > most:
                raise CommandError(f"{title} is {len(value)} characters long; at most {most} fit")
        if not 1 <= options["overlap"] <= 20:
            raise CommandError(f"--overlap {options['overlap']} is not possible; give 1 to 20 people per item")
        if not 1 <= options["reveal_share"] <= 99:
            raise CommandError(f"--reveal-share {options['reveal_share']} leaves one arm empty; give 1 to 99 percent")
        names = ("name", "dataset", "protocol", "taxonomy", "overlap", "reveal", "reveal_unit", "reveal_share")
        lead = person(options["lead"]) if options["lead"] else None
        try:
            project = create_project(
                slug=slug, by=self.actor(options), lead=lead, **{name: options[name] for name in names}
            )
        except (ProjectExists, NoSuchDataset) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.print_json({"project": project.slug, "dataset": project.dataset.slug, "items": project.items.count()})
        else:
            self.stdout.write(
                f"project {project.slug} on dataset {project.dataset.slug}, {project.items.count()} items"
            )
