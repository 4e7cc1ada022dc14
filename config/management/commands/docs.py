"""The pages of docs/ that are printed from the code. `--check` says which are out of date instead of writing them."""

import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand

from adjudication.states import CASE
from annotate.policy import ALLOWED, EVERYBODY
from annotate.states import ANNOTATION, ASSIGNMENT
from jobs.states import JOB, Moves
from suggestions.pages import constraints_page

TABLES = (JOB, ASSIGNMENT, ANNOTATION, CASE)


def states_page() -> str:
    parts = [
        "# States",
        "",
        "Printed from the tables of moves by `manage.py docs`; the database refuses any other move.",
        "",
    ]
    for table in TABLES:
        parts += [f"## {table.of.capitalize()}", "", "```mermaid", "stateDiagram-v2", *diagram(table), "```", ""]
    return "\n".join(parts)


def diagram(table: Moves) -> list[str]:
    first = next(iter(table.table))
    arrows = [
        f"    {state} --> {after}: {verb}" for state, verbs in table.table.items() for verb, after in verbs.items()
    ]
    return [f"    [*] --> {first}", *arrows]


def policy_page() -> str:
    roles = sorted(EVERYBODY)
    rows = [
        "# Who may do what",
        "",
        "Printed from `annotate/policy.py` by `manage.py docs`. What a person then sees is narrowed by `visible_to`: "
        "who holds or may still get an item sees nothing of colleagues there, in any role.",
        "",
        f"| | {' | '.join(roles)} |",
        f"|---|{'---|' * len(roles)}",
    ]
    for verb, allowed in ALLOWED.items():
        rows.append(f"| {verb} | {' | '.join('yes' if role in allowed else '' for role in roles)} |")
    return "\n".join([*rows, ""])


PAGES = {"states.md": states_page, "policy.md": policy_page, "constraints.md": constraints_page}


class Command(BaseCommand):
    help = "Print the pages of docs/ that come from the code."
    requires_system_checks = []

    def add_arguments(self, parser):
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a page is out of date")

    def handle(self, **options):
        folder = Path(settings.BASE_DIR) / "docs"
        stale = [name for name, page in PAGES.items() if read(folder / name) != page()]
        if options["check"]:
            if stale:
                self.stderr.write(f"out of date: {', '.join(stale)}; run manage.py docs")
                sys.exit(1)
            return
        for name in stale:
            (folder / name).write_text(PAGES[name](), encoding="utf-8")
            self.stdout.write(f"wrote docs/{name}")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
