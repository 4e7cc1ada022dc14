from django.conf import settings
from django.core.management.base import CommandError

from adjudication.demo.loading import CAST, NAME, SLUG, NotEmpty, load, passwords
from annotate.models import Project
from people.commands import AssayCommand


class Command(AssayCommand):
    help = "Fill an empty database with the demo project and its people; on the embedded default only."

    def handle(self, **options):
        if not settings.EMBEDDED:
            raise CommandError("the demo's passwords are public: it is loaded on the embedded default only")
        try:
            loaded = load()
        except NotEmpty as reason:
            self.nothing(str(reason), options["json"])
            return
        if options["json"]:
            counts = {"runs": loaded.runs, "annotations": loaded.annotations, "cases": loaded.cases}
            self.print_json({"project": SLUG, **counts, "log_ins": passwords()})
            return
        self.stdout.write(f"The project “{NAME}” holds {loaded.runs} runs. Log in as")
        self.log_ins()

    def nothing(self, why: str, as_json: bool) -> None:
        if as_json:
            self.print_json({"project": None, "why": why})
        elif Project.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo project is there already. Unless somebody changed them, its log-ins are")
            self.log_ins()
        else:
            self.stdout.write(f"The demo was not loaded: {why}.")

    def log_ins(self) -> None:
        for name, password in passwords().items():
            self.stdout.write(f"  {name}  {password}  ({CAST[name]})")
