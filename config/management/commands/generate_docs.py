"""Write docs/states.md from the tables of moves, or with --check say whether it is up to date."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

STATES = Path("docs/states.md")
OPENING = "# States\n\nPrinted from the tables of moves in `<app>/states.py` by `manage.py generate_docs`.\n"


def tables() -> list:
    """Every table of moves in the house, in the order of the apps."""
    found = []
    for app in apps.get_app_configs():
        if find_spec(f"{app.name}.states"):
            module = import_module(f"{app.name}.states")
            found += [value for name, value in vars(module).items() if name.isupper() and hasattr(value, "table")]
    return found


def diagram(moves) -> str:
    first = next(iter(moves.table))
    lines = [f"    [*] --> {first}"]
    for state, verbs in moves.table.items():
        lines += [f"    {state} --> {after}: {verb}" for verb, after in verbs.items()]
        lines += [] if verbs else [f"    {state} --> [*]"]
    return "\n".join([f"## {moves.of.capitalize()}", "", "```mermaid", "stateDiagram-v2", *lines, "```", ""])


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser):
        parser.add_argument("--check", action="store_true", help="write nothing; exit 2 if it is out of date")

    def handle(self, *, check, **options):
        path = settings.BASE_DIR / STATES
        wanted = "\n".join([OPENING, *map(diagram, tables())])
        if check:
            if not path.exists() or path.read_text() != wanted:
                raise CommandError(f"{STATES} is out of date: run `manage.py generate_docs`.")
            return
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted)
        self.stdout.write(f"wrote {STATES}")
