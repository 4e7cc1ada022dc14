"""What every command of ours shares: who acts, one JSON object on stdout, progress on stderr."""

import json

from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from people.actions import system_user
from people.models import User


class AssayCommand(BaseCommand):
    """Commands act as `system` or `--by USER`; shell access is operator access."""

    requires_system_checks = []

    def run_from_argv(self, argv):
        """Every reason why nothing was done, usage too, goes up as CommandError to who knows the exit codes."""
        options = vars(self.create_parser(argv[0], argv[1]).parse_args(argv[2:]))
        try:
            self.execute(*options.pop("args", ()), **options)
        finally:
            connections.close_all()

    def add_arguments(self, parser):
        parser.add_argument("--by", metavar="USER", help="act as this user instead of system")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def actor(self, options) -> User:
        if not options["by"]:
            return system_user()
        return person(options["by"])

    def progress(self, done: int) -> None:
        if done and done % 100 == 0:
            self.stderr.write(f"{done} …")

    def print_json(self, value: dict) -> None:
        """ASCII only: files may hold what no encoding can print."""
        self.stdout.write(json.dumps(value))


def person(name: str) -> User:
    user = User.objects.called(name).first()
    if user is None:
        raise CommandError(f"there is no user “{name}”")
    return user
